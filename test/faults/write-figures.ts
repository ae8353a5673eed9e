import { readFileSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { ROOT } from '../../local/src/services.ts';
import type { Figures } from './run.ts';

const PAGE = path.join(ROOT, 'docs', 'reliability.md');
const [START, END] = ['<!-- figures -->', '<!-- end of figures -->'];

/** States the figures of a run in docs/reliability.md. */
export function writeFigures(figures: Figures): void {
  writeFileSync(PAGE, replaceFigures(readFileSync(PAGE, 'utf8'), formatFigures(figures)));
}

/** @throws Error if the page has no place for them */
function replaceFigures(page: string, figures: string): string {
  const [from, to] = [page.indexOf(START), page.indexOf(END)];
  if (from < 0 || to < from) throw new Error(`${PAGE} has no ${START} … ${END}.`);
  return `${page.slice(0, from + START.length)}\n${figures}\n${page.slice(to)}`;
}

/** A run in five rows: date and machine, work, faults, the time to settle, and the objections. */
function formatFigures(figures: Figures, at = new Date()): string {
  const { seed, ms, parts, flows, requests, lost, faults, platformCalls, events, recoverySeconds, objections } =
    figures;
  const number = (value: number) => value.toLocaleString('en-US');
  const list = (counts: Readonly<Record<string, number>>) =>
    Object.entries(counts)
      .map(([kind, count]) => `${kind} ${number(count)}`)
      .join(', ');
  const byRule: Record<string, number> = {};
  for (const { rule } of objections) byRule[rule] = (byRule[rule] ?? 0) + 1;
  const total = Object.values(faults).reduce((sum, one) => sum + one, 0);
  const minutes = number(Math.round(ms / 6_000) / 10);
  const machine = `${os.cpus().length} cores, ${Math.round(os.totalmem() / 2 ** 30)} GiB, Node ${process.versions.node}`;
  const rows: readonly (readonly [string, string])[] = [
    ['Run', `${at.toISOString().slice(0, 10)}, seed \`${seed}\`, ${minutes} minutes of faults; ${parts}; ${machine}`],
    [
      'Work',
      `${number(flows)} flows, ${number(requests)} requests answered, ${number(lost)} answers lost on the way, ${number(platformCalls)} calls to platforms, ${number(events)} events delivered`,
    ],
    ['Faults', `${number(total)} of ${Object.keys(faults).length} kinds`],
    [
      'Settled after the last repair',
      recoverySeconds === null ? 'only by an operator' : `${recoverySeconds.toFixed(1)} s`,
    ],
    ['Objections', objections.length === 0 ? 'none' : list(byRule)],
  ];
  return ['', '| | |', '|---|---|', ...rows.map(([name, value]) => `| ${name} | ${value} |`), ''].join('\n');
}
