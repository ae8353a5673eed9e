import { randomUUID } from 'node:crypto';
import { describe, expect } from 'vitest';
import { WEBHOOK_CORRECTION } from '../../src/basics/codes.ts';
import {
  type ConnectionId,
  newId,
  type WebhookDeliveryId,
  type WebhookEndpointId,
  type WebhookEventId,
} from '../../src/basics/ids.ts';
import { type Database, inTransaction } from '../../src/store/driver/sql.ts';
import { findWaiting, takeDueDeliveries, updateTriedDeliveries } from '../../src/store/webhooks/due-deliveries.ts';
import { requestRedeliveries, requestRedelivery } from '../../src/store/webhooks/redeliveries.ts';
import { addEndpointFailures, findWebhookEndpoint } from '../../src/store/webhooks/webhook-endpoints.ts';
import { businessNow, DAY_MS, MINUTE_MS, SECOND_MS } from '../kit/clock.ts';
import { asApi, asWorker, test } from '../kit/postgres.ts';
import { at, seedApp } from '../kit/seed.ts';
import { seedEndpoint } from '../kit/seed-endpoint.ts';
import { insertRow } from '../kit/seed-jobs.ts';

/** Two endpoints of one app, and deliveries to them at a fixed time. */
async function open(sql: Database) {
  const seeded = await seedApp(sql);
  const { appId } = seeded.app;
  const [endpointId, otherId] = [await seedEndpoint(sql, appId), await seedEndpoint(sql, appId)];
  const connectionId = newId<ConnectionId>();
  const now = await businessNow(sql);
  const from = (ms: number) => new Date(now.getTime() + ms);
  let sequence = 0;
  const newEvent = async (occurredMs: number, row: object = {}) => {
    const eventId = newId<WebhookEventId>();
    sequence += 1;
    await insertRow(sql, 'webhook_event', {
      ...{ eventId, appId, type: 'connection.suspended', connectionId, sequence, data: {} },
      ...{ occurredAt: from(occurredMs), ...row },
    });
    return eventId;
  };
  const deliver = async (
    eventId: WebhookEventId,
    row: { deliveryId?: WebhookDeliveryId; [column: string]: unknown } = {},
    id: WebhookEndpointId = endpointId,
  ) => {
    const { deliveryId = newId<WebhookDeliveryId>() } = row;
    const columns = { eventId, endpointId: id, appId, eventType: 'connection.suspended', ...row, deliveryId };
    await insertRow(sql, 'webhook_delivery', columns);
    return deliveryId;
  };
  const rows = (id = endpointId) => sql`select * from webhook_delivery where endpoint_id = ${id}`;
  return { appId, endpointId, otherId, connectionId, now, from, newEvent, deliver, rows };
}

describe('due deliveries', () => {
  test('of an endpoint are taken longest due first, then by id, and given in the order of events', async ({ sql }) => {
    const { endpointId, otherId, now, from, newEvent, deliver } = await open(sql);
    const ids = [newId<WebhookDeliveryId>(), newId<WebhookDeliveryId>()].sort();
    const [low, high] = ids as [WebhookDeliveryId, WebhookDeliveryId];
    const due = (ms: number, deliveryId = newId<WebhookDeliveryId>()) => ({ deliveryId, nextRetryAt: from(ms) });
    const first = await newEvent(-3 * DAY_MS, { sequence: 12 });
    const second = await newEvent(-3 * DAY_MS, { sequence: 11 });
    const [third, fourth, fifth] = [await newEvent(-2 * DAY_MS), await newEvent(-DAY_MS), await newEvent(-9 * DAY_MS)];
    await deliver(fifth, due(1));
    const justDue = await deliver(first, due(0));
    const twins = [await deliver(third, due(-MINUTE_MS, high)), await deliver(second, due(-MINUTE_MS, low))];
    const longest = await deliver(fourth, { ...due(-2 * MINUTE_MS), tries: 3 });
    await deliver(fourth, due(-DAY_MS), otherId);
    const take = (limit: number) => at(sql, now, 0, () => takeDueDeliveries(asWorker(sql), endpointId, limit));
    const idsOf = (taken: Awaited<ReturnType<typeof take>>) => taken.map((one) => [one.deliveryId, one.tries]);
    expect(idsOf(await take(2))).toEqual([
      [low, 1],
      [longest, 4],
    ]);
    const [row] = await sql`select * from webhook_delivery where delivery_id = ${longest}`;
    expect(row).toMatchObject({ status: 'PENDING', tries: 4, lastTriedAt: now, nextRetryAt: from(45 * SECOND_MS) });
    await sql`update webhook_delivery set next_retry_at = ${now} where delivery_id = ${low}`;
    expect(idsOf(await take(10))).toEqual([
      [low, 2],
      [justDue, 1],
      [high, 1],
    ]);
    expect(twins).toEqual([high, low]);
    expect(await take(10)).toEqual([]);
    expect((await at(sql, now, 0, () => takeDueDeliveries(asWorker(sql), otherId, 10))).length).toBe(1);
  });

  test('have the result of their try, if no one has requested them again', async ({ sql }) => {
    const { now, from, newEvent, deliver, rows } = await open(sql);
    const taken = async (row: Parameters<typeof deliver>[1] = {}) =>
      await deliver(await newEvent(0), { tries: 2, nextRetryAt: from(MINUTE_MS), ...row });
    const ids = [await taken(), await taken(), await taken(), await taken()];
    const untouched = [
      await taken(),
      await taken({ tries: 0 }),
      await taken({ status: 'DELIVERED', nextRetryAt: null }),
    ];
    const outcomes = ['DELIVERED', 'FAILED', 'RETRY', 'POSTPONED'] as const;
    const resultOf = (deliveryId: WebhookDeliveryId, index: number) => {
      const outcome = outcomes[index] ?? 'FAILED';
      const pauseSeconds = outcome === 'RETRY' || outcome === 'POSTPONED' ? 60 * index : null;
      return { deliveryId, tries: 2, outcome, pauseSeconds, status: 500 + index, failure: null, durationMs: 5 };
    };
    const before = await rows();
    const isUntouched = (row: { deliveryId?: unknown }) => untouched.some((id) => id === row.deliveryId);
    await at(sql, now, 0, () => updateTriedDeliveries(asWorker(sql), [...ids, ...untouched.slice(1)].map(resultOf)));
    const after = await rows();
    const find = (id: WebhookDeliveryId) => after.find(({ deliveryId }) => deliveryId === id);
    const wanted = [
      { status: 'DELIVERED', tries: 2, nextRetryAt: null, finishedAt: now, lastHttpStatus: 500 },
      { status: 'FAILED', tries: 2, nextRetryAt: null, finishedAt: now, lastHttpStatus: 501 },
      { status: 'PENDING', tries: 2, nextRetryAt: from(2 * MINUTE_MS), finishedAt: null, lastHttpStatus: 502 },
      { status: 'PENDING', tries: 1, nextRetryAt: from(3 * MINUTE_MS), finishedAt: null, lastHttpStatus: 503 },
    ];
    for (const [index, id] of ids.entries()) {
      const { history: tries, ...row } = find(id) ?? expect.fail('It is gone.');
      expect(row).toMatchObject(wanted[index] ?? {});
      expect(tries).toMatchObject([{ durationMs: 5, httpStatus: 500 + index, failure: null }]);
    }
    const sorted = (all: typeof before) =>
      all.filter(isUntouched).sort((a, b) => String(a.deliveryId).localeCompare(String(b.deliveryId)));
    expect(sorted(after)).toEqual(sorted(before));
  });

  test('show how many wait, since when, the last answer, and when the next one is tried', async ({ sql }) => {
    const { endpointId, otherId, now, from, newEvent, deliver } = await open(sql);
    const eventId = await newEvent(0);
    expect(await findWaiting(sql, endpointId)).toBeUndefined();
    await deliver(eventId, { status: 'DELIVERED', nextRetryAt: null });
    await deliver(eventId, { nextRetryAt: from(-MINUTE_MS) }, otherId);
    expect(await findWaiting(sql, endpointId)).toBeUndefined();
    for (const ms of [3_000, 1_000, 2_000])
      await deliver(await newEvent(0), { nextRetryAt: from(ms), occurredAt: from(ms - 9_000) });
    const untried = {
      count: 3,
      since: from(-8_000),
      nextRetryAt: new Date(now.getTime() + 1_000),
      tries: 0,
      lastAnswer: null,
    };
    expect(await findWaiting(asWorker(sql), endpointId)).toEqual(untried);
    const tried = { tries: 4, lastTriedAt: from(-1_000), lastHttpStatus: 503 };
    await deliver(await newEvent(0), { nextRetryAt: from(9_000), ...tried });
    await deliver(await newEvent(0), {
      nextRetryAt: from(9_000),
      ...tried,
      lastTriedAt: from(-2_000),
      lastHttpStatus: 500,
    });
    await deliver(await newEvent(0), { nextRetryAt: from(9_000), ...tried, lastTriedAt: from(0) }, otherId);
    expect(await findWaiting(asWorker(sql), endpointId)).toEqual({
      ...untried,
      count: 5,
      tries: 4,
      lastAnswer: 'HTTP_503',
    });
  });
});

describe('deliveries asked for again', () => {
  const ask = (sql: Database, id: WebhookEndpointId, since: Date, options = { failedOnly: false, dryRun: false }) =>
    inTransaction(asApi(sql), (tx) => requestRedeliveries(tx, id, since, options));

  test('are those of the wanted events since an instant, tried or never made', async ({ sql }) => {
    const { endpointId, otherId, connectionId, now, from, newEvent, deliver, rows } = await open(sql);
    const done = { status: 'DELIVERED', nextRetryAt: null, tries: 1, finishedAt: now };
    const early = await newEvent(-MINUTE_MS - 1);
    const [unmade, tried, failed, untried] = [
      await newEvent(-MINUTE_MS),
      await newEvent(-3),
      await newEvent(-2),
      await newEvent(-1),
    ];
    const correction = await newEvent(0, { type: WEBHOOK_CORRECTION });
    const foreign = await newEvent(0, { type: WEBHOOK_CORRECTION });
    await deliver(early, done);
    await deliver(tried, done);
    await deliver(failed, { ...done, status: 'FAILED' });
    await deliver(untried, { nextRetryAt: from(DAY_MS) });
    await deliver(correction, done);
    for (const eventId of [foreign, unmade]) await deliver(eventId, { ...done, status: 'FAILED' }, otherId);
    const since = from(-MINUTE_MS);
    const count = (failedOnly: boolean) => ask(sql, endpointId, since, { failedOnly, dryRun: true });
    expect([await count(false), await count(true)]).toEqual([
      { count: 4, continueAt: null },
      { count: 2, continueAt: null },
    ]);
    const others = await rows(otherId);
    expect(await at(sql, now, 0, () => ask(sql, endpointId, since))).toEqual({ count: 4, continueAt: null });
    const state = new Map(
      (await rows()).map((row) => [row.eventId, [row.status, row.tries, row.nextRetryAt, row.finishedAt]]),
    );
    const again = ['PENDING', 0, now, null];
    expect(state).toEqual(
      new Map<unknown, unknown>([
        [early, ['DELIVERED', 1, null, now]],
        [unmade, again],
        [tried, again],
        [failed, again],
        [untried, ['PENDING', 0, from(DAY_MS), null]],
        [correction, again],
      ]),
    );
    const made = (await rows()).find(({ eventId }) => eventId === unmade);
    expect(made).toMatchObject({ connectionId, occurredAt: since, eventType: 'connection.suspended' });
    expect(await rows(otherId)).toEqual(others);
  });

  test('are the oldest 20,000, and the last of them returns where to continue', async ({ sql }) => {
    const { appId, endpointId, from, now } = await open(sql);
    await sql`
      insert into webhook_event (app_id, type, data, occurred_at)
      select ${appId}, 'connection.suspended', '{}', ${now}::timestamptz - n * interval '1 second'
      from generate_series(0, 20000) as n
    `;
    const count = (since: Date) => ask(sql, endpointId, since, { failedOnly: false, dryRun: true });
    expect(await count(new Date(0))).toEqual({ count: 20_000, continueAt: from(-SECOND_MS) });
    expect(await count(from(-19_998 * SECOND_MS))).toEqual({ count: 19_999, continueAt: null });
  });

  test('one by one end the pause of their endpoint alone', async ({ sql }) => {
    const { endpointId, otherId, newEvent, deliver } = await open(sql);
    for (const id of [endpointId, otherId])
      await addEndpointFailures(asWorker(sql), id, { failures: 1, pauseSeconds: 3_600 });
    const isPaused = async (id: WebhookEndpointId) => (await findWebhookEndpoint(sql, id))?.pausedUntil !== null;
    const deliveryId = await deliver(await newEvent(0), { status: 'FAILED', nextRetryAt: null, tries: 9 });
    const request = (id: WebhookDeliveryId) => inTransaction(asApi(sql), (tx) => requestRedelivery(tx, id));
    expect(await request(randomUUID() as WebhookDeliveryId)).toBeUndefined();
    expect([await isPaused(endpointId), await isPaused(otherId)]).toEqual([true, true]);
    expect(await request(deliveryId)).toBe(endpointId);
    expect([await isPaused(endpointId), await isPaused(otherId)]).toEqual([false, true]);
  });
});
