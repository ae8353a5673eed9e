/** One of the compared variants. */
export interface Variant {
  readonly name: string;
  /** Runs it once. @returns its duration in ms. */
  once(): Promise<number>;
}

/** Measures the duration of `work` in ms. */
export async function timed(work: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now();
  await work();
  return performance.now() - startedAt;
}

const at = (sorted: readonly number[], part: number) => sorted[Math.ceil(part * sorted.length) - 1] ?? Number.NaN;

export const middle = (values: readonly number[]) =>
  at(
    [...values].sort((a, b) => a - b),
    0.5,
  );

/**
 * Runs each variant once a round, each round in another order, so that a noisy machine disturbs all of them equally. Prints
 * their comparison with the first.
 */
export async function sideBySide(
  title: string,
  variants: readonly Variant[],
  { rounds, warmUps }: { rounds: number; warmUps: number },
): Promise<void> {
  const taken = variants.map((): number[] => []);
  for (let round = -warmUps; round < rounds; round += 1) {
    for (let turn = 0; turn < variants.length; turn += 1) {
      const index = (turn + round + warmUps) % variants.length;
      const ms = await variants[index]?.once();
      if (round >= 0 && ms !== undefined) taken[index]?.push(ms);
    }
  }
  print(
    title,
    variants.map(({ name }, index) => ({ name, taken: taken[index] ?? [] })),
  );
}

/** Compares the medians of all variants with the first one's. */
export function print(title: string, rows: readonly { name: string; taken: readonly number[] }[]): void {
  const first = middle(rows[0]?.taken ?? []);
  const lines = rows.map(({ name, taken }) => {
    const half = middle(taken);
    const late = at(
      [...taken].sort((a, b) => a - b),
      0.95,
    );
    const columns = [
      half.toFixed(1).padStart(9),
      late.toFixed(1).padStart(9),
      `× ${(half / first).toFixed(2)}`.padStart(9),
    ];
    return `  ${name.padEnd(60)}${columns.join('')}`;
  });
  const head = `  ${''.padEnd(60)}${['median', '95 %', 'of first'].map((word) => word.padStart(9)).join('')}`;
  console.log([`\n${title}, in ms`, head, ...lines].join('\n'));
}
