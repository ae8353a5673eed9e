/** What a case measured, for the table at the end. Seconds count from the moment at which Postgres accepts writes again. */
export interface Figures {
  readonly name: string;
  readonly read: number;
  readonly write: number;
  readonly ready: number;
  readonly job: number | undefined;
  readonly lost: number;
}

const rows: Figures[] = [];

export const addFigures = (figures: Figures): void => void rows.push(figures);

const seconds = (value: number | undefined) => (value === undefined ? '-' : value.toFixed(2));

/** Prints all cases of the run. */
export function printFigures(): void {
  const lines = rows.map(
    ({ name, read, write, ready, job, lost }) =>
      `| ${name} | ${seconds(read)} | ${seconds(write)} | ${seconds(ready)} | ${seconds(job)} | ${lost} |`,
  );
  console.log(
    ['| case | read, s | write, s | ready, s | job, s | lost |', '|---|---|---|---|---|---|', ...lines].join('\n'),
  );
}
