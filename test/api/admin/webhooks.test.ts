import { randomUUID } from 'node:crypto';
import { describe, expect } from 'vitest';
import type { WebhookEndpointId } from '../../../src/basics/ids.ts';
import { isPermitted } from '../../../src/domain/rules/roles.ts';
import { takeDueDeliveries, updateTriedDeliveries } from '../../../src/store/webhooks/due-deliveries.ts';
import { associatedData } from '../../../src/vault/associated-data.ts';
import { businessNow, MINUTE_MS, moveClock } from '../../kit/clock.ts';
import { OPERATIONS, requestOf, selectAll } from '../../kit/every-operation.ts';
import { createTestAdmin, type Operator, Refusal, refusalOf, type TestAdmin } from '../../kit/operator.ts';
import { asWorker, test } from '../../kit/postgres.ts';
import { moveConnection, releaseClock, type SeededApp, seedApp, seedConnection } from '../../kit/seed.ts';

let admin: TestAdmin;
let operator: Operator;
let seeded: SeededApp;

test.beforeEach(async ({ database }) => {
  admin ??= await createTestAdmin(database.sql);
  operator = admin.as('ADMIN');
  seeded = await seedApp(database.sql);
});

const DETAILS = `id appId appName url eventTypes enabled disabledReason failures secrets { id createdAt retiresAt }
  workflowId workflowUrl`;
const URL = 'https://caller.example/webhooks?token=hush';

const create = async (more: object = {}, as = operator) => {
  const input = { appId: seeded.app.appId, url: URL, ...more };
  return await as.run('createWebhookEndpoint', { input }, `endpoint { ${DETAILS} } secret`);
};

const run = async (name: string, args: Record<string, unknown>, fields = 'id', as = operator) =>
  await as.run(name, args, fields);

const list = async (filter: object) =>
  (
    await operator.run(
      'webhookDeliveries',
      { filter },
      'items { id eventId eventType endpointId endpointUrl appId status tries lastHttpStatus lastFailure { code message } finishedAt }',
    )
  ).items;

describe('a webhook endpoint', () => {
  test('shows its secret once and stores it sealed for api and worker', async ({ sql }) => {
    const input = { idempotencyKey: randomUUID() };
    const { endpoint, secret } = await create(input);
    expect(endpoint).toMatchObject({
      appId: seeded.app.appId,
      url: URL,
      enabled: true,
      disabledReason: null,
      secrets: [{ id: expect.any(String), retiresAt: null }],
      workflowId: `webhooks/${endpoint.id}`,
    });
    expect(endpoint.eventTypes).toContain('connection.connected');
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    const [row] = await sql`select secret_id, sealed_secret from webhook_secret where endpoint_id = ${endpoint.id}`;
    const opened = await admin.openEdge(row?.sealedSecret, associatedData.webhookSecret(row?.secretId));
    expect(opened.reveal()).toBe(secret);
    expect(admin.lines.join('\n')).not.toContain(secret);
    expect(admin.lines.join('\n')).not.toContain('hush'); // URLs may contain a secret of the app.
    expect(await create(input)).toMatchObject({ endpoint: { id: endpoint.id }, secret: null });
  });

  test('must have an allowed URL and known types, and an app has ten at most', async () => {
    const refused = async (more: object) => (await refusalOf(create(more))).message;
    expect(await refused({ url: 'http://caller.example/' })).toBe(
      'BAD_USER_INPUT: input.url must begin with https://.',
    );
    expect(await refused({ url: 'https://a:b@caller.example/' })).toBe(
      'BAD_USER_INPUT: input.url must not contain credentials.',
    );
    expect(await refused({ eventTypes: [] })).toMatch(/^BAD_USER_INPUT: .*eventTypes must name at least one/);
    expect(await refused({ eventTypes: ['webhook.test'] })).toMatch(/^BAD_USER_INPUT: .*must be a type of event/);
    expect(await refused({ appId: randomUUID() })).toMatch(/^NOT_FOUND/);
    for (let i = 0; i < 10; i += 1) await create({ url: 'http://127.0.0.1:8070/webhooks' }); // Development.
    expect(await refused({})).toBe('BAD_USER_INPUT: The app has ten endpoints already. Remove one.');
  });

  test('is changed, disabled, enabled and removed, and listed by app and by trouble', async ({ sql }) => {
    const { endpoint } = await create();
    const id = endpoint.id;
    const changed = await run('changeWebhookEndpoint', { id, eventTypes: ['job.finished'] }, 'url eventTypes');
    expect(changed).toEqual({ url: URL, eventTypes: ['job.finished'] });
    const troubled = async () =>
      (
        await operator.run(
          'troubledWebhookEndpoints',
          { first: 100 },
          'items { id appId disabledReason appName lastAnswer }',
        )
      ).items.filter((one: { appId: string }) => one.appId === seeded.app.appId);
    expect(await troubled()).toEqual([]);
    const asOperator = admin.as('OPERATOR');
    expect(await run('disableWebhookEndpoint', { id }, 'enabled disabledReason', asOperator)).toEqual({
      enabled: false,
      disabledReason: 'OPERATOR',
    });
    expect(await troubled()).toMatchObject([
      { id, disabledReason: 'OPERATOR', appName: endpoint.appName, lastAnswer: null },
    ]);
    await sql`update webhook_endpoint set disabled_reason = 'GONE' where endpoint_id = ${id}`;
    expect(await troubled()).toMatchObject([{ id, disabledReason: 'GONE', lastAnswer: 'HTTP_410' }]);
    expect((await refusalOf(run('sendTestWebhook', { id }))).message).toMatch(/^BAD_USER_INPUT: .* is disabled/);
    const before = admin.deliveryRequests();
    expect(await run('enableWebhookEndpoint', { id }, 'enabled', asOperator)).toEqual({ enabled: true });
    expect(admin.deliveryRequests()).toBeGreaterThan(before);
    expect(await troubled()).toEqual([]);
    const ofApp = '($id: ID!) { webhookEndpoints(appId: $id) { id } }';
    expect(await operator(`query ${ofApp}`, { id: seeded.app.appId })).toEqual({ webhookEndpoints: [{ id }] });
    await run('removeWebhookEndpoint', { id });
    expect(await operator(`query ${ofApp}`, { id: seeded.app.appId })).toEqual({ webhookEndpoints: [] });
  });

  test('has two secrets while one replaces the other', async () => {
    const { endpoint, secret: first } = await create();
    const id = endpoint.id;
    const [{ id: firstId }] = endpoint.secrets;
    expect((await refusalOf(run('retireWebhookSecret', { id, secretId: firstId }))).message).toBe(
      'BAD_USER_INPUT: This is the only secret that stays. Rotate the secret first.',
    );
    const idempotencyKey = randomUUID();
    const { secret } = await run('rotateWebhookSecret', { id, idempotencyKey }, 'secret');
    expect(secret).toMatch(/^whsec_/);
    expect(secret).not.toBe(first);
    expect(await run('rotateWebhookSecret', { id, idempotencyKey }, 'secret')).toEqual({ secret: null });
    expect((await refusalOf(run('rotateWebhookSecret', { id }, 'secret'))).code).toBe('BAD_USER_INPUT');
    const later = await run(
      'retireWebhookSecret',
      { id, secretId: firstId, afterHours: 24 },
      'secrets { id retiresAt }',
    );
    expect(later.secrets).toEqual([
      { id: firstId, retiresAt: expect.any(String) },
      { id: expect.any(String), retiresAt: null },
    ]);
    const last = { id, secretId: later.secrets[1].id };
    expect((await refusalOf(run('retireWebhookSecret', last))).message).toMatch(/only secret that stays/);
    const left = await run('retireWebhookSecret', { id, secretId: firstId }, 'secrets { id }');
    expect(left.secrets).toEqual([{ id: later.secrets[1].id }]);
    expect((await refusalOf(run('retireWebhookSecret', { id, secretId: firstId }))).code).toBe('NOT_FOUND');
  });

  test('that is paused holds its deliveries, which say so, and counts them', async ({ sql }) => {
    const [{ endpoint }, other] = [await create(), await create()];
    const waitingOf = async ({ id }: { id: string }) =>
      (await operator.run('webhookEndpoint', { id }, 'waiting { count since }')).waiting;
    expect(await waitingOf(endpoint)).toBeNull();
    const { id, occurredAt: since } = await run('sendTestWebhook', { id: endpoint.id }, 'id occurredAt');
    await run('sendTestWebhook', { id: endpoint.id });
    expect([await waitingOf(endpoint), await waitingOf(other.endpoint)]).toEqual([{ count: 2, since }, null]);
    const holds = async () =>
      (await operator.run('webhookDelivery', { id }, 'waitsForEndpoint')).waitsForEndpoint as boolean;
    for (const [minutes, isHeld] of [
      [12, true],
      [-1, false],
    ] as const) {
      await sql`update webhook_endpoint set failing_since = business_now(), failures = 3,
        paused_until = business_now() + make_interval(mins => ${minutes}) where endpoint_id = ${endpoint.id}`;
      expect(await holds()).toBe(isHeld);
    }
  });

  test('shows a viewer no more of its URL than the origin, in every query of the schema', async ({ sql }) => {
    const { endpoint } = await create();
    const { app } = await seedApp(sql);
    const plain = await create({ appId: app.appId, url: 'https://caller.example' });
    const { id: deliveryId } = await run('sendTestWebhook', { id: endpoint.id });
    await sql`update webhook_endpoint set enabled = false, disabled_reason = 'OPERATOR', disabled_at = business_now()
      where endpoint_id = ${endpoint.id}`;
    const given: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
      app: { id: seeded.app.appId },
      auditLog: { filter: { target: endpoint.id } },
      webhookDelivery: { id: deliveryId },
      webhookDeliveries: { filter: { endpointId: endpoint.id } },
      webhookEndpoint: { id: endpoint.id },
      webhookEndpoints: { appId: seeded.app.appId },
      troubledWebhookEndpoints: { first: 100 },
      find: { text: endpoint.id },
    };
    const masked: string[] = [];
    for (const operation of OPERATIONS) {
      if (operation.kind !== 'query' || !isPermitted('VIEWER', operation.name)) continue;
      const { text, variables } = requestOf(operation, given[operation.name], selectAll(operation));
      const answer = await admin
        .as('VIEWER')(text, variables)
        .catch((error: unknown) => {
          if (!(error instanceof Refusal) || error.code !== 'NOT_FOUND' || given[operation.name]) throw error;
        });
      expect(JSON.stringify(answer ?? null), operation.name).not.toContain('hush');
      if (JSON.stringify(answer ?? null).includes('https://caller.example/…')) masked.push(operation.name);
    }
    expect(masked.sort()).toEqual([
      'troubledWebhookEndpoints',
      'webhookDeliveries',
      'webhookDelivery',
      'webhookEndpoint',
      'webhookEndpoints',
    ]);
    const READ = `query ($id: ID!, $plain: ID!, $delivery: ID!) {
      webhookEndpoint(id: $id) { url } plain: webhookEndpoint(id: $plain) { url } webhookDelivery(id: $delivery) { endpointUrl } }`;
    const ids = { id: endpoint.id, plain: plain.endpoint.id, delivery: deliveryId };
    expect((await admin.as('VIEWER')(READ, ids)).plain.url).toBe('https://caller.example');
    for (const role of ['OPERATOR', 'ADMIN'] as const) {
      const seen = await admin.as(role)(READ, ids);
      expect([seen.webhookEndpoint.url, seen.webhookDelivery.endpointUrl]).toEqual([URL, URL]);
    }
  });
});

describe('deliveries', () => {
  test('of a test event are listed and sent again on request', async ({ sql }) => {
    const { endpoint } = await create();
    const asOperator = admin.as('OPERATOR');
    const { id } = await run('sendTestWebhook', { id: endpoint.id }, 'id eventType status', asOperator);
    const waiting = { id, eventType: 'webhook.test', status: 'PENDING', tries: 0, lastFailure: null };
    expect(await list({ endpointId: endpoint.id, eventType: 'webhook.test' })).toMatchObject([waiting]);
    expect(await list({ endpointId: endpoint.id, status: 'FAILED' })).toEqual([]);

    const [due] = await takeDueDeliveries(asWorker(sql), endpoint.id, 1);
    if (due === undefined) throw new Error('Nothing was due.');
    const failed = { deliveryId: due.deliveryId, tries: due.tries, outcome: 'FAILED', pauseSeconds: null } as const;
    await updateTriedDeliveries(asWorker(sql), [{ ...failed, status: 500, failure: null, durationMs: 12 }]);
    expect(await list({ endpointId: endpoint.id, status: 'FAILED' })).toMatchObject([
      { lastFailure: { code: 'HTTP_500', message: 'The endpoint answered 500. It must answer 200 to 299.' } },
    ]);
    // Sent again, it has no old answer beside the new state.
    const again = 'status tries finishedAt lastTriedAt lastHttpStatus lastFailure { code }';
    const fresh = {
      ...{ status: 'PENDING', tries: 0, finishedAt: null },
      ...{ lastTriedAt: null, lastHttpStatus: null, lastFailure: null },
    };
    expect(await run('redeliverWebhook', { id }, again, asOperator)).toEqual(fresh);
    // Enabled, an endpoint gets at once what waits for its next try.
    const waitsForTry = async () =>
      (await sql`select from webhook_delivery where delivery_id = ${id} and next_retry_at > business_now()`).length ===
      1;
    await sql`update webhook_delivery set next_retry_at = business_now() + interval '1 hour' where delivery_id = ${id}`;
    await run('enableWebhookEndpoint', { id: endpoint.id }, 'id', asOperator);
    expect(await waitsForTry()).toBe(false);
  });

  test('of all events since an instant are sent again, with those missed while it was disabled', async ({ sql }) => {
    const { endpoint } = await create({ eventTypes: ['connection.suspended'] });
    const { endpoint: other } = await create({ eventTypes: ['connection.resumed'] });
    const id = endpoint.id as WebhookEndpointId;
    const connectionId = await seedConnection(sql, seeded, { scope: seeded.newScope() });
    const happen = async () => {
      for (const status of ['SUSPENDED', 'CONNECTED'] as const)
        await moveConnection(asWorker(sql), connectionId, status);
    };
    try {
      await happen();
      await moveClock(sql, 30 * MINUTE_MS);
      const asOperator = admin.as('OPERATOR');
      await run('disableWebhookEndpoint', { id }, 'id', asOperator);
      await happen();
      const { connection } = await operator.run(
        'connection',
        { id: connectionId },
        'connection { createdAt changedAt }',
      );
      const [madeAt, changedAt] = [connection.createdAt, connection.changedAt].map((at) => Date.parse(at));
      expect((changedAt ?? 0) - (madeAt ?? 0)).toBeGreaterThanOrEqual(30 * MINUTE_MS);
      expect(await list({ endpointId: id })).toHaveLength(1);
      await run('enableWebhookEndpoint', { id }, 'id', asOperator);
      expect(await list({ endpointId: id })).toHaveLength(1); // An operator who disabled it chooses its events.
      const since = new Date((await businessNow(sql)).getTime() - 20 * MINUTE_MS).toISOString();
      const takeWakes = async () =>
        (await sql`delete from outbox where workflow_id like ${`%${id}`} returning 1`).length;
      await takeWakes();
      expect(
        await run('redeliverWebhooks', { id, since, dryRun: true }, 'dryRun count continueAt', asOperator),
      ).toEqual({ dryRun: true, count: 1, continueAt: null });
      expect([await takeWakes(), (await list({ endpointId: id })).length]).toEqual([0, 1]);
      expect(await run('redeliverWebhooks', { id, since }, 'count continueAt', asOperator)).toEqual({
        count: 1,
        continueAt: null,
      });
      expect(await takeWakes()).toBe(1);
      expect(await list({ endpointId: id, since })).toMatchObject([
        { eventType: 'connection.suspended', status: 'PENDING', tries: 0 },
      ]);
      expect(await list({ endpointId: id })).toHaveLength(2);
      expect(await list({ endpointId: other.id })).toHaveLength(2);
      expect((await refusalOf(run('redeliverWebhooks', { id, since: 'soon' }, 'count'))).code).toBe('BAD_USER_INPUT');
    } finally {
      await releaseClock(sql);
      await sql`drop table if exists test_clock`;
    }
  });
});
