/** The text of each rule, by its place. */
export type Rules = Readonly<Record<string, string>>;

/** A test that ran. Its name begins with the places it proves: `<place> + <place>: <guarantee>`. */
export interface ConformanceTest {
  readonly name: string;
  readonly file: string;
  readonly passed: boolean;
}

export interface Proof {
  readonly file: string;
  readonly guarantee: string;
  readonly passed: boolean;
}

/** Assigns tests to rules. @returns the proofs, and a fault for each rule without a test and each test without a rule. */
export function compare(
  rules: Rules,
  tests: readonly ConformanceTest[],
): { proofs: ReadonlyMap<string, readonly Proof[]>; faults: string[] } {
  const faults: string[] = [];
  const proofs = new Map<string, Proof[]>(Object.keys(rules).map((place) => [place, []]));
  for (const { name, file, passed } of tests) {
    const [places = '', ...guarantee] = name.split(': ');
    for (const place of places.split(' + ')) {
      const known = proofs.get(place);
      if (known === undefined) faults.push(`"${name}" names no rule: "${place}"`);
      else known.push({ file, guarantee: guarantee.join(': '), passed });
    }
  }
  for (const [place, found] of proofs) if (found.length === 0) faults.push(`"${place}" has no test`);
  return { proofs, faults };
}

const PARTS = {
  '2': '2 Resources and fields',
  '3': '3 States',
  '4': '4 Operations',
  '5': '5 Authentication',
  '7': '7 Errors',
  '8': '8 Limits',
  D: 'What this service decides',
} as const;

const isHeld = (found: readonly Proof[]) => found.length > 0 && found.every(({ passed }) => passed);

/** Writes every rule with its tests and their results as Markdown. The same results give the same text. */
export function writeDocument(rules: Rules, proofs: ReadonlyMap<string, readonly Proof[]>): string {
  const held = [...proofs.values()].filter(isHeld).length;
  const lines = [
    '# Conformance',
    '',
    '**Use this page** to see each rule that a caller may rely on, the tests in `test/conformance` that prove it over HTTP,',
    'and their result. `npm test` with `CONFORMANCE_REPORT=1` writes this page. Without that variable the run compares: it',
    'fails if a rule has no test, a test has no rule, or a line of this page differs.',
    '',
    `${proofs.size} rules: ${held} held, ${proofs.size - held} not.`,
  ];
  for (const [part, title] of Object.entries(PARTS)) {
    lines.push('', `## ${title}`, '', '| Rule | Guarantee | Tests | Result |', '|---|---|---|---|');
    for (const [place, found] of proofs) {
      if (!place.startsWith(`${part} `)) continue;
      const tests = found.map(({ file, guarantee }) => `\`${file}\`: ${guarantee}`).sort();
      const cells = [place, rules[place] ?? '', tests.join('<br>'), isHeld(found) ? 'held' : '**not held**'];
      lines.push(`| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`);
    }
  }
  return `${lines.join('\n')}\n`;
}
