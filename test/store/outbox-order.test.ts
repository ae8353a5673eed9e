import { randomUUID } from 'node:crypto';
import { describe, expect } from 'vitest';
import { type CorrelationId, newId } from '../../src/basics/ids.ts';
import { type Database, inTransaction } from '../../src/store/driver/sql.ts';
import {
  insertDispatch,
  listRefusedDispatches,
  postponeDispatch,
  postponeRefusedDispatch,
  retryRefusedDispatches,
  takeDispatches,
} from '../../src/store/outbox.ts';
import { MINUTE_MS, moveClock } from '../kit/clock.ts';
import { outboxTest as test } from './outbox-rows.ts';

/** @returns the entry's id. */
async function write(sql: Database, workflowId: string, appId: string, signal?: string): Promise<string> {
  await inTransaction(sql, (tx) =>
    insertDispatch(tx, {
      workflowId,
      workflowType: 'scan',
      input: {},
      ...(signal && { signal: { name: signal } }),
      searchAttributes: { AppId: appId },
      correlationId: newId<CorrelationId>(),
      traceparent: null,
    }),
  );
  const [row] = await sql`select max(outbox_id)::text as id from outbox`;
  return String(row?.id);
}

const take = async (sql: Database, limit: number, most?: number) =>
  (await takeDispatches(sql, { places: [{ lane: 'REQUEST', limit }], leaseSeconds: 15, limit: most ?? null }))
    .map(({ workflowId }) => workflowId)
    .sort();
/** In how many seconds an entry is due. */
const dueIn = async (sql: Database, outboxId: string) => {
  const [row] = await sql`
    select extract(epoch from next_retry_at - business_now())::float8 as seconds from outbox where outbox_id = ${outboxId}
  `;
  return Number(row?.seconds);
};

describe('the outbox', () => {
  test('takes no more than asked for over all lanes', async ({ sql }) => {
    for (let entry = 0; entry < 3; entry += 1) await write(sql, `w${entry}`, randomUUID());
    expect(await take(sql, 3, 2)).toHaveLength(2);
    expect(await take(sql, 3, 2)).toHaveLength(1);
  });

  test('lists and retries refused entries, and leaves those alone that wait for Temporal', async ({ sql }) => {
    const refused: string[] = [];
    for (let entry = 0; entry < 3; entry += 1) refused.unshift(await write(sql, `refused/${entry}`, randomUUID()));
    const waiting = await write(sql, 'waiting', randomUUID());
    await postponeDispatch(sql, waiting, 60, 'UNAVAILABLE');
    for (const outboxId of refused) await postponeRefusedDispatch(sql, outboxId, 60, 'INVALID');
    const listed = await listRefusedDispatches(sql, 10);
    expect(listed.map(({ workflowId }) => workflowId)).toEqual(['refused/0', 'refused/1', 'refused/2']);
    expect(listed[0]).toMatchObject({ lastFailure: 'INVALID', refusals: 1 });
    expect(await listRefusedDispatches(sql, 2)).toEqual(listed.slice(0, 2));
    expect(await sql`select last_failure from outbox where outbox_id = ${waiting}`).toEqual([
      { lastFailure: 'UNAVAILABLE' },
    ]);
    expect(await retryRefusedDispatches(sql)).toBe(3);
    expect(await dueIn(sql, waiting)).toBeGreaterThan(50);
    for (const outboxId of refused) expect(await dueIn(sql, outboxId)).toBeLessThanOrEqual(0);
    await moveClock(sql, MINUTE_MS);
    expect(await take(sql, 10)).toEqual(['waiting']);
  });
});
