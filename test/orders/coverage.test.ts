import { expect, test as plainTest, vi } from 'vitest';
import { OPERATIONS as MUTATIONS } from '../../src/generated/admin-operations.ts';
import { DOCUMENTS } from '../kit/graphql.ts';
import { LEFT_OUT } from './operations/operators.ts';

vi.mock('@temporalio/workflow', async () => await import('./temporal.ts'));

const { OPERATIONS } = await import('./operations/index.ts');
const names = OPERATIONS.map(({ name }) => name);
const isThere = (name: string) =>
  names.some((one) => one === name || one.startsWith(`${name} `) || one.startsWith(`${name},`));

plainTest('every query and mutation of callers is in the orders', () => {
  // `status` reads nothing.
  const missing = Object.keys(DOCUMENTS).filter((field) => field !== 'status' && !isThere(`caller: ${field}`));
  expect(missing).toEqual([]);
});

plainTest('every mutation of operators is in the orders, or is left out with a reason', () => {
  const mutations = Object.entries(MUTATIONS).flatMap(([name, { kind }]) => (kind === 'mutation' ? [name] : []));
  const isLeftOut = (name: string) => name in LEFT_OUT;
  expect(mutations.filter((name) => !isThere(`operator: ${name}`) && !isLeftOut(name))).toEqual([]);
  expect(mutations.filter((name) => isThere(`operator: ${name}`) && isLeftOut(name))).toEqual([]);
});

const test = plainTest.extend<{ $file: { explorer: import('./explore.ts').Explorer } }>({
  explorer: [
    // biome-ignore lint/correctness/noEmptyPattern: the runner reads from it which fixtures this one needs.
    async ({}, use) => {
      const explorer = await (await import('./explore.ts')).Explorer.open();
      await use(explorer);
      await explorer.close();
    },
    { scope: 'file' },
  ],
});

/** The states in which the most is due. They come first: to build a state takes seconds. */
const FIRST = [
  ...['a consent comes back', 'a code waits for its exchange', 'connected', 'connected, due for upkeep'],
  ...['disconnected, the revoke waits', 'a scan waits', 'two accounts of one person, the other disconnects'],
  ...['a sign-in is created', 'a code of a sign-in waits for its exchange', 'the platform refuses the client'],
].map((name) => `PROVIDER_A: ${name}`);
const NEXT = [
  'a metrics refresh waits',
  'a lookup waits',
  '19 lookups wait',
  'all connections of the tenant disconnect',
].map((name) => `PROVIDER_B: ${name}`);

/** Activities of workflows that an operator's repair or a fail-over starts, and no operation here. */
const NOT_RUN: readonly string[] = [];

test('some order runs every activity, and every step of housekeeping', { timeout: 600_000 }, async ({ explorer }) => {
  const { STATES } = await import('./states.ts');
  const { activities, engine } = explorer.world;
  const listMissing = () =>
    Object.keys(activities).filter((name) => !engine.called.has(name) && !NOT_RUN.includes(name));
  for (const state of new Set([...FIRST, ...NEXT, ...STATES.map(({ name }) => name)])) {
    if (listMissing().length === 0) break;
    const known = await explorer.listOperations(state);
    for (const { name } of known.filter((one) => /^(worker|sweep): /.test(one.name)))
      await explorer.play({ state, operations: [name], plan: [] });
  }
  expect(listMissing()).toEqual([]);
});
