import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, expect, vi } from 'vitest';
import type { AppId } from '../../src/basics/ids.ts';
import type { Outcome } from '../../src/outbox/entry-delivery.ts';
import { Knowledge, Round } from '../../src/outbox/round.ts';
import { gate } from '../kit/gate.ts';
import type { Database } from '../kit/postgres.ts';
import { type Lane, newDispatch, type OutboxEntry, stopTime, outboxTest as test, watchLooks, write } from './stage.ts';

const LANES = ['PERSON', 'REQUEST', 'BULK', 'REFUSED'] as const;
const OUTCOMES: Readonly<Record<string, Outcome>> = {
  D: { type: 'DELIVERED' },
  R: { type: 'REFUSED' },
  F: { type: 'FAILED', seconds: 1 },
  U: { type: 'UNANSWERED', seconds: 1 },
};
const delivered = async (): Promise<Outcome> => ({ type: 'DELIVERED' });

function open(sql: Database, deliver: (entry: OutboxEntry) => Promise<Outcome>, signal?: AbortSignal) {
  const known = new Knowledge();
  const { watch, sql: watched } = watchLooks(sql);
  const run = (lanes: readonly Lane[] = LANES) => new Round({ sql: watched, known, deliver }, lanes, signal).run();
  return { known, watch, run };
}

afterEach(() => void vi.useRealTimers());

/** Each delivery commits another entry. The last outcome repeats without end. */
function openChain(sql: Database, outcomes: string) {
  const part = { calls: 0, atCall: (_call: number) => {} };
  const controller = new AbortController();
  const round = open(
    sql,
    async () => {
      const outcome = OUTCOMES[outcomes[part.calls] ?? (outcomes.at(-1) as string)] as Outcome;
      part.calls += 1;
      await write(sql, newDispatch());
      round.known.commits += 1;
      part.atCall(part.calls);
      return outcome;
    },
    controller.signal,
  );
  return { ...round, part, controller };
}

for (const { wasSilent = false, outcomes, calls, isSilent } of [
  { outcomes: 'F', calls: 5, isSilent: false },
  { outcomes: 'U', calls: 5, isSilent: true },
  { outcomes: 'FFFFU', calls: 5, isSilent: true },
  { outcomes: 'FFFFDF', calls: 10, isSilent: false },
  { wasSilent: true, outcomes: 'U', calls: 1, isSilent: true },
  { wasSilent: true, outcomes: 'DF', calls: 6, isSilent: false },
])
  test(`a round${wasSilent ? ' after silence' : ''} with the outcomes ${outcomes}… ends after ${calls}`, async ({
    sql,
  }) => {
    await stopTime(sql); // It looks at the end of each delivery only.
    const { known, part, run } = openChain(sql, outcomes);
    known.isSilent = wasSilent;
    await write(sql, newDispatch());
    const deliveries = outcomes.replaceAll(/[^D]/g, '').length;
    expect(await run()).toEqual({ delivered: deliveries, failed: calls - deliveries });
    expect(part.calls).toBe(calls);
    expect(known.isSilent).toBe(isSilent);
  });

test('a lane has its own number of deliveries at once, independent of the others', async ({ sql }) => {
  await write(
    sql,
    ...Array.from({ length: 99 }, () => newDispatch('PERSON')),
    ...Array.from({ length: 120 }, () => newDispatch('REQUEST')),
    ...Array.from({ length: 40 }, () => newDispatch('BULK')),
  );
  await sql`
    update outbox set lane = 4, refusals = 1 where outbox_id in (select outbox_id from outbox where lane = 3 limit 20)
  `;
  const { opened, open: release } = gate();
  const inProgress: Record<Lane, number> = { PERSON: 0, REQUEST: 0, BULK: 0, REFUSED: 0 };
  const { known, run } = open(sql, async ({ lane }) => {
    inProgress[lane] += 1;
    await opened;
    return { type: 'DELIVERED' };
  });
  const running = run();
  await delay(300);
  expect(inProgress).toEqual({ PERSON: 99, REQUEST: 100, BULK: 10, REFUSED: 10 });
  await write(sql, newDispatch('PERSON'), newDispatch('PERSON'));
  known.commits += 1;
  await vi.waitFor(() => expect(inProgress.PERSON).toBe(100));
  release();
  expect(await running).toEqual({ delivered: 261, failed: 0 });
});

test('a round delivers an entry that was committed while it looked', async ({ sql }) => {
  const { known, watch, run } = open(sql, delivered);
  watch.afterLook = async () => {
    if (watch.looks > 1) return;
    await write(sql, newDispatch());
    known.commits += 1;
  };
  expect(await run()).toEqual({ delivered: 1, failed: 0 });
});

test('a round continues behind entries that wait for another one of their workflow', async ({ sql }) => {
  const first = newDispatch();
  const app = first.searchAttributes.AppId as AppId;
  await write(sql, first, newDispatch('REQUEST', app));
  await sql`update outbox set once_key = null`;
  await sql`
    insert into outbox (workflow_id, workflow_type, input, restart, search_attributes, lane, next_retry_at, created_at)
    select workflow_id, workflow_type, input, restart, search_attributes, lane, business_now() - interval '1 hour',
      business_now() - interval '1 hour'
    from outbox, generate_series(1, 300) where workflow_id = ${first.workflowId}
  `;
  await sql`
    update outbox set next_retry_at = business_now() + interval '1 hour'
    where outbox_id = (select min(outbox_id) from outbox where workflow_id = ${first.workflowId})
  `;
  expect(await open(sql, delivered).run()).toEqual({ delivered: 1, failed: 0 });
});

test('while Temporal is silent, one delivery is in progress, and all once it has answered', async ({ sql }) => {
  await write(sql, newDispatch(), newDispatch(), newDispatch());
  const { opened, open: release } = gate();
  let calls = 0;
  const { known, run } = open(sql, async () => {
    calls += 1;
    await opened;
    return { type: 'DELIVERED' };
  });
  known.isSilent = true;
  const running = run();
  await delay(200);
  expect(calls).toBe(1);
  release();
  expect(await running).toEqual({ delivered: 3, failed: 0 });
});
