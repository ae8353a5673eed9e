// Writes the codes of src/basics/failure-codes.ts into schema.graphql and docs/callers-codes.md.

const LONGEST_LINE = 118;

/** `A, B (note), … or Z` */
function listCodes(ends) {
  const words = Object.entries(ends).map(([code, { note }]) => (note === undefined ? code : `${code} (${note})`));
  return `${words.slice(0, -1).join(', ')} or ${words.at(-1)}`;
}

/** Replaces the list of codes in the block description that begins so, and wraps the description again. */
function describe(schema, begins, ends) {
  const pattern = new RegExp(`"""\\n(\\s*)${begins} (?:(?!""")[\\s\\S])*?[A-Z]\\.\\s([\\s\\S]*?)"""`);
  if (!pattern.test(schema)) throw new Error(`schema.graphql has no description "${begins}".`);
  return schema.replace(pattern, (_, indent, rest) => {
    const lines = [''];
    for (const word of `${begins} ${listCodes(ends)}. ${rest}`.split(/\s+/).filter((one) => one !== '')) {
      const line = lines.at(-1);
      if (`${indent}${line} ${word}`.length > LONGEST_LINE) lines.push(word);
      else lines[lines.length - 1] = line === '' ? word : `${line} ${word}`;
    }
    return `"""\n${lines.map((line) => `${indent}${line}\n`).join('')}${indent}"""`;
  });
}

export const describeCodes = (schema, { ATTEMPT_ENDS, JOB_ENDS }) =>
  describe(
    describe(schema, 'The reason for the result:', ATTEMPT_ENDS),
    'The reason why it failed or waits:',
    JOB_ENDS,
  );

function replaceRows(page, heading, rows) {
  const [before, after] = page.split(`\n### ${heading}\n`);
  if (after === undefined) throw new Error(`docs/callers-codes.md has no part ${heading}.`);
  return `${before}\n### ${heading}\n${after.replace(/(?:^\| `[A-Z_]+` \|.*\n)+/m, () => rows.join(''))}`;
}

export const tabulateCodes = (page, { ATTEMPT_ENDS, JOB_ENDS }) =>
  replaceRows(
    replaceRows(
      page,
      'resultCode',
      Object.entries(ATTEMPT_ENDS).map(([code, { status, tell }]) => `| \`${code}\` | ${status} | ${tell} |\n`),
    ),
    'errorCode',
    Object.entries(JOB_ENDS).map(([code, row]) => `| \`${code}\` | ${row.do} |\n`),
  );
