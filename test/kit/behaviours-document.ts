import { PROVIDER_NAMES, type ProviderName } from '../../src/providers/provider.ts';

/**
 * Tests that prove a behaviour, each as `<file> > <name>`: its file without `test/` and `.test.ts`, and its full name. One
 * that ends in `…` stands for all that begin so.
 */
export type Proofs = readonly [string, ...string[]];
/** Why there is nothing to prove at a provider. */
export interface Inapplicable {
  readonly because: string;
}

/** What one provider asks of us, proven at each, or why not. */
export type ProviderRow = readonly [behaviour: string, Readonly<Record<ProviderName, Proofs | Inapplicable>>];
/** What the same code does for all. */
export type SharedRow = readonly [behaviour: string, Proofs];

export interface Behaviours {
  readonly byProvider: Readonly<Record<string, readonly ProviderRow[]>>;
  readonly shared: Readonly<Record<string, readonly SharedRow[]>>;
}

export const because = (reason: string): Inapplicable => ({ because: reason });

/** A test as it has run, under the name that proofs call it by. */
export interface RunTest {
  readonly name: string;
  readonly passed: boolean;
}

const everyProof = ({ byProvider, shared }: Behaviours): string[] => [
  ...Object.values(byProvider)
    .flat()
    .flatMap(([, cells]) =>
      PROVIDER_NAMES.flatMap((provider) => ('because' in cells[provider] ? [] : cells[provider])),
    ),
  ...Object.values(shared)
    .flat()
    .flatMap(([, proofs]) => proofs),
];

/** The files that prove anything, as proofs write them. */
export const provingFiles = (behaviours: Behaviours): string[] => [
  ...new Set(everyProof(behaviours).map((proof) => proof.split(' > ')[0] ?? proof)),
];

const matching = (tests: readonly RunTest[], proof: string): RunTest[] =>
  proof.endsWith('…')
    ? tests.filter(({ name }) => name.startsWith(proof.slice(0, -1)))
    : tests.filter(({ name }) => name === proof);

/** What is named and has not run. */
export const findFaults = (behaviours: Behaviours, tests: readonly RunTest[]): string[] =>
  [...new Set(everyProof(behaviours))]
    .filter((proof) => matching(tests, proof).length === 0)
    .map((proof) => `there is no test "${proof}"`);

/** Every behaviour at every provider with its result and its tests, as Markdown. The same run always gives the same text. */
export function writeBehaviours(behaviours: Behaviours, tests: readonly RunTest[]): string {
  const lines = [
    '# Providers and their behaviours',
    '',
    'What the platforms do, peculiarity by peculiarity, and whether this service copes: shown by the tests named, against',
    'scripted answers and the sandbox, in the run this was written from (all of `npm test` with `CONFORMANCE_REPORT=1`).',
    'A name that ends in … stands for all tests that begin so.',
    'Without that variable the run compares: a behaviour without a test, and a line here that is no longer so, fail it.',
    '`npm run contract -- provider-a` asks the real platforms.',
  ];
  for (const [title, rows] of Object.entries(behaviours.byProvider)) {
    lines.push(
      '',
      `## ${title}`,
      '',
      `| Behaviour | ${PROVIDER_NAMES.join(' | ')} |`,
      `|---${'|---'.repeat(PROVIDER_NAMES.length)}|`,
    );
    for (const [behaviour, cells] of rows) {
      lines.push(row([behaviour, ...PROVIDER_NAMES.map((provider) => cellOf(cells[provider], tests))]));
    }
  }
  lines.push('', 'What follows is the same code for all.');
  for (const [title, rows] of Object.entries(behaviours.shared)) {
    lines.push('', `## ${title}`, '', '| Behaviour | All providers |', '|---|---|');
    for (const [behaviour, proofs] of rows) lines.push(row([behaviour, cellOf(proofs, tests)]));
  }
  return `${lines.join('\n')}\n`;
}

const row = (cells: readonly string[]) => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;

function cellOf(cell: Proofs | Inapplicable, tests: readonly RunTest[]): string {
  if ('because' in cell) return `not there: ${cell.because}`;
  const found = cell.map((proof) => matching(tests, proof));
  const isHeld = found.every((proving) => proving.length > 0 && proving.every(({ passed }) => passed));
  const named = cell.map((proof) => {
    const [file = '', ...name] = proof.split(' > ');
    return `\`${file}\`: ${name.join(' > ')}`;
  });
  return [isHeld ? '**held**' : '**not held**', ...named].join('<br>');
}
