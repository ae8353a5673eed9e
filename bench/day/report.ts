import type { DayFigures, Hour } from './simulate.ts';

const HEAD = [
  'hour',
  ...['due', 'started', 'waiting', 'late min'].map((name) => `upk ${name}`),
  ...['due', 'started', 'waiting', 'late min'].map((name) => `ref ${name}`),
  ...['rows kept', 'late min'].map((name) => `ret ${name}`),
  ...['A', 'B', 'C'].map((name) => `${name} calls/s`),
  'busiest /s',
  'round s',
  'took s',
  'Postgres s',
];

const line = (cells: readonly (string | number)[]) =>
  cells.map((cell, index) => String(cell).padStart(Math.max(6, HEAD[index]?.length ?? 0))).join(' ');

export const printHead = () => console.log(`\n${line(HEAD)}`);

export function printHour({ hour, upkeep, refresh, ...figures }: Hour): void {
  const longest = Math.max(...Object.values(figures.longestRoundSeconds));
  console.log(
    line([
      hour,
      ...[upkeep, refresh].flatMap((one) => [one.due, one.started, one.waiting, Math.round(one.latestMinutes)]),
      figures.retained,
      Math.round(figures.retentionLateMinutes),
      ...Object.values(figures.callsPerSecond).map((calls) => calls.toFixed(2)),
      `${figures.busiest.name} ${figures.busiest.callsPerSecond.toFixed(2)}`,
      longest.toFixed(1),
      Math.round(figures.seconds),
      Math.round(figures.postgresSeconds),
    ]),
  );
}

export function printRegistrations({ registrations, limits }: DayFigures): void {
  console.log('\nLimits, and the hour in which each was first reached');
  for (const [limit, hour] of Object.entries(limits)) console.log(`  ${hour.toFixed(2).padStart(6)}  ${limit}`);
  console.log('\nregistration, connections, calls, peak calls/s, units left of, latest refresh min');
  for (const { name, connections, calls, peakPerSecond, units, unitsLeft, latestRefreshMinutes } of registrations)
    console.log(
      `  ${name.padEnd(4)} ${String(connections).padStart(9)} ${String(calls).padStart(8)} ${peakPerSecond.toFixed(2).padStart(6)} ${units === null ? '' : `${unitsLeft} of ${units}`.padStart(20)} ${Math.round(latestRefreshMinutes)}`,
    );
}
