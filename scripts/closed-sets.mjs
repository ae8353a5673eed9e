// Checks that meanings of closed codes stand in one place: no list of failures, error codes or result codes outside `src/basics`. Such a
// list decides by a code, and a code that is added later silently falls out of it: add a column to the tables of
// src/basics/failures.ts and failure-codes.ts instead. Part of `npm run check`. Usage: node scripts/closed-sets.mjs [FOLDER]
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

const FOLDER = path.resolve(process.argv[2] ?? path.join(import.meta.dirname, '..'));

/** Lists that a contract or a platform defines. */
const ALLOWED = {
  'src/webhooks/event-schema.ts': 'the codes that this event can carry, in a published schema',
  'src/providers/provider-a/checklist.ts': 'the symptoms of a trial',
  'src/providers/provider-c/content.ts': 'what the batch call of this platform answers for one bad id',
};

const read = (file) => readFileSync(path.join(FOLDER, file), 'utf8');
const LIST = /\[\s*((?:'\w+'\s*,?\s*){2,})\]/g;
const listWords = (text) => [...text.matchAll(/'(\w+)'/g)].map(([, word]) => word);

/** The names of the rows of a table in `src/basics` that begins with a text, without those that lack a column. */
function rowsOf(file, table, column = '') {
  const [, body = ''] = read(`src/basics/${file}.ts`).split(`const ${table} = {\n`);
  const rows = body.split('\n}')[0]?.split(/^(?= {2}\w+: \{)/m) ?? [];
  return rows.filter((row) => row.includes(column)).flatMap((row) => /^ {2}(\w+): \{/m.exec(row)?.slice(1, 2) ?? []);
}
const CLOSED = {
  'types of failures': new Set(['PLATFORM_FAILURES', 'OWN_FAILURES'].flatMap((table) => rowsOf('failures', table))),
  'error codes of jobs': new Set(rowsOf('failure-codes', 'FAILURE_CODES', '    job: {')),
  'result codes': new Set(rowsOf('failure-codes', 'FAILURE_CODES', '    attempt: {')),
};

const problems = [];
for (const inside of readdirSync(path.join(FOLDER, 'src'), { recursive: true })) {
  const file = path.posix.join('src', ...inside.split(path.sep));
  if (!file.endsWith('.ts') || /^src\/(basics|generated)\//.test(file) || file in ALLOWED) continue;
  const text = read(file);
  for (const { 1: members, index } of text.matchAll(LIST)) {
    const words = listWords(members);
    const [set] = Object.entries(CLOSED).find(([, all]) => words.every((word) => all.has(word))) ?? [];
    const line = text.slice(0, index).split('\n').length;
    if (set !== undefined) problems.push(`${file}:${line} lists ${set}: derive it from src/basics`);
  }
}
for (const problem of problems) console.error(problem);
process.exitCode = problems.length === 0 ? 0 : 1;
