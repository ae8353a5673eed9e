const SILENT_MS = 1_000;

export const say = (line: string): void => console.log(line);

const seconds = (fromMs: number) => `${((Date.now() - fromMs) / 1000).toFixed(1)} s`;

/** Runs `work`; when it takes over a second, says what is going on, and at its end how long it took. */
export async function runStep<T>(what: string, work: () => Promise<T>): Promise<T> {
  const startedAt = Date.now();
  let announced = false;
  const timer = setTimeout(() => {
    announced = true;
    say(`${what}…`);
  }, SILENT_MS);
  try {
    const result = await work();
    if (announced) say(`${what}: done (${seconds(startedAt)}).`);
    return result;
  } finally {
    clearTimeout(timer);
  }
}

/** Two columns, under a title. */
export function formatTable(rows: readonly (readonly [string, string])[]): string {
  const width = Math.max(...rows.map(([name]) => name.length));
  return rows.map(([name, value]) => `  ${name.padEnd(width)}  ${value}`).join('\n');
}
