import { Webhook } from 'standardwebhooks';
import { describe, expect } from 'vitest';
import { createWebhookActivities } from '../../src/activities/index.ts';
import { type CorrelationId, newId } from '../../src/basics/ids.ts';
import {
  identifySubject,
  listHoldings,
  startSubjectErasure,
} from '../../src/domain/disconnecting/start-subject-erasure.ts';
import { createWebhookSecret } from '../../src/domain/webhooks/create-webhook-secret.ts';
import { createHttp } from '../../src/providers/http.ts';
import { WebhookEventBody } from '../../src/webhooks/event-schema.ts';
import { openStage } from '../kit/activity-stage.ts';
import { runActivity } from '../kit/deps.ts';
import { asApi, asWorker, type Database, inTransaction, test as postgresTest } from '../kit/postgres.ts';
import { moveConnection, type SubjectScope, seedScope } from '../kit/seed.ts';
import { moveAttemptToEnd } from '../kit/seed-attempts.ts';
import { requestRedeliveries, seedEndpoint, seedEndpointSecret } from '../kit/seed-endpoint.ts';
import { answerWith, openReceiver, type Receiver } from '../kit/webhook-receiver.ts';

const test = postgresTest.extend<{ receivers: readonly [Receiver, Receiver] }>({
  receivers: async ({}, use) => {
    const receivers = [await openReceiver(), await openReceiver()] as const;
    await use(receivers);
    await Promise.all(receivers.map((receiver) => receiver.close()));
  },
});

/** An app that gets all events. `take` sends due events, and verifies those that arrived since with Standard Webhooks' own library. */
async function openApp(sql: Database, receiver: Receiver) {
  const stage = await openStage(sql);
  const { appId } = stage.seeded.app;
  const { secret, ...sealed } = await createWebhookSecret(stage.deps.vault.sealEdge);
  const endpointId = await seedEndpoint(sql, appId, { url: receiver.url });
  await seedEndpointSecret(sql, endpointId, sealed);
  const webhookHttp = createHttp({ production: false, userAgent: 'webhook-tests/1' });
  const { sendDueWebhooks } = createWebhookActivities({ ...stage.deps, webhookHttp });
  const verifier = new Webhook(secret.reveal());
  const take = async () => {
    await runActivity(sendDueWebhooks, { endpointId });
    return receiver.received.splice(0).map(({ body, headers }) => {
      verifier.verify(body, headers);
      return WebhookEventBody.parse(JSON.parse(body));
    });
  };
  const happen = async (scope: SubjectScope) => {
    const { connectionId, scopeId } = await stage.newConnection({ scope });
    return { connectionId, scopeId, scope };
  };
  const redeliver = async () => {
    await inTransaction(asApi(sql), (tx) => requestRedeliveries(tx, endpointId, new Date(0), { failedOnly: false }));
    return await take();
  };
  const erasePerson = async (scope: SubjectScope) => {
    const scopeId = await seedScope(sql, stage.seeded, scope);
    const subject = identifySubject(stage.deps.mac, appId, scopeId, scope);
    await inTransaction(asApi(sql), async (tx) => {
      const held = await listHoldings(tx, scopeId);
      await startSubjectErasure(stage.deps, tx, scope, subject, held, newId<CorrelationId>());
    });
  };
  return { stage, endpointId, take, redeliver, happen, erasePerson };
}

const scopesOf = (events: readonly { type: string; data: object }[]) =>
  events.map(({ type, data }) => [type, 'scope' in data ? data.scope : 'none']);

describe("an event carries the caller's own scope", () => {
  test('of its person only, though two apps have two tenants with the same subject', async ({ sql, receivers }) => {
    const [one, two] = await Promise.all(receivers.map((receiver) => openApp(sql, receiver)));
    if (one === undefined || two === undefined) throw new Error('Two apps were expected.');
    const [north, south] = ['north', 'south'].map((tenantKey) => ({ tenantKey, externalSubjectId: 'Ünï "17"' }));
    if (north === undefined || south === undefined) throw new Error('Two tenants were expected.');
    await one.happen(north);
    await one.happen(south);
    const { connectionId } = await two.happen(north);
    await moveConnection(asWorker(sql), connectionId, 'RECONNECT_REQUIRED');
    expect(scopesOf(await one.take())).toEqual([
      ['connection.connected', north],
      ['connection.connected', south],
    ]);
    expect(scopesOf(await two.take())).toEqual([
      ['connection.connected', north],
      ['connection.reconnect_required', north],
    ]);
    expect(scopesOf(await one.redeliver())).toEqual([
      ['connection.connected', north],
      ['connection.connected', south],
    ]);
  });

  test('no more after the erase of the person, also in the tries and redeliveries of earlier events', async ({
    sql,
    receivers: [receiver],
  }) => {
    const { stage, take, redeliver, happen, erasePerson } = await openApp(sql, receiver);
    const [erased, kept] = [stage.seeded.newScope(), stage.seeded.newScope()];
    const first = await happen(erased);
    const attempt = await stage.newAttempt({ scopeId: first.scopeId });
    await moveAttemptToEnd(asWorker(sql), attempt.attemptId, { status: 'FAILED', resultCode: 'EXCHANGE_FAILED' });
    const second = await happen({ ...kept, externalSubjectId: erased.externalSubjectId, tenantKey: 'another' });
    receiver.answer(answerWith(500));
    expect(scopesOf(await take())).toEqual([
      ['connection.connected', erased],
      ['connect_session.finished', erased],
      ['connection.connected', second.scope],
    ]);
    receiver.answer(answerWith(204));
    await erasePerson(erased);
    const after = await redeliver();
    expect(scopesOf(after)).toEqual(
      after.map(({ type, data }) => [type, data.connectionId === second.connectionId ? second.scope : 'none']),
    );
    expect(after.map(({ type }) => type)).toEqual(
      expect.arrayContaining(['connection.connected', 'connect_session.finished', 'connection.disconnected']),
    );
    expect(after.filter(({ data }) => data.connectionId === second.connectionId)).toHaveLength(1);
  });
});
