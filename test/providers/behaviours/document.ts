import { PROVIDER_NAMES, type ProviderName } from '../../../src/basics/codes.ts';

/**
 * Tests that prove a behaviour, each as `<file> > <name>`: its file without `test/` and `.test.ts`, and its full name. A
 * name that ends in `…` means all tests with that beginning.
 */
export type Proofs = readonly [string, ...string[]];
/** The reason why a behaviour does not apply to a provider. */
export interface Inapplicable {
  readonly because: string;
}

/** A behaviour with its proofs at each provider, or the reason why it does not apply. */
export type ProviderRow = readonly [behaviour: string, Readonly<Record<ProviderName, Proofs | Inapplicable>>];
/** A behaviour of code that serves all providers, with its proofs. */
export type SharedRow = readonly [behaviour: string, Proofs];

export interface Behaviours {
  readonly byProvider: Readonly<Record<string, readonly ProviderRow[]>>;
  readonly shared: Readonly<Record<string, readonly SharedRow[]>>;
}

export const because = (reason: string): Inapplicable => ({ because: reason });

/** A test that ran, with the name that proofs use. */
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

/** The test files that the proofs name. */
export const provingFiles = (behaviours: Behaviours): string[] => [
  ...new Set(everyProof(behaviours).map((proof) => proof.split(' > ')[0] ?? proof)),
];

const matching = (tests: readonly RunTest[], proof: string): RunTest[] =>
  proof.endsWith('…')
    ? tests.filter(({ name }) => name.startsWith(proof.slice(0, -1)))
    : tests.filter(({ name }) => name === proof);

/** Names the proofs without a test that ran. */
export const findFaults = (behaviours: Behaviours, tests: readonly RunTest[]): string[] =>
  [...new Set(everyProof(behaviours))]
    .filter((proof) => matching(tests, proof).length === 0)
    .map((proof) => `there is no test "${proof}"`);

/** Writes every behaviour at every provider with its result and its tests as Markdown. The same results give the same text. */
export function writeBehaviours(behaviours: Behaviours, tests: readonly RunTest[]): string {
  const lines = [
    '# Providers and their behaviours',
    '',
    '**Use this page** to see how each platform behaves, and which tests prove that the service handles it, against scripted',
    'answers and the sandbox. A name that ends in … means all tests with that beginning. `npm test` with',
    '`CONFORMANCE_REPORT=1` writes this page. Without that variable the run compares: it fails if a behaviour has no test, or',
    'a line of this page differs. `npm run contract -- provider-a` checks the real platforms.',
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
  lines.push('', 'One implementation serves all providers in these parts.');
  for (const [title, rows] of Object.entries(behaviours.shared)) {
    lines.push('', `## ${title}`, '', '| Behaviour | All providers |', '|---|---|');
    for (const [behaviour, proofs] of rows) lines.push(row([behaviour, cellOf(proofs, tests)]));
  }
  return `${lines.join('\n')}\n`;
}

const row = (cells: readonly string[]) => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;

function cellOf(cell: Proofs | Inapplicable, tests: readonly RunTest[]): string {
  if ('because' in cell) return `not applicable: ${cell.because}`;
  const found = cell.map((proof) => matching(tests, proof));
  const isHeld = found.every((proving) => proving.length > 0 && proving.every(({ passed }) => passed));
  const named = cell.map((proof) => {
    const [file = '', ...name] = proof.split(' > ');
    return `\`${file}\`: ${name.join(' > ')}`;
  });
  return [isHeld ? '**held**' : '**not held**', ...named].join('<br>');
}
