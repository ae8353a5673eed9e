/** A rise of some figures. */
export interface Growth {
  readonly from: number;
  readonly to: number;
}

/**
 * Compares the last third of some figures with the third before it; before that they may grow. A median of each, so that one bad
 * moment decides nothing.
 * @returns undefined if the last is not above what is allowed
 */
export function findRise(
  figures: readonly (number | undefined)[],
  allowed: (from: number) => number,
): Growth | undefined {
  const third = Math.floor(figures.length / 3);
  const [from, to] = [median(figures.slice(-2 * third, -third)), median(figures.slice(-third))];
  return from !== undefined && to !== undefined && to > allowed(from) ? { from, to } : undefined;
}

export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((one, other) => one - other);
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? Number.NaN;
}

function median(values: readonly (number | undefined)[]): number | undefined {
  const known = values.filter((value) => value !== undefined);
  return known.length === 0 ? undefined : quantile(known, 0.5);
}
