import { loadavg } from 'node:os';

/** The measurements of a case, for the table at the end. Seconds count from the moment at which Postgres accepts writes again. */
export interface Figures {
  readonly name: string;
  readonly read: number;
  readonly write: number;
  readonly ready: number;
  /** Until the api receives notifications again; 0 if it never stopped. */
  readonly listen: number;
  readonly job: number | undefined;
  readonly lost: number;
  readonly doubled: number;
}

const rows: Figures[] = [];

export function addFigures(figures: Figures): void {
  rows.push(figures);
  console.log(JSON.stringify({ ...figures, load: loadavg()[0] }));
}

const seconds = (value: number | undefined) => (value === undefined ? '-' : value.toFixed(2));

/** Prints all cases of the run. */
export function printFigures(): void {
  const lines = rows.map(
    ({ name, read, write, ready, listen, job, lost, doubled }) =>
      `| ${name} | ${seconds(read)} | ${seconds(write)} | ${seconds(ready)} | ${seconds(listen)} | ${seconds(job)} | ${lost} | ${doubled} |`,
  );
  const head = [
    '| case | read, s | write, s | ready, s | LISTEN, s | job, s | lost | doubled |',
    '|---|---|---|---|---|---|---|---|',
  ];
  console.log([...head, ...lines].join('\n'));
}
