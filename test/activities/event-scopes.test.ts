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
import { renderEvent } from '../../src/webhooks/render-event.ts';
import { openStage } from '../kit/activity-stage.ts';
import { runActivity } from '../kit/deps.ts';
import { asApi, asWorker, type Database, inTransaction, test as postgresTest } from '../kit/postgres.ts';
import { moveConnection, type SubjectScope, seedScope, updatePaused } from '../kit/seed.ts';
import { moveAttemptToEnd, moveIdentityAttemptToEnd, seedSignIn } from '../kit/seed-attempts.ts';
import {
  insertTestEvent,
  listWebhookEvents,
  requestRedeliveries,
  seedEndpoint,
  seedEndpointSecret,
} from '../kit/seed-endpoint.ts';
import { answerWith, openReceiver, type Receiver } from '../kit/webhook-receiver.ts';

const test = postgresTest.extend<{ receivers: readonly [Receiver, Receiver] }>({
  // biome-ignore lint/correctness/noEmptyPattern: the runner reads from it which fixtures this one needs.
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

  test('until its connection is erased, while another connection of the person keeps it', async ({
    sql,
    receivers: [receiver],
  }) => {
    const { stage, take, redeliver, happen } = await openApp(sql, receiver);
    const attempt = await stage.newExchangedAttempt();
    await runActivity(stage.activities.completeAttempt, { attemptId: attempt.attemptId });
    const [row] = await sql`
      select connection_id, tenant_key, external_subject_id from connection join scope using (scope_id)
      where scope_id = ${attempt.scopeId}
    `;
    const { connectionId, ...scope } = row as SubjectScope & { connectionId: Parameters<typeof stage.newScan>[0] };
    const other = await happen(scope);
    const { revokeJobId, eraseJobId } = await stage.disconnect({ connectionId, scopeId: attempt.scopeId });
    await runActivity(stage.activities.purgeContent, { connectionId, revokeJobId, eraseJobId });
    await runActivity(stage.activities.tryRevoke, { jobId: revokeJobId });
    const before = await take();
    expect(before.map(({ type }) => type).toSorted()).toEqual([
      'connect_session.finished',
      'connection.connected',
      'connection.connected',
      'connection.disconnected',
      'job.finished', // The first scan, canceled.
      'receipt.settled',
    ]);
    for (const [, of] of scopesOf(before)) expect(of).toEqual(scope);
    await runActivity(stage.activities.eraseConnection, { connectionId, eraseJobId });
    const after = await redeliver();
    expect(after).toHaveLength(8);
    expect(scopesOf(after)).toEqual(
      after.map(({ type, data }) => [type, data.connectionId === other.connectionId ? scope : 'none']),
    );
  });

  test('if it has a person: not with a sign-in, a pause or a test', async ({ sql, receivers: [receiver] }) => {
    const { stage, endpointId, take } = await openApp(sql, receiver);
    const { attemptId } = await seedSignIn(sql, stage.seeded);
    await moveIdentityAttemptToEnd(asWorker(sql), attemptId, { status: 'FAILED' });
    await updatePaused(asApi(sql), stage.seeded.registrations.PROVIDER_B, true);
    await inTransaction(asApi(sql), (tx) => insertTestEvent(tx, endpointId));
    expect(scopesOf(await take()).toSorted()).toEqual([
      ['connection.suspended', 'none'],
      ['identity_session.finished', 'none'],
      ['webhook.test', 'none'],
    ]);
  });

  test('and operators see the body as it is sent', async ({ sql, receivers: [receiver] }) => {
    const { stage, take, happen } = await openApp(sql, receiver);
    await happen(stage.seeded.newScope());
    const [sent] = await take();
    const [event] = await sql`select event_id from webhook_event where app_id = ${stage.seeded.app.appId}`;
    const [listed] = await listWebhookEvents(asApi(sql), [event?.eventId]);
    expect(listed && JSON.parse(renderEvent(listed))).toEqual(sent);
  });
});
