import { clearAnswers } from './promises/clear-answers.ts';
import { effects } from './promises/effects.ts';
import { erased } from './promises/erased.ts';
import { events } from './promises/events.ts';
import { finalStaysFinal } from './promises/final.ts';
import { noGrantLeft } from './promises/grants.ts';
import { oneEnd } from './promises/one-end.ts';
import { posts } from './promises/posts.ts';
import type { Broken, Run } from './run.ts';
import { broken, type Promised, View } from './view.ts';

const nothingLeftOpen: Promised = ({ remains }) => remains.open.map((what) => broken('run', what));
const noCrash: Promised = ({ remains }) => remains.crashes.map((crash) => broken('run', `ended by itself: ${crash}`));

/** The contract's promises, each of which a run can break. */
export const PROMISES = {
  'clear answers': clearAnswers,
  'one end': oneEnd,
  'final stays final': finalStaysFinal,
  'no grant left': noGrantLeft,
  posts,
  effects,
  events,
  erased,
  'nothing left open': nothingLeftOpen,
  'no crash': noCrash,
} as const satisfies Readonly<Record<string, Promised>>;

export type Rule = keyof typeof PROMISES;
export interface Objection extends Broken {
  readonly rule: Rule;
}

/**
 * Judges a run by the contract, in the manner of Jepsen's checkers. The makers of runs only record them: `faults` under random
 * faults, `orders` in every order of steps.
 * @returns nothing if the run kept every promise
 */
export function check(run: Run): Objection[] {
  const view = new View(run);
  return (Object.keys(PROMISES) as Rule[]).flatMap((rule) =>
    [...PROMISES[rule](view)].map((one) => ({ rule, ...one })),
  );
}
