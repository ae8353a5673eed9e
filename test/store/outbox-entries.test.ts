import { expect } from 'vitest';
import { type CorrelationId, newId } from '../../src/basics/ids.ts';
import { type Database, inTransaction } from '../../src/store/driver/sql.ts';
import {
  type Dispatch,
  getNewestDispatchId,
  hasDispatchAfter,
  insertDispatches,
  type Lane,
  takeDispatches,
} from '../../src/store/outbox.ts';
import { asWorker } from '../kit/postgres.ts';
import { outboxTest as test } from './outbox-rows.ts';

const APP_ID = '00000000-0000-4000-8000-00000000000a';
const PLACES = (['PERSON', 'REQUEST', 'BULK'] as const).map((lane: Lane) => ({ lane, limit: 10 }));

const write = (sql: Database, ...dispatches: Dispatch[]) =>
  inTransaction(sql, (tx) => insertDispatches(tx, dispatches));
const take = (sql: Database) => takeDispatches(asWorker(sql), { places: PLACES, leaseSeconds: 15 });

const build = (workflowId: string, changes: Partial<Dispatch> = {}): Dispatch => ({
  workflowId,
  workflowType: 'scan',
  input: {},
  searchAttributes: {},
  correlationId: null,
  traceparent: null,
  ...changes,
});

test('an entry comes as it was written, in the order of the ids of workflows, and a start before its signals', async ({
  sql,
}) => {
  const correlationId = newId<CorrelationId>();
  const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';
  const searchAttributes = { AppId: APP_ID, JobKind: 'SCAN' };
  const input = { jobId: 'one', run: 2, next: null };
  const signal = { name: 'retryNow' };
  await write(
    sql,
    build('b', { workflowType: 'disconnect', lane: 'BULK' }),
    build('a', { signal }),
    build('c', { signal, restart: true, lane: 'PERSON', input, searchAttributes, correlationId, traceparent }),
    build('a'),
  );
  const of = { searchAttributes: {}, correlationId: null, traceparent: null, tries: 1, refusals: 0 };
  const entries = [];
  for (let left = 4; left > 0; left -= 1) {
    const taken = await take(sql);
    entries.push(...taken.map(({ outboxId, ...entry }) => entry));
    await sql`delete from outbox where tries > 0`;
  }
  const start = { ...of, workflowType: 'scan', input: {}, signalName: null, restart: false };
  expect(entries).toEqual([
    { ...start, workflowId: 'a', lane: 'REQUEST' },
    { ...start, workflowId: 'b', workflowType: 'disconnect', lane: 'BULK' },
    {
      ...{ ...start, workflowId: 'c', signalName: 'retryNow', restart: true, lane: 'PERSON' },
      ...{ input, searchAttributes, correlationId, traceparent },
    },
    { ...start, workflowId: 'a', signalName: 'retryNow', lane: 'REQUEST' },
  ]);
});

test('equal entries are one, which restarts a closed workflow if one of them does', async ({ sql }) => {
  await write(sql, build('a', { restart: true }), build('b'), build('c'));
  await write(sql, build('a'), build('b', { restart: true }), build('c'));
  const restarts = (await take(sql)).map(({ workflowId, restart }) => [workflowId, restart]);
  expect(restarts).toEqual([
    ['a', true],
    ['b', true],
    ['c', false],
  ]);
});

test('the newest entry is known, and whether there is a newer one', async ({ sql }) => {
  expect(await getNewestDispatchId(asWorker(sql))).toBe('0');
  await write(sql, build('a'));
  const first = await getNewestDispatchId(asWorker(sql));
  expect(await hasDispatchAfter(asWorker(sql), first)).toBe(false);
  await write(sql, build('b'));
  const second = await getNewestDispatchId(asWorker(sql));
  expect(Number(second)).toBeGreaterThan(Number(first));
  expect(await hasDispatchAfter(asWorker(sql), first)).toBe(true);
  expect(await hasDispatchAfter(asWorker(sql), second)).toBe(false);
});
