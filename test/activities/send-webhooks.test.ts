import { gzipSync } from 'node:zlib';
import { MockActivityEnvironment } from '@temporalio/testing';
import { afterEach, beforeEach, describe, expect } from 'vitest';
import { verifyWebhook } from '../../clients/typescript/src/webhooks.ts';
import { createWebhookActivities } from '../../src/activities/index.ts';
import { createWebhookSecret } from '../../src/domain/webhooks/create-webhook-secret.ts';
import { createHttp } from '../../src/providers/http.ts';
import { openStage, type Stage } from '../kit/activity-stage.ts';
import { stretch } from '../kit/busy.ts';
import { DAY_MS, HOUR_MS, moveClock, SECOND_MS } from '../kit/clock.ts';
import { runActivity } from '../kit/deps.ts';
import { WAIT_LIMIT_MS } from '../kit/limits.ts';
import { asApi, asWorker, type Database, inTransaction, test as postgresTest } from '../kit/postgres.ts';
import { moveConnection, releaseClock } from '../kit/seed.ts';
import {
  addTwinsOfEvents,
  disableWebhookEndpoint,
  enableWebhookEndpoint,
  findWebhookEndpoint,
  insertTestEvent,
  retireWebhookSecret,
  seedEndpoint,
  seedEndpointSecret,
} from '../kit/seed-endpoint.ts';
import {
  answerWith,
  floodHeads,
  hang,
  openReceiver,
  type Receiver,
  sendRaw,
  trickle,
  trickleRaw,
} from '../kit/webhook-receiver.ts';

const test = postgresTest.extend<{ receiver: Receiver }>({
  receiver: async ({}, use) => {
    const receiver = await openReceiver();
    await use(receiver);
    await receiver.close();
  },
});

beforeEach<{ sql: Database }>(({ sql }) => moveClock(sql, 0));
afterEach<{ sql: Database }>(async ({ sql }) => {
  await releaseClock(sql);
  await sql`drop table test_clock`;
});

/** An app with one endpoint, and the activity that sends to it. */
async function open(sql: Database, url: string, { timeoutMs = WAIT_LIMIT_MS } = {}) {
  const stage = await openStage(sql);
  const { appId } = stage.seeded.app;
  const webhookHttp = createHttp({ production: false, userAgent: 'webhook-tests/1' });
  const { sendDueWebhooks } = createWebhookActivities({ ...stage.deps, webhookHttp, webhookTimeoutMs: timeoutMs });
  const eventTypes = ['connection.suspended', 'connection.resumed'] as const;
  const endpointId = await seedEndpoint(sql, appId, { url, eventTypes });
  const addSecret = async () => {
    const { secret, ...sealed } = await createWebhookSecret(stage.deps.vault.sealEdge);
    return { secretId: await seedEndpointSecret(sql, endpointId, sealed), text: secret.reveal() };
  };
  const scope = stage.seeded.newScope();
  const { connectionId } = await stage.newConnection({ scope });
  return {
    stage,
    endpointId,
    scope,
    addSecret,
    secret: await addSecret(),
    /** Two events: a suspension and its end. */
    happen: async (status: 'SUSPENDED' | 'CONNECTED') => {
      await moveConnection(asWorker(sql), connectionId, status);
      await addTwinsOfEvents(sql, appId);
    },
    send: () => runActivity(sendDueWebhooks, { endpointId }),
    /** As the next attempt of an activity whose worker has died. */
    sendAfter: (heartbeatDetails: unknown) =>
      new MockActivityEnvironment({ heartbeatDetails }).run(sendDueWebhooks, { endpointId }),
    connectionId,
    endpoint: () => findWebhookEndpoint(sql, endpointId),
    deliveries: () => listDeliveries(stage, endpointId),
  };
}

const listDeliveries = async ({ sql }: Stage, endpointId: string) =>
  await sql`
    select delivery_id, event_id, status, tries, last_http_status, last_failure,
      round(extract(epoch from next_retry_at - business_now()))::int as wait_seconds
    from webhook_delivery where endpoint_id = ${endpointId} order by occurred_at, delivery_id
  `;

describe('a webhook', () => {
  test('arrives signed, with its id, type, connection, number and instant, and is sent once', async ({
    sql,
    receiver,
  }) => {
    const { happen, send, secret, deliveries, endpoint, scope } = await open(sql, receiver.url);
    await happen('SUSPENDED');
    expect(await send()).toMatchObject({ waitSeconds: null, paused: false });
    const [webhook] = receiver.received;
    if (webhook === undefined) throw new Error('Nothing arrived.');
    const [row] = await sql`select * from webhook_event where event_id = ${webhook.headers['webhook-id'] ?? ''}`;
    expect(await verifyWebhook(webhook, secret.text)).toEqual({
      id: row?.eventId,
      type: 'connection.suspended',
      timestamp: row?.occurredAt.toISOString(),
      data: {
        connectionId: row?.connectionId,
        sequence: Number(row?.sequence),
        scope,
        provider: 'PROVIDER_B',
        status: 'SUSPENDED',
        reason: 'ACCOUNT_DISCONNECTING',
      },
    });
    expect(webhook.headers).toMatchObject({ 'content-type': 'application/json', 'user-agent': 'webhook-tests/1' });
    await send();
    expect(receiver.received).toHaveLength(1);
    expect(await deliveries()).toMatchObject([
      { status: 'DELIVERED', tries: 1, lastHttpStatus: 204, waitSeconds: null },
    ]);
    expect(await endpoint()).toMatchObject({ failures: 0, failingSince: null });
  });

  test('is signed with both secrets while they are rotated, also when one is retired between two tries', async ({
    sql,
    receiver,
  }) => {
    const { happen, send, secret, addSecret, endpointId } = await open(sql, receiver.url);
    const next = await addSecret();
    receiver.answer(answerWith(500));
    await happen('SUSPENDED');
    await send();
    await inTransaction(asApi(sql), (tx) => retireWebhookSecret(tx, endpointId, secret.secretId, 0));
    receiver.answer(answerWith(200));
    await moveClock(sql, 6 * SECOND_MS);
    await send();
    const [first, second] = receiver.received;
    if (first === undefined || second === undefined) throw new Error('Two tries were expected.');
    expect(first.headers['webhook-id']).toBe(second.headers['webhook-id']);
    for (const text of [secret.text, next.text]) await verifyWebhook(first, text);
    await verifyWebhook(second, next.text);
    await expect(verifyWebhook(second, secret.text)).rejects.toThrow('No signature');
  });

  test('is tried again on the schedule of Standard Webhooks, ten times over three days', async ({ sql, receiver }) => {
    const { happen, send, deliveries } = await open(sql, receiver.url);
    receiver.answer(answerWith(500));
    await happen('SUSPENDED');
    const waits: number[] = [];
    for (let tries = 1; tries <= 9; tries += 1) {
      await send();
      const [row] = await deliveries();
      expect(row).toMatchObject({ status: 'PENDING', tries, lastHttpStatus: 500 });
      waits.push(row?.waitSeconds);
      await moveClock(sql, (row?.waitSeconds + 1) * SECOND_MS);
    }
    const hours = 3_600;
    const schedule = [5, 300, 1_800, 2 * hours, 5 * hours, 10 * hours, 14 * hours, 20 * hours, 24 * hours];
    for (const [index, wait] of waits.entries()) {
      expect(wait).toBeGreaterThanOrEqual(schedule[index] ?? 0);
      expect(wait).toBeLessThanOrEqual((schedule[index] ?? 0) * 1.1 + 1);
    }
    await send();
    expect(await deliveries()).toMatchObject([{ status: 'FAILED', tries: 10, waitSeconds: null }]);
    expect(new Set(receiver.ids()).size).toBe(1);
  });

  test('is not sent unsigned when no secret of its endpoint opens', async ({ sql, receiver }) => {
    const { happen, send, endpointId, deliveries } = await open(sql, receiver.url);
    await sql`update webhook_secret set sealed_secret = 'broken' where endpoint_id = ${endpointId}`;
    await happen('SUSPENDED');
    await send();
    expect(receiver.received).toEqual([]);
    expect(await deliveries()).toMatchObject([{ status: 'PENDING', lastFailure: 'NO_SECRET' }]);
  });
});

describe('an endpoint', () => {
  test('that answers 410 is disabled at once, and its waiting events are sent when it is enabled', async ({
    sql,
    receiver,
  }) => {
    const { happen, send, endpoint, endpointId, deliveries } = await open(sql, receiver.url);
    receiver.answer(answerWith(410));
    await happen('SUSPENDED');
    expect(await send()).toMatchObject({ waitSeconds: null, paused: false });
    expect(await endpoint()).toMatchObject({ enabled: false, disabledReason: 'GONE' });
    expect(await deliveries()).toMatchObject([{ status: 'FAILED', lastHttpStatus: 410 }]);
    await happen('CONNECTED'); // No endpoint wants it.
    expect(await deliveries()).toHaveLength(1);
    await inTransaction(asApi(sql), (tx) => enableWebhookEndpoint(tx, endpointId));
    receiver.answer(answerWith(204));
    await happen('SUSPENDED');
    await send();
    expect(await deliveries()).toMatchObject([{ status: 'FAILED' }, { status: 'DELIVERED' }]);
  });

  test('that is enabled and still answers 410 fails one waiting event, and the others follow when it accepts one', async ({
    sql,
    receiver,
  }) => {
    const { happen, send, endpointId, deliveries } = await open(sql, receiver.url);
    for (const status of ['SUSPENDED', 'CONNECTED', 'SUSPENDED'] as const) await happen(status);
    const enable = () => inTransaction(asApi(sql), (tx) => enableWebhookEndpoint(tx, endpointId));
    await disableWebhookEndpoint(asApi(sql), endpointId, 'OPERATOR');
    await enable();
    receiver.answer(answerWith(410));
    await send();
    const statuses = async () => (await deliveries()).map(({ status }) => status).sort();
    expect(await statuses()).toEqual(['FAILED', 'PENDING', 'PENDING']);
    await enable();
    receiver.answer(answerWith(204));
    await send();
    expect(await statuses()).toEqual(['DELIVERED', 'DELIVERED', 'FAILED']);
  });

  test.for([
    { status: 429, header: '120', wait: 120 },
    { status: 503, header: '999999', wait: 3_600 },
    { status: 503, header: '0', wait: 1 },
    { status: 503, header: new Date(Date.now() + 3_650 * DAY_MS).toUTCString(), wait: 3_600 },
  ])(
    'that answers $status with Retry-After $header gets nothing for $wait s, and no try is counted',
    async ({ status, header, wait }, { sql, receiver }) => {
      const { happen, send, deliveries } = await open(sql, receiver.url);
      receiver.answer(answerWith(status, { 'retry-after': header }));
      await happen('SUSPENDED');
      expect(await send()).toMatchObject({ waitSeconds: wait, paused: true });
      await happen('CONNECTED');
      expect(await send()).toMatchObject({ waitSeconds: wait, paused: true });
      expect(receiver.received).toHaveLength(1);
      expect(await deliveries()).toMatchObject([{ status: 'PENDING', tries: 0, lastHttpStatus: status }, { tries: 0 }]);
      receiver.answer(answerWith(204));
      await moveClock(sql, (wait + 1) * SECOND_MS);
      await send();
      expect(await deliveries()).toMatchObject([{ status: 'DELIVERED' }, { status: 'DELIVERED' }]);
    },
  );

  test('that fails for three days is disabled; events wait for it, and are sent when it works again', async ({
    sql,
    receiver,
  }) => {
    const { happen, send, endpoint, endpointId, deliveries } = await open(sql, receiver.url);
    receiver.answer(answerWith(502));
    await happen('SUSPENDED');
    await send();
    await moveClock(sql, 2 * DAY_MS);
    await happen('CONNECTED');
    await send();
    expect(await endpoint()).toMatchObject({ enabled: true, failures: 3 });
    await moveClock(sql, DAY_MS);
    await send();
    expect(await endpoint()).toMatchObject({ enabled: false, disabledReason: 'FAILING' });
    await happen('SUSPENDED');
    expect((await deliveries()).map(({ status }) => status)).toEqual(['PENDING', 'PENDING', 'PENDING']);
    expect(await send()).toMatchObject({ waitSeconds: null, paused: false });
    receiver.answer(answerWith(200));
    await inTransaction(asApi(sql), (tx) => enableWebhookEndpoint(tx, endpointId));
    expect(await endpoint()).toMatchObject({
      ...{ enabled: true, disabledReason: null, failures: 0, failingSince: null },
      pastFailures: { tries: 5, lastAnswer: 'HTTP_502' },
    });
    await moveClock(sql, HOUR_MS); // The second try of the older ones was due by then.
    await send();
    expect((await deliveries()).map(({ status }) => status)).toEqual(['DELIVERED', 'DELIVERED', 'DELIVERED']);
  });

  test('that works again shows its last failure for a while, and none of fewer than three tries', async ({
    sql,
    receiver,
  }) => {
    const { happen, send, endpoint } = await open(sql, receiver.url);
    const failIn = async (answers: readonly number[]) => {
      for (const status of answers) {
        receiver.answer(answerWith(status));
        await happen(status === 500 ? 'SUSPENDED' : 'CONNECTED');
        await send();
        await moveClock(sql, HOUR_MS);
      }
      const { failingSince, pastFailures } = (await endpoint()) ?? {};
      expect(pastFailures).toBeNull();
      receiver.answer(answerWith(204));
      await send();
      return { failingSince, after: await endpoint() };
    };
    const { failingSince, after } = await failIn([500, 503]);
    const until = new Date(Number(failingSince) + 2 * HOUR_MS);
    expect(after).toMatchObject({
      ...{ failures: 0, failingSince: null, lastAnswer: null },
      pastFailures: { tries: 3, lastAnswer: expect.stringMatching(/^HTTP_50[03]$/), since: failingSince },
    });
    expect(Math.abs(Number(after?.pastFailures?.until) - until.getTime())).toBeLessThan(60 * SECOND_MS);
    expect((await failIn([500])).after?.pastFailures).toEqual(after?.pastFailures);
    await moveClock(sql, 20 * HOUR_MS);
    expect(await endpoint()).not.toMatchObject({ pastFailures: null });
    await moveClock(sql, DAY_MS + HOUR_MS);
    expect(await endpoint()).toMatchObject({ pastFailures: null });
  });

  test('is in the log once when it begins to fail', async ({ sql, receiver }) => {
    const { happen, send, stage, endpointId } = await open(sql, receiver.url);
    receiver.answer(answerWith(500));
    const message = 'A webhook endpoint has begun to fail: its events wait and are sent again';
    await happen('SUSPENDED');
    for (const _round of ['first', 'second']) {
      await send();
      const lines = stage.deps.lines.map((line) => JSON.parse(line)).filter((line) => line.endpointId === endpointId);
      expect(lines).toMatchObject([{ message }]);
      await moveClock(sql, HOUR_MS);
    }
  });

  test('that accepts a test event gets every waiting event at once', async ({ sql, receiver }) => {
    const { happen, send, deliveries, endpointId, stage } = await open(sql, receiver.url);
    receiver.answer(answerWith(500));
    for (const status of ['SUSPENDED', 'CONNECTED'] as const) {
      await happen(status);
      await moveClock(sql, 10 * SECOND_MS);
      await send();
    }
    expect((await deliveries()).map(({ waitSeconds }) => waitSeconds > 0)).toEqual([true, true]);
    receiver.answer(answerWith(204));
    await inTransaction(asApi(sql), (tx) => insertTestEvent(tx, endpointId));
    expect(await send()).toMatchObject({ waitSeconds: null });
    expect((await deliveries()).map(({ status }) => status)).toEqual(['DELIVERED', 'DELIVERED', 'DELIVERED']);
    const lines = stage.deps.lines.map((line) => JSON.parse(line));
    expect(lines.find(({ message }) => message === 'A webhook endpoint accepts events again')).toMatchObject({
      failingSince: expect.any(String),
    });
  });

  test('with one event that it always refuses still gets the others at once', async ({ sql, receiver }) => {
    const { happen, send, deliveries, endpoint } = await open(sql, receiver.url);
    receiver.answer((response, { body }) => void response.writeHead(body.includes('resumed') ? 200 : 400).end());
    for (const status of ['SUSPENDED', 'CONNECTED', 'SUSPENDED', 'CONNECTED'] as const) await happen(status);
    await send();
    expect((await deliveries()).map(({ status }) => status).toSorted()).toEqual([
      'DELIVERED',
      'DELIVERED',
      'PENDING',
      'PENDING',
    ]);
    expect(await endpoint()).toMatchObject({ failures: 0, failingSince: null });
  });
});

const failed = (lastFailure: unknown) => ({ status: 'PENDING', lastHttpStatus: null, lastFailure });
const TIMED_OUT = failed('TIMEOUT');
const DELIVERED = { status: 'DELIVERED', lastHttpStatus: 200, lastFailure: null };
/** What an endpoint may do, and what its delivery shows: the status counts as soon as it is there. */
const MISBEHAVIOR: readonly (readonly [string, Parameters<Receiver['answer']>[0], object])[] = [
  ['never answers', hang, TIMED_OUT],
  ['sends its headers byte by byte', trickleRaw('HTTP/1.1 200 OK\r\nx-endless: '), TIMED_OUT],
  ['answers no HTTP', sendRaw('hello\r\n\r\n'), failed(expect.toBeOneOf(['ANSWER_INVALID', 'CONNECTION_FAILED']))],
  ['sends endless headers', sendRaw(`HTTP/1.1 200 OK\r\n${'x-long: a\r\n'.repeat(20_000)}`), failed('ANSWER_INVALID')],
  ['sends thousands of informational heads before it says 200', floodHeads, failed('ANSWER_INVALID')],
  [
    'redirects to a private address',
    answerWith(307, { location: 'http://169.254.169.254/latest/meta-data' }),
    { status: 'PENDING', lastHttpStatus: 307, lastFailure: null },
  ],
  ['answers byte by byte without an end', trickle, DELIVERED],
  [
    'answers a few bytes that unpack to 100 MB',
    answerWith(200, { 'content-encoding': 'gzip' }, gzipSync(Buffer.alloc(100_000_000))),
    DELIVERED,
  ],
  ['promises a longer answer', sendRaw('HTTP/1.1 200 OK\r\ncontent-length: 999\r\n\r\nok'), DELIVERED],
];
test.for(MISBEHAVIOR)(
  'an endpoint that %s gets its event once, and delays no other delivery',
  async ([, answer, expected], { sql, receiver }) => {
    const timeoutMs = expected === TIMED_OUT ? 500 : WAIT_LIMIT_MS;
    const { happen, send, deliveries } = await open(sql, receiver.url, { timeoutMs });
    receiver.answer(answer);
    await happen('SUSPENDED');
    const startedAtMs = performance.now();
    await send();
    expect(performance.now() - startedAtMs).toBeLessThan(stretch(2_000));
    expect(await deliveries()).toMatchObject([{ tries: 1, ...expected }]);
    expect(receiver.received).toHaveLength(1);
  },
);

test('an endpoint that begins to fail gets twenty further events at most; the others keep their tries and last answer', async ({
  sql,
  receiver,
}) => {
  const { send, endpointId, deliveries, stage } = await open(sql, receiver.url);
  await sql`
    with event as (
      insert into webhook_event (app_id, type, data)
      select ${stage.seeded.app.appId}, 'job.finished', '{}' from generate_series(1, 300)
      returning event_id, app_id, type
    )
    insert into webhook_delivery (event_id, endpoint_id, app_id, event_type, tries, last_failure)
    select event_id, ${endpointId}, app_id, type, 3, 'TIMEOUT' from event
  `;
  receiver.answer((response) => void response.writeHead(receiver.received.length <= 75 ? 204 : 500).end());
  expect(await send()).toMatchObject({ paused: true });
  expect(receiver.received.length).toBeLessThanOrEqual(75 + 20);
  const waiting = (await deliveries()).filter(({ status }) => status === 'PENDING');
  expect(waiting).toHaveLength(300 - 75);
  const untried = waiting.filter(({ lastHttpStatus }) => lastHttpStatus === null);
  expect(untried.length).toBeGreaterThanOrEqual(200);
  for (const each of untried) expect(each).toMatchObject({ tries: 3, lastFailure: 'TIMEOUT' });
});

test('a sender tells what a worker that died has sent', async ({ sql, receiver }) => {
  const { sendAfter, connectionId } = await open(sql, receiver.url);
  expect(await sendAfter([[connectionId, 7]])).toMatchObject({ told: [[connectionId, 7]] });
});

test('a sender tells the last event that an endpoint received of each connection', async ({ sql, receiver }) => {
  const { happen, send, connectionId } = await open(sql, receiver.url);
  expect(await send()).toEqual({ waitSeconds: null, paused: false });
  await happen('SUSPENDED');
  await happen('CONNECTED');
  const [last] = await sql`
    select max(sequence)::float8 as sequence from webhook_event where connection_id = ${connectionId}
  `;
  expect((await send()).told).toEqual([[connectionId, last?.sequence]]);
  expect(await send()).toEqual({ waitSeconds: null, paused: false });
});
