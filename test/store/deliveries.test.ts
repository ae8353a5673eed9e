import fc from 'fast-check';
import { expect } from 'vitest';
import { WEBHOOK_CORRECTION } from '../../src/basics/codes.ts';
import { newId, type WebhookDeliveryId, type WebhookEndpointId, type WebhookEventId } from '../../src/basics/ids.ts';
import { type Database, inTransaction } from '../../src/store/driver/sql.ts';
import { findWaiting, takeDueDeliveries, updateTriedDeliveries } from '../../src/store/webhooks/due-deliveries.ts';
import { requestRedeliveries, requestRedelivery } from '../../src/store/webhooks/redeliveries.ts';
import { businessNow, SECOND_MS } from '../kit/clock.ts';
import { asApi, asWorker, test } from '../kit/postgres.ts';
import { freezeClock, releaseClock, seedApp } from '../kit/seed.ts';
import { seedEndpoint } from '../kit/seed-endpoint.ts';
import { insertRow } from '../kit/seed-jobs.ts';

interface Delivery {
  readonly deliveryId: WebhookDeliveryId;
  readonly endpointId: WebhookEndpointId;
  readonly eventId: WebhookEventId;
  status: string;
  tries: number;
  nextRetryAt: Date | null;
  finishedAt: Date | null;
  lastHttpStatus: number | null;
}

const step = fc.record({
  act: fc.constantFrom('take', 'take', 'take', 'answer', 'answer', 'answer', 'again', 'all again'),
  endpoint: fc.constantFrom(0, 0, 1),
  limit: fc.constantFrom(1, 2, 9),
  outcome: fc.constantFrom('DELIVERED', 'FAILED', 'RETRY', 'POSTPONED'),
  pauseSeconds: fc.constantFrom(0, 30, 60),
  place: fc.nat(9),
  failedOnly: fc.boolean(),
  dryRun: fc.boolean(),
  passesMs: fc.constantFrom(0, 1, 45 * SECOND_MS - 1, 45 * SECOND_MS),
});
type Step = typeof step extends fc.Arbitrary<infer Of> ? Of : never;

/** Events of an app in no order; the first endpoint wants those of one type, the second all. */
async function open(sql: Database) {
  const { appId } = (await seedApp(sql)).app;
  const endpoints = [
    await seedEndpoint(sql, appId, { eventTypes: ['connection.suspended'] }),
    await seedEndpoint(sql, appId),
  ] as const;
  const now = await businessNow(sql);
  const events = [];
  const deliveries: Delivery[] = [];
  for (const [index, minutes] of [3, 1, 1, 2, 5, 4, 1, 6].entries()) {
    const type = ['connection.suspended', 'connection.suspended', 'job.finished', WEBHOOK_CORRECTION][index % 4];
    const event = { eventId: newId<WebhookEventId>(), type, sequence: 9 - index };
    const occurredAt = new Date(now.getTime() - minutes * 60 * SECOND_MS);
    await insertRow(sql, 'webhook_event', { ...event, appId, connectionId: newId(), data: {}, occurredAt });
    events.push({ ...event, occurredAt });
    for (const endpointId of endpoints.slice(0, index % 3)) {
      const row = { deliveryId: newId<WebhookDeliveryId>(), endpointId, eventId: event.eventId };
      const fresh = { status: 'PENDING', tries: 0, nextRetryAt: now, finishedAt: null, lastHttpStatus: null };
      await insertRow(sql, 'webhook_delivery', { ...row, appId, eventType: type, occurredAt, ...fresh });
      deliveries.push({ ...row, ...fresh });
    }
  }
  const isWanted = (type: string | undefined, endpoint: number, eventId: WebhookEventId) =>
    type === WEBHOOK_CORRECTION
      ? deliveries.some((one) => one.eventId === eventId && one.endpointId === endpoints[endpoint])
      : endpoint === 1 || type === 'connection.suspended';
  return { appId, endpoints, now, events, deliveries, isWanted };
}

test('deliveries of an endpoint are taken when due, keep the result of their last try, and are asked for again', async ({
  sql,
}) => {
  const run = async (steps: readonly Step[]) => {
    const { appId, endpoints, now: begin, events, deliveries, isWanted } = await open(sql);
    let now = begin;
    let taken: { deliveryId: WebhookDeliveryId; tries: number }[] = [];
    const eventOf = (one: Delivery) => events.find(({ eventId }) => eventId === one.eventId) ?? expect.fail();
    const startOver = (one: Delivery) =>
      Object.assign(one, { status: 'PENDING', tries: 0, nextRetryAt: now, finishedAt: null, lastHttpStatus: null });
    const pendingOf = (endpoint: number) =>
      deliveries.filter(({ status, endpointId }) => status === 'PENDING' && endpointId === endpoints[endpoint]);
    for (const { act, endpoint, limit, outcome, place, failedOnly, dryRun, passesMs, ...rest } of steps) {
      now = new Date(now.getTime() + passesMs);
      await freezeClock(sql, now);
      const endpointId = endpoints[endpoint] as WebhookEndpointId;
      if (act === 'take') {
        const due = pendingOf(endpoint)
          .filter(({ nextRetryAt }) => Number(nextRetryAt) <= now.getTime())
          .sort((a, b) => Number(a.nextRetryAt) - Number(b.nextRetryAt) || (a.deliveryId < b.deliveryId ? -1 : 1))
          .slice(0, limit);
        for (const one of due)
          Object.assign(one, { tries: one.tries + 1, nextRetryAt: new Date(now.getTime() + 45 * SECOND_MS) });
        const inOrder = due
          .map((one) => ({ ...eventOf(one), deliveryId: one.deliveryId, tries: one.tries }))
          .sort((a, b) => Number(a.occurredAt) - Number(b.occurredAt) || a.sequence - b.sequence);
        const found = await takeDueDeliveries(asWorker(sql), endpointId, limit);
        expect(found).toMatchObject(inOrder);
        expect(found).toHaveLength(inOrder.length);
        taken.push(...inOrder.map(({ deliveryId, tries }) => ({ deliveryId, tries })));
      } else if (act === 'answer') {
        const tried = taken[place % Math.max(1, taken.length)];
        if (tried === undefined) continue;
        taken = taken.filter((one) => one !== tried);
        const isOver = outcome === 'DELIVERED' || outcome === 'FAILED';
        const pauseSeconds = isOver ? null : rest.pauseSeconds;
        const result = { ...tried, outcome, pauseSeconds, status: 500 + place, failure: null, durationMs: 5 };
        await updateTriedDeliveries(asWorker(sql), [result]);
        const own = deliveries.find(({ deliveryId }) => deliveryId === tried.deliveryId);
        if (own?.status !== 'PENDING' || own.tries !== tried.tries) continue;
        own.status = isOver ? outcome : 'PENDING';
        own.tries -= outcome === 'POSTPONED' ? 1 : 0;
        own.nextRetryAt = pauseSeconds === null ? null : new Date(now.getTime() + pauseSeconds * SECOND_MS);
        own.finishedAt = isOver ? now : null;
        own.lastHttpStatus = 500 + place;
      } else if (act === 'again') {
        const own = deliveries[place % deliveries.length] ?? expect.fail('There is none.');
        expect(await inTransaction(asApi(sql), (tx) => requestRedelivery(tx, own.deliveryId))).toBe(own.endpointId);
        startOver(own);
      } else {
        const since = events[place % events.length]?.occurredAt ?? now;
        const wanted = events.filter(
          ({ occurredAt, type, eventId }) => occurredAt >= since && isWanted(type, endpoint, eventId),
        );
        const ofEndpoint = deliveries.filter((one) => one.endpointId === endpointId);
        const missing = wanted.filter(({ eventId }) => !ofEndpoint.some((one) => one.eventId === eventId));
        const repeated = ofEndpoint
          .filter((one) => wanted.some(({ eventId }) => eventId === one.eventId))
          .filter((one) => (failedOnly ? one.status === 'FAILED' : one.tries > 0));
        const ask = () =>
          inTransaction(asApi(sql), (tx) => requestRedeliveries(tx, endpointId, since, { failedOnly, dryRun }));
        expect(await ask()).toEqual({ count: missing.length + repeated.length, continueAt: null });
        if (dryRun) continue;
        repeated.forEach(startOver);
        for (const { eventId } of missing) {
          const [row] =
            await sql`select delivery_id from webhook_delivery where event_id = ${eventId} and endpoint_id = ${endpointId}`;
          deliveries.push(startOver({ deliveryId: row?.deliveryId, endpointId, eventId } as Delivery));
        }
      }
      const stored = await sql`
        select delivery_id, endpoint_id, event_id, status, tries, next_retry_at, finished_at, last_http_status
        from webhook_delivery where app_id = ${appId} order by delivery_id
      `;
      expect(stored).toEqual(deliveries.toSorted((a, b) => (a.deliveryId < b.deliveryId ? -1 : 1)));
      const waiting = pendingOf(endpoint);
      const earliest = (dates: readonly (Date | null)[]) => new Date(Math.min(...dates.map(Number)));
      if (waiting.length === 0) expect(await findWaiting(asWorker(sql), endpointId)).toBeUndefined();
      else
        expect(await findWaiting(asWorker(sql), endpointId)).toMatchObject({
          count: waiting.length,
          nextRetryAt: earliest(waiting.map(({ nextRetryAt }) => nextRetryAt)),
          since: earliest(waiting.map((one) => eventOf(one).occurredAt)),
        });
    }
  };
  await fc.assert(fc.asyncProperty(fc.array(step, { minLength: 20, maxLength: 40 }), run), { numRuns: 15, seed: 7 });
  await releaseClock(sql);
});
