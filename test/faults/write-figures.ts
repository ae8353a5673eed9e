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
export function replaceFigures(page: string, figures: string): string {
  const [from, to] = [page.indexOf(START), page.indexOf(END)];
  if (from < 0 || to < from) throw new Error(`${PAGE} has no ${START} … ${END}.`);
  return `${page.slice(0, from + START.length)}\n${figures}\n${page.slice(to)}`;
}

/** The tables of a run: what happened, and how often each kind of damage was done. */
export function formatFigures(figures: Figures, at = new Date()): string {
  const { seed, ms, flows, requests, lost, faults, platformCalls, events, recoverySeconds, objections } = figures;
  const total = Object.values(faults).reduce((sum, one) => sum + one, 0);
  const count = (...rules: string[]) => String(objections.filter(({ rule }) => rules.includes(rule)).length);
  const number = (value: number) => value.toLocaleString('en-US');
  const rows: readonly (readonly [string, string])[] = [
    ['Date', at.toISOString().slice(0, 10)],
    ['Seed', `\`${seed}\``],
    ['Machine', `${os.cpus().length} cores, ${Math.round(os.totalmem() / 2 ** 30)} GiB, Node ${process.versions.node}`],
    ['Faults for', `${number(Math.round(ms / 6_000) / 10)} minutes`],
    ['Flows', number(flows)],
    ['Requests answered', number(requests)],
    ['Answers lost on the way', number(lost)],
    ['Calls to platforms', number(platformCalls)],
    ['Events delivered', number(events)],
    ['Faults', `${number(total)} of ${Object.keys(faults).length} kinds`],
    [
      'Settled after the last repair',
      recoverySeconds === null ? 'only by an operator' : `${recoverySeconds.toFixed(1)} s`,
    ],
    ['Requests without one allowed end', count('one end', 'clear answers')],
    ['Ends that changed', count('final stays final')],
    ['Posts lost, doubled or stale', count('posts')],
    ['Grants left alive', count('no grant left')],
    ['Effects too many', count('effects')],
    ['Events lost', count('events')],
    ['Traces of erased people', count('erased')],
    ['Left open', count('nothing left open')],
    ['Processes that ended by themselves', count('no crash')],
  ];
  return [
    '',
    '| | |',
    '|---|---|',
    ...rows.map(([name, value]) => `| ${name} | ${value} |`),
    '',
    '| Fault | Times |',
    '|---|---|',
    ...Object.entries(faults).map(([kind, times]) => `| ${kind} | ${number(times)} |`),
    '',
  ].join('\n');
}
