import { expect, onTestFinished } from 'vitest';
import { type AppId, newId, type WebhookEndpointId } from '../../src/basics/ids.ts';
import { inTransaction } from '../../src/store/driver/sql.ts';
import {
  addEndpointFailures,
  disableWebhookEndpoint,
  enableWebhookEndpoint,
  endEndpointFailure,
  findWebhookEndpoint,
  insertWebhookEndpoint,
} from '../../src/store/webhooks/webhook-endpoints.ts';
import { createTestDatabase, test } from '../kit/postgres.ts';
import { freezeClock, seedApp } from '../kit/seed.ts';

const START = new Date('2026-03-01T12:00:00Z');
const minute = (count: number) => new Date(START.getTime() + count * 60_000);
const endpointOf = (number: number) => `00000000-0000-4000-8000-00000000000${number}` as WebhookEndpointId;

/** Endpoints with chosen ids, in an empty database whose clock stands. */
async function open() {
  const { sql, drop } = await createTestDatabase();
  onTestFinished(drop);
  const setClock = (count: number) => freezeClock(sql, minute(count));
  await setClock(0);
  const { app } = await seedApp(sql);
  const insert = async (number: number, at = 0, appId: AppId = app.appId) => {
    await setClock(at);
    const endpoint = { endpointId: endpointOf(number), appId, url: 'https://caller.example/hooks' };
    const eventTypes = ['connection.suspended'] as const;
    expect(await inTransaction(sql, (tx) => insertWebhookEndpoint(tx, { ...endpoint, eventTypes }))).toBe('INSERTED');
    return endpoint.endpointId;
  };
  return { sql, app, setClock, insert };
}

test('a success ends failures and pauses of its endpoint, and writes nothing if there was none', async () => {
  const { sql, insert } = await open();
  const [failing, paused, healthy] = [await insert(1), await insert(2), await insert(3)];
  await addEndpointFailures(sql, failing, { failures: 3, pauseSeconds: 0 });
  await addEndpointFailures(sql, paused, { failures: 0, pauseSeconds: 60 });
  const state = async (id: WebhookEndpointId) => {
    const { failures, failingSince, pausedUntil } = (await findWebhookEndpoint(sql, id)) ?? expect.fail('It is gone.');
    return { failures, failingSince, pausedUntil };
  };
  const NONE = { failures: 0, failingSince: null, pausedUntil: null };
  await endEndpointFailure(sql, failing);
  expect(await state(failing)).toEqual(NONE);
  expect(await state(paused)).toEqual({ ...NONE, pausedUntil: minute(1) });
  await endEndpointFailure(sql, paused);
  expect(await state(paused)).toEqual(NONE);
  const version = () => sql`select xmin::text from webhook_endpoint where endpoint_id = ${healthy}`;
  const before = await version();
  await endEndpointFailure(sql, healthy);
  expect(await version()).toEqual(before);
});

test('an endpoint that is enabled again has failed never', async () => {
  const { sql, insert } = await open();
  const [id, other] = [await insert(1), await insert(2)];
  for (const each of [id, other]) {
    await addEndpointFailures(sql, each, { failures: 3, pauseSeconds: 60 });
    await disableWebhookEndpoint(sql, each, 'FAILING');
  }
  expect(await inTransaction(sql, (tx) => enableWebhookEndpoint(tx, id))).toBe(true);
  const fresh = { disabledReason: null, disabledAt: null, failingSince: null, failures: 0, pausedUntil: null };
  expect(await findWebhookEndpoint(sql, id)).toMatchObject({ enabled: true, ...fresh });
  expect(await findWebhookEndpoint(sql, other)).toMatchObject({
    enabled: false,
    disabledReason: 'FAILING',
    failures: 3,
  });
  expect(await inTransaction(sql, (tx) => enableWebhookEndpoint(tx, newId()))).toBe(false);
});
