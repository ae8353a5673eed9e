import { PROVIDER_NAMES, type ProviderName } from '../../../src/basics/codes.ts';

/** The behaviours by section. Those of the platforms have a reason at each one to which they do not apply. */
export interface Behaviours {
  readonly byProvider: Readonly<
    Record<string, Readonly<Record<string, Partial<Readonly<Record<ProviderName, string>>>>>>
  >;
  readonly shared: Readonly<Record<string, readonly string[]>>;
}

/** A test that ran: its file without `test/` and `.test.ts`, its groups and its own name, and the behaviors that it proves. */
export interface RunTest {
  readonly file: string;
  readonly path: readonly string[];
  readonly passed: boolean;
  readonly proofs: readonly { readonly behaviour: string; readonly providers: readonly string[] }[];
}

/** The platforms at which a test proves a behaviour: those that it names, or the one of its file or its name. */
function providersOf({ file, path }: RunTest, named: readonly string[]): readonly string[] {
  if (named.length > 0) return named;
  const [, letter] = /(?:^|\/)provider-([a-z])(?:\/|$)/.exec(file) ?? [];
  if (letter !== undefined) return [`PROVIDER_${letter.toUpperCase()}`];
  const inName = new Set(path.join(' ').match(/\bPROVIDER_[A-Z]\b/g));
  return inName.size === 1 ? [...inName] : [];
}

const provesAt = (test: RunTest, behaviour: string, provider?: ProviderName): boolean =>
  test.proofs.some(
    (proof) =>
      proof.behaviour === behaviour &&
      (provider === undefined || providersOf(test, proof.providers).includes(provider)),
  );

/** Lists the behaviours without a proof, and the proofs without a behaviour. */
export function findFaults({ byProvider, shared }: Behaviours, tests: readonly RunTest[]): string[] {
  const rows = new Map(Object.values(byProvider).flatMap((section) => Object.entries(section)));
  const common = new Set(Object.values(shared).flat());
  const unproven = [
    ...[...rows].flatMap(([behaviour, reasons]) =>
      PROVIDER_NAMES.flatMap((provider) => {
        const isProven = tests.some((test) => provesAt(test, behaviour, provider));
        if (reasons[provider] === undefined) return isProven ? [] : [`no test proves "${behaviour}" at ${provider}`];
        return isProven ? [`"${behaviour}" does not apply to ${provider}, and a test proves it`] : [];
      }),
    ),
    ...[...common]
      .filter((behaviour) => !tests.some((test) => provesAt(test, behaviour)))
      .map((behaviour) => `no test proves "${behaviour}"`),
  ];
  const misplaced = tests.flatMap((test) =>
    test.proofs.flatMap(({ behaviour, providers }) => {
      const isKnown = rows.has(behaviour) || common.has(behaviour);
      if (isKnown && (common.has(behaviour) || providersOf(test, providers).length > 0)) return [];
      const fault = isKnown ? `does not say at which platform it proves` : `proves an unknown behaviour:`;
      return [`${test.file} > ${test.path.join(' > ')} ${fault} "${behaviour}"`];
    }),
  );
  return [...unproven, ...misplaced];
}

/** Writes every behaviour with its result and its tests as Markdown. The same results give the same text. */
export function writeBehaviours({ byProvider, shared }: Behaviours, tests: readonly RunTest[]): string {
  const lines = [
    '# Providers and their behaviours',
    '',
    '**Use this page** to see how each platform behaves, and which tests prove that the service handles it, against scripted',
    'answers and the sandbox. Each test names what it proves. A name that ends in … means all tests of that group. `npm test` with',
    '`CONFORMANCE_REPORT=1` writes this page. Without that variable the run compares: it fails if a behaviour has no test, or',
    'a line of this page differs. `npm run contract -- provider-a` checks the real platforms.',
  ];
  for (const [title, rows] of Object.entries(byProvider)) {
    lines.push(
      '',
      `## ${title}`,
      '',
      row(['Behaviour', ...PROVIDER_NAMES]),
      `|---${'|---'.repeat(PROVIDER_NAMES.length)}|`,
    );
    for (const [behaviour, reasons] of Object.entries(rows)) {
      const cells = PROVIDER_NAMES.map((provider) =>
        reasons[provider] === undefined
          ? cellOf(tests, (test) => provesAt(test, behaviour, provider))
          : `not applicable: ${reasons[provider]}`,
      );
      lines.push(row([behaviour, ...cells]));
    }
  }
  lines.push('', 'One implementation serves all providers in these parts.');
  for (const [title, behaviours] of Object.entries(shared)) {
    lines.push('', `## ${title}`, '', '| Behaviour | All providers |', '|---|---|');
    for (const behaviour of behaviours)
      lines.push(row([behaviour, cellOf(tests, (test) => provesAt(test, behaviour))]));
  }
  return `${lines.join('\n')}\n`;
}

const row = (cells: readonly string[]) => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;

function cellOf(tests: readonly RunTest[], isProof: (test: RunTest) => boolean): string {
  const proving = tests.filter(isProof);
  const named = new Set(proving.map((test) => nameOf(test, tests, isProof)));
  const isHeld = proving.length > 0 && proving.every(({ passed }) => passed);
  return [isHeld ? '**held**' : '**not held**', ...named].join('<br>');
}

/** The name of the test, or of the largest group around it whose tests all are proofs. */
function nameOf(test: RunTest, tests: readonly RunTest[], isProof: (test: RunTest) => boolean): string {
  const { file, path } = test;
  const isWhole = (group: readonly string[]) => {
    const inside = tests.filter((one) => one.file === file && group.every((name, index) => one.path[index] === name));
    return inside.length > 1 && inside.every(isProof);
  };
  const whole = path.findIndex((_, index) => index + 1 < path.length && isWhole(path.slice(0, index + 1)));
  const name = whole === -1 ? path : [...path.slice(0, whole + 1), '…'];
  return `\`${file}\`: ${name.join(' > ').replaceAll('<', '\\<')}`;
}
