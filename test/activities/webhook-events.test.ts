import { describe, expect } from 'vitest';
import type { WebhookEventType } from '../../src/basics/codes.ts';
import type { ConnectionId } from '../../src/basics/ids.ts';
import { openJournal } from '../../src/journal/journal.ts';
import { wakeWebhooks } from '../../src/outbox/wake-webhooks.ts';
import { WebhookEventBody } from '../../src/webhooks/event-schema.ts';
import { renderEvent, type StoredEvent } from '../../src/webhooks/render-event.ts';
import { openStage, type Stage } from '../kit/activity-stage.ts';
import { actsOnOthers } from '../kit/bystanders.ts';
import { businessNow, DAY_MS, HOUR_MS, moveClock } from '../kit/clock.ts';
import { runActivity } from '../kit/deps.ts';
import { post } from '../kit/fake-provider.ts';
import { newFolder } from '../kit/folder.ts';
import { replayJournal } from '../kit/journal.ts';
import { asApi, asWorker, type Database, test } from '../kit/postgres.ts';
import { moveConnection, updatePaused } from '../kit/seed.ts';
import { disableWebhookEndpoint, seedEndpoint } from '../kit/seed-endpoint.ts';

const addEndpoint = (stage: Stage, eventTypes?: readonly WebhookEventType[]) =>
  seedEndpoint(stage.sql, stage.seeded.app.appId, eventTypes && { eventTypes });

async function open(sql: Database, eventTypes?: readonly WebhookEventType[]) {
  const stage = await openStage(sql);
  return { stage, endpointId: await addEndpoint(stage, eventTypes) };
}

/** The app's events in their order of time, and of each connection in the order of their numbers. */
const eventsOf = async ({ sql, seeded }: Stage) => {
  const rows = await sql`
    select event_id, occurred_at, type, connection_id, sequence::float8 as sequence, data from webhook_event
    where app_id = ${seeded.app.appId} order by occurred_at, sequence nulls first
  `;
  for (const row of rows) WebhookEventBody.parse(JSON.parse(renderEvent({ ...(row as StoredEvent), scope: null })));
  return rows;
};
const typesOf = async (stage: Stage) => (await eventsOf(stage)).map(({ type }) => type);

describe('the event of a connection', () => {
  test('follows each change of its status, numbered in order', async ({ sql }) => {
    const { stage } = await open(sql);
    const { connectionId } = await stage.newConnection();
    for (const status of ['SUSPENDED', 'CONNECTED', 'RECONNECT_REQUIRED', 'CONNECTED', 'CONNECTED'] as const)
      await moveConnection(asWorker(sql), connectionId, status);
    const events = await eventsOf(stage);
    const facts = { provider: 'PROVIDER_B' };
    const because = { reason: 'ACCOUNT_DISCONNECTING' };
    expect(events.map(({ type, data }) => [type, data])).toEqual([
      ['connection.connected', { ...facts, status: 'CONNECTED' }],
      ['connection.suspended', { ...facts, ...because, status: 'SUSPENDED' }],
      ['connection.resumed', { ...facts, ...because, status: 'CONNECTED' }],
      ['connection.reconnect_required', { ...facts, status: 'RECONNECT_REQUIRED', erasesAt: expect.any(String) }],
      ['connection.connected', { ...facts, status: 'CONNECTED' }],
    ]);
    const numbers = events.map(({ sequence }) => Number(sequence));
    expect(new Set(numbers).size).toBe(5);
    expect(numbers).toEqual(numbers.toSorted((a, b) => a - b));
    expect(numbers.every(Number.isSafeInteger)).toBe(true);
  });

  test('report a completed attempt, its disconnect, receipts and erase, and nothing of the person', async ({ sql }) => {
    const { stage } = await open(sql);
    const attempt = await stage.newExchangedAttempt();
    await runActivity(stage.activities.completeAttempt, { attemptId: attempt.attemptId });
    const [row] = await sql`select connection_id, scope_id from connection where scope_id = ${attempt.scopeId}`;
    const connectionId = row?.connectionId as ConnectionId;
    const { revokeJobId, eraseJobId } = await stage.disconnect({ connectionId, scopeId: attempt.scopeId });
    await runActivity(stage.activities.purgeContent, { connectionId, revokeJobId, eraseJobId });
    await runActivity(stage.activities.tryRevoke, { jobId: revokeJobId });
    await runActivity(stage.activities.eraseConnection, { connectionId, eraseJobId });
    const events = await eventsOf(stage);
    expect(events.map(({ type }) => type)).toEqual([
      'connection.connected',
      'connect_session.finished',
      'connection.disconnected',
      'job.finished', // The first scan, canceled.
      'receipt.settled', // The revoke.
      'connection.erased',
      'receipt.settled',
    ]);
    expect(new Set(events.map((event) => event.connectionId))).toEqual(new Set([connectionId]));
    const dataOf = (type: string) => events.filter((event) => event.type === type).map(({ data }) => data);
    expect(dataOf('connect_session.finished')).toEqual([
      {
        sessionId: attempt.attemptId,
        provider: 'PROVIDER_B',
        status: 'COMPLETED',
        resultCode: expect.toBeOneOf([null, 'PARTIAL_PERMISSION']),
        creatorAction: null,
      },
    ]);
    expect(dataOf('receipt.settled')).toEqual(
      expect.arrayContaining([
        { jobId: revokeJobId, kind: 'REVOKE', status: 'SUCCEEDED', errorCode: null, creatorAction: null },
        { jobId: eraseJobId, kind: 'ERASE', status: 'SUCCEEDED', errorCode: null, creatorAction: null },
      ]),
    );
    const [left] = await sql`
      select (select count(*)::int from connection where connection_id = ${connectionId}) as connections,
        (select string_agg(e::text, '') from webhook_event e) as text
    `;
    expect(left?.connections).toBe(0);
    expect(left?.text).not.toMatch(/subject-|tenant-|harbour|account-/i);
  });

  test('is one for the whole app when its registration is paused or resumed', async ({ sql }) => {
    const { stage } = await open(sql);
    for (let i = 0; i < 3; i += 1) await stage.newConnection();
    const before = await typesOf(stage);
    for (const paused of [true, true, false])
      await updatePaused(asApi(sql), stage.seeded.registrations.PROVIDER_B, paused);
    const events = (await eventsOf(stage)).filter(({ connectionId }) => connectionId === null);
    const data = { provider: 'PROVIDER_B', reason: 'REGISTRATION_PAUSED' };
    expect(events).toMatchObject([
      { type: 'connection.suspended', sequence: null, data },
      { type: 'connection.resumed', sequence: null, data },
    ]);
    expect(await typesOf(stage)).toHaveLength(before.length + 2);
  });
});

test('the event of a job counts once, at the end of a scan, which posts are new, changed and gone', async ({ sql }) => {
  const { stage } = await open(sql, ['job.finished', 'content.changed']);
  const { connectionId } = await stage.newConnection();
  const now = await businessNow(sql);
  const ago = (days: number) => new Date(now.getTime() - days * DAY_MS);
  const window = { publishedAfter: ago(7), publishedBefore: ago(0.5) };
  const scan = async () => {
    const { jobId } = await stage.newScan(connectionId, { window });
    while (!(await runActivity(stage.activities.runScanStep, { jobId })).done);
    return jobId;
  };
  const { listContent, readContent } = stage.provider;
  const show = (...items: ReturnType<typeof post>[]) =>
    listContent.mockResolvedValueOnce({ items, cursor: null, reachedEnd: true });
  const later = [post('a', ago(1)), post('b', ago(2), { title: 'Another title' }), post('d', ago(1))];
  // It shows another post by its id, but not the one that the list lacks.
  readContent.mockImplementation(async (_access, { providerContentIds }) =>
    providerContentIds.includes('c') ? [] : [post('a', ago(1))],
  );
  listContent.mockResolvedValueOnce({ items: [post('a', ago(1))], cursor: 'next', reachedEnd: false });
  show(post('b', ago(2)), post('c', ago(3)));
  const jobs = [await scan()];
  show(...later);
  jobs.push(await scan());
  await moveClock(sql, HOUR_MS); // The second read that misses it, an hour later, is the proof.
  for (const _ of ['once', 'again']) {
    show(...later);
    jobs.push(await scan());
  }
  const [first, second, third, fourth] = jobs;
  const finished = (jobId: string | undefined) => ({ type: 'job.finished', data: { jobId, status: 'SUCCEEDED' } });
  const changed = (jobId: string | undefined, [addedCount, changedCount, removedCount]: number[]) => ({
    type: 'content.changed',
    data: { jobId, addedCount, changedCount, removedCount },
  });
  expect(await eventsOf(stage)).toMatchObject([
    ...[finished(first), changed(first, [3, 0, 0])],
    ...[finished(second), changed(second, [1, 1, 0])],
    ...[finished(third), changed(third, [0, 0, 1])],
    finished(fourth),
  ]);
});

test('an event is written only for an app with an endpoint that wants it, and for each such endpoint', async ({
  sql,
}) => {
  const { stage, endpointId } = await open(sql, ['connection.suspended']);
  const other = await addEndpoint(stage, ['connection.suspended', 'connection.resumed']);
  const disabled = await addEndpoint(stage);
  await disableWebhookEndpoint(asApi(sql), disabled, 'OPERATOR');
  const failing = await addEndpoint(stage, ['connection.suspended']);
  await disableWebhookEndpoint(asWorker(sql), failing, 'FAILING');
  const stranger = await openStage(sql);
  const foreign = await stranger.newConnection();
  const { connectionId } = await stage.newConnection();
  for (const status of ['SUSPENDED', 'CONNECTED'] as const) {
    await moveConnection(asWorker(sql), connectionId, status);
    await moveConnection(asWorker(sql), foreign.connectionId, status);
  }
  // Also the one that only a disabled endpoint wants: an operator can ask for it when the endpoint is enabled.
  expect(await typesOf(stage)).toEqual(['connection.connected', 'connection.suspended', 'connection.resumed']);
  expect(await typesOf(stranger)).toEqual([]);
  const deliveries = await sql`
    select endpoint_id, event_type from webhook_delivery where app_id = ${stage.seeded.app.appId}
  `;
  // Events that a failing endpoint misses wait until it is enabled again.
  expect(deliveries.map((row) => `${row.endpointId} ${row.eventType}`).toSorted()).toEqual(
    [
      `${endpointId} connection.suspended`,
      `${other} connection.suspended`,
      `${other} connection.resumed`,
      `${failing} connection.suspended`,
    ].toSorted(),
  );
  await wakeWebhooks(asWorker(sql));
  const woken = await sql`
    select distinct workflow_id, restart, signal_name from outbox where workflow_type = 'sendWebhooks'
      and workflow_id = any(${[endpointId, other, disabled, failing].map((id) => `webhooks/${id}`)})
  `;
  expect(woken.map(({ workflowId }) => workflowId).toSorted()).toEqual(
    [endpointId, other].map((id) => `webhooks/${id}`).toSorted(),
  );
  expect(woken[0]).toMatchObject({ restart: true, signalName: 'webhooksDue' });
});

test('after a restore, the numbers of a connection continue above those of the lost time', async ({ sql }) => {
  actsOnOthers(sql, 'account_grant'); // A restore makes all tokens doubtful.
  const { stage } = await open(sql, ['connection.suspended', 'connection.resumed', 'connection.disconnected']);
  const { connectionId } = await stage.newConnection();
  for (const status of ['SUSPENDED', 'CONNECTED', 'SUSPENDED', 'CONNECTED'] as const)
    await moveConnection(asWorker(sql), connectionId, status);
  const numbersOf = async () => (await eventsOf(stage)).map(({ sequence }) => Number(sequence));
  const known = await numbersOf();
  // The backup is older than the last events, and than the disconnect that the journal holds.
  await sql`delete from webhook_event where sequence > ${known[0] ?? 0}`;
  const journal = openJournal(newFolder(), stage.deps.mac);
  const line = { entryId: crypto.randomUUID(), kind: 'CONNECTION', id: connectionId } as const;
  await journal.append([{ ...line, number: 1, at: new Date().toISOString() }]);
  expect(await replayJournal(sql, stage.deps, journal)).toMatchObject({ repeated: 1 });
  expect(await eventsOf(stage)).toMatchObject([{}, { type: 'connection.disconnected', connectionId }]);
  expect((await numbersOf()).at(-1)).toBeGreaterThan(Math.max(...known));
});
