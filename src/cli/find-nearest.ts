/** The Levenshtein distance of two texts: single characters inserted, deleted or replaced. */
function measureDistance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, column) => column);
  for (const [line, character] of [...a].entries()) {
    const next = [line + 1];
    for (const [column, other] of [...b].entries()) {
      const replaced = (row[column] ?? 0) + (character === other ? 0 : 1);
      next.push(Math.min(replaced, (row[column + 1] ?? 0) + 1, (next[column] ?? 0) + 1));
    }
    row = next;
  }
  return row[b.length] ?? 0;
}

/** Finds the name that a person probably meant. @returns undefined if none is near. */
export function findNearest(typed: string, names: Iterable<string>): string | undefined {
  const [nearest] = [...names]
    .map((name) => ({ name, distance: measureDistance(typed, name) }))
    .sort((a, b) => a.distance - b.distance);
  return nearest !== undefined && nearest.distance <= Math.max(2, typed.length / 3) ? nearest.name : undefined;
}
