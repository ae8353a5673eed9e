import { randomUUID } from 'node:crypto';
import { drawDemoLogo } from '../../local/src/demo-logo.ts';
import type { PROVIDER_NAMES } from '../../src/basics/codes.ts';
import { type CorrelationId, newId, type RegistrationId } from '../../src/basics/ids.ts';
import { deleteListedAccount } from '../../src/domain/disconnecting/handle-notification.ts';
import type { App } from '../../src/store/apps/apps.ts';
import { type Database, inTransaction } from '../../src/store/driver/sql.ts';
import { sumEndedWork } from '../../src/store/ended-work.ts';
import { getGauges } from '../../src/store/gauges.ts';
import { insertImportedToken } from '../../src/store/grants/imported-tokens.ts';
import { recordPresence } from '../../src/store/installation.ts';
import { takeSlot } from '../../src/store/provider-rate-limit.ts';
import { noteUnknownAnswer } from '../../src/store/unknown-answers.ts';
import type { Mac } from '../../src/vault/mac.ts';
import { callerOf, createDeps } from '../kit/caller.ts';
import { createTestAdmin, ORIGIN } from '../kit/operator.ts';

const RETURN_URL = 'https://caller.example/connected';
const SIGNED_IN_URL = 'https://caller.example/signed-in';

/**
 * Adds rows that `fill` does not generate: operators, a caller, platforms and processes act on a filled database, so that each
 * table has rows.
 */
export async function actOnFilled(sql: Database, owner: { app: App; tenantKey: string; mac: Mac }): Promise<void> {
  const { app, tenantKey, mac } = owner;
  const { appId } = app;
  const admin = await createTestAdmin(sql, {}, { mac });
  const operate = admin.as('ADMIN');
  const session = await admin.send('/api/admin/session', {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: ORIGIN, 'sec-fetch-site': 'same-origin' },
    body: JSON.stringify({ token: (await admin.newToken('VIEWER')).token }),
  });
  if (session.status !== 204) throw new Error(`The sign-in of an operator was answered ${session.status}.`);
  const registrations = await sql`select registration_id, provider from registration order by provider`;
  const idOf = (provider: (typeof PROVIDER_NAMES)[number]) =>
    registrations.find((row) => row.provider === provider)?.registrationId as RegistrationId;

  await operate(
    `mutation ($a: ID!, $image: String!, $r: ID!, $secret: String!, $origin: String!) {
      setLogo(appId: $a, image: $image) { id }
      addLaunchOrigin(appId: $a, origin: $origin) { id }
      addCallbackSecret(registrationId: $r, secret: $secret) { id }
      issueKey(input: { appId: $a, label: "second", idempotencyKey: "fixture" }) { key { id } }
      createWebhookEndpoint(input: { appId: $a, url: "https://caller.example/webhooks" }) { endpoint { id } }
    }`,
    {
      a: appId,
      image: drawDemoLogo().toString('base64'),
      r: idOf('PROVIDER_B'),
      secret: 'callback-secret',
      origin: 'https://pages.example',
    },
  );
  const { createIdentityIssuer: issuer } = await operate(
    'mutation ($i: CreateIdentityIssuerInput!) { createIdentityIssuer(input: $i) { id } }',
    { i: { issuer: 'https://idp.example', clientId: 'fixture', clientSecret: 'issuer-secret' } },
  );
  await operate(
    'mutation ($a: ID!, $i: ID!, $url: String!) { setIdentity(appId: $a, issuerId: $i, returnUrl: $url) { id } }',
    { a: appId, i: issuer.id, url: SIGNED_IN_URL },
  );

  const call = callerOf(await createDeps(sql), { app });
  await call('createIdpIdentitySession', { input: { tenantKey, returnUrl: SIGNED_IN_URL } });
  const canceled = [];
  for (const externalSubjectId of ['canceled', 'also-canceled', 'waiting']) {
    const input = { scope: { tenantKey, externalSubjectId }, provider: 'PROVIDER_B', capabilities: ['PROFILE'] };
    canceled.push(await call('createConnectSession', { input: { ...input, returnUrl: RETURN_URL } }));
  }
  const cancel = (id: string) => operate('mutation ($id: ID!) { cancelAttempt(id: $id) { id } }', { id });
  // The first end is added up; the second is not yet.
  await cancel(canceled[0]?.id);
  await sumEndedWork(sql, 1_000);
  await cancel(canceled[1]?.id);

  const [person] = await sql`
    select external_subject_id from scope join connection using (scope_id)
    where scope.app_id = ${appId} and connection.status = 'CONNECTED' order by 1 limit 1
  `;
  await operate('mutation ($i: EraseSubjectInput!) { eraseSubject(input: $i) { erasure { id } } }', {
    i: { appId, tenantKey, externalSubjectId: person?.externalSubjectId },
  });
  await requestDeletion(sql, mac, registrations as never);
  // No worker runs, so it stays unfinished.
  await operate('mutation ($i: DisconnectAllInput!) { disconnectAll(input: $i) { bulkDisconnect { id } } }', {
    i: { appId, tenantKey },
  });
  await noteUnknownAnswer(
    sql,
    { provider: 'PROVIDER_B', place: 'video list', status: 418, code: 'odd', text: 'Not now.', madeOfIt: 'RetryLater' },
    1,
  );
  await inTransaction(sql, (tx) => insertImportedToken(tx, mac.of('import', idOf('PROVIDER_C'), 'token'), 60));
  await takeSlot(sql, 'PROVIDER_B', { callsPerSecond: 5, share: null, patienceSeconds: null });
  await recordPresence(sql, { workerId: randomUUID(), name: 'host:8081' });
  await getGauges(sql);
}

/** A platform asks to delete the account of the first connection that has one. */
async function requestDeletion(
  sql: Database,
  mac: Mac,
  registrations: readonly { registrationId: RegistrationId }[],
): Promise<void> {
  for (let index = 0; index < 30; index += 1) {
    for (const { registrationId } of registrations) {
      const listed = { registrationId, accountId: `account-${index}`, requestedAt: new Date() };
      const { outcome } = await deleteListedAccount({ sql, mac }, listed, newId<CorrelationId>(), { dryRun: false });
      if (outcome === 'DELETING') return;
    }
  }
  throw new Error('No connection has an account.');
}
