const SILENT_MS = 1_000;

let write: (line: string) => void = console.log;

export const say = (line: string): void => write(line);

/** Keeps standard output free for a program that reads it. */
export function sayOnStandardError(): void {
  write = console.error;
}

const seconds = (fromMs: number) => `${((Date.now() - fromMs) / 1000).toFixed(1)} s`;

/** Runs `work`. If it takes over a second, prints its title, and at its end the duration. */
export async function runStep<T>(title: string, work: () => Promise<T>): Promise<T> {
  const startedAt = Date.now();
  let announced = false;
  const timer = setTimeout(() => {
    announced = true;
    say(`${title}…`);
  }, SILENT_MS);
  try {
    const result = await work();
    if (announced) say(`${title}: done (${seconds(startedAt)}).`);
    return result;
  } finally {
    clearTimeout(timer);
  }
}

/** Aligns rows in two columns. */
export function formatTable(rows: readonly (readonly [string, string])[]): string {
  const width = Math.max(...rows.map(([name]) => name.length));
  return rows.map(([name, value]) => `  ${name.padEnd(width)}  ${value}`).join('\n');
}
