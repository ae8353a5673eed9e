import { expect, test, vi } from 'vitest';
import { OPERATIONS as MUTATIONS } from '../../src/generated/admin-operations.ts';
import { DOCUMENTS } from '../kit/graphql.ts';
import { LEFT_OUT } from './operations/operators.ts';

vi.mock('@temporalio/workflow', async () => await import('./temporal.ts'));

const { OPERATIONS } = await import('./operations/index.ts');
const names = OPERATIONS.map(({ name }) => name);
const isThere = (name: string) =>
  names.some((one) => one === name || one.startsWith(`${name} `) || one.startsWith(`${name},`));

test('every query and mutation of callers is in the orders', () => {
  // `status` reads nothing.
  const missing = Object.keys(DOCUMENTS).filter((field) => field !== 'status' && !isThere(`caller: ${field}`));
  expect(missing).toEqual([]);
});

test('every mutation of operators is in the orders, or is left out with a reason', () => {
  const mutations = Object.entries(MUTATIONS).flatMap(([name, { kind }]) => (kind === 'mutation' ? [name] : []));
  const isLeftOut = (name: string) => name in LEFT_OUT;
  expect(mutations.filter((name) => !isThere(`operator: ${name}`) && !isLeftOut(name))).toEqual([]);
  expect(mutations.filter((name) => isThere(`operator: ${name}`) && isLeftOut(name))).toEqual([]);
});
