import { randomBytes, randomUUID } from 'node:crypto';
import { PROVIDER_NAMES, type ProviderName, WEBHOOK_EVENT_TYPES } from '../../src/basics/codes.ts';
import { type ConnectionId, newId, type WebhookEndpointId, type WebhookSecretId } from '../../src/basics/ids.ts';
import { insertTestEvent } from '../../src/store/webhooks/webhook-deliveries.ts';
import {
  disableWebhookEndpoint,
  insertWebhookEndpoint,
  insertWebhookSecret,
} from '../../src/store/webhooks/webhook-endpoints.ts';
import { DAY_MS } from './clock.ts';
import { type SeededApp, seedApp, seedConnection, seedContent, seedCoverage, seedScope, updatePaused } from './seed.ts';
import { endAttempt, endSignIn, seedAttempt, seedSignIn } from './seed-attempts.ts';
import { insertJob, insertRow } from './seed-jobs.ts';
import { type Database, inTransaction } from './sql.ts';

/** An app that no test knows: it has a waiting and a finished one of everything. */
export async function createNeighbour(sql: Database): Promise<void> {
  const seeded = await seedApp(sql);
  const scope = seeded.newScope();
  const [publishedAfter, publishedBefore] = [new Date(Date.now() - 7 * DAY_MS), new Date()];
  for (const provider of PROVIDER_NAMES) {
    const connectionId = await seedConnection(sql, seeded, { scope, provider });
    const providerContentId = await seedContent(sql, connectionId, { publishedAt: publishedBefore });
    await seedCoverage(sql, connectionId, { publishedAfter, publishedBefore, scannedAt: publishedBefore });
    await addReadJobs(sql, seeded, { connectionId, provider }, providerContentId);
  }
  for (const end of ['FAILED', 'SUCCEEDED', undefined] as const) await addDisconnect(sql, seeded, end);
  for (const isFinished of [false, true]) {
    const { attemptId } = await seedAttempt(sql, seeded, { scopeId: await seedScope(sql, seeded, scope) });
    const signIn = await seedSignIn(sql, seeded);
    if (!isFinished) continue;
    await inTransaction(sql, (tx) => endAttempt(tx, attemptId, { status: 'DENIED', resultCode: 'ACCESS_DENIED' }));
    await inTransaction(sql, (tx) => endSignIn(tx, signIn.attemptId, { status: 'DENIED' }));
  }
  const endpointId = newId<WebhookEndpointId>();
  const url = `https://caller.example/${randomUUID()}`;
  await inTransaction(sql, async (tx) => {
    await insertWebhookEndpoint(tx, { endpointId, appId: seeded.app.appId, url, eventTypes: WEBHOOK_EVENT_TYPES });
    await insertWebhookSecret(tx, { endpointId, secretId: newId<WebhookSecretId>(), sealedSecret: 'sealed' });
    await insertTestEvent(tx, endpointId); // A delivery that waits.
    await disableWebhookEndpoint(tx, endpointId, 'FAILING');
  });
  await updatePaused(sql, seeded.registrations.PROVIDER_C, true);
}

async function addReadJobs(
  sql: Database,
  seeded: SeededApp,
  of: { connectionId: ConnectionId; provider: ProviderName },
  providerContentId: string,
): Promise<void> {
  const window = { publishedAfter: new Date(0), publishedBefore: new Date(), maxItems: 100 };
  for (const job of [
    { kind: 'SCAN', ...window },
    { kind: 'METRICS', providerContentId },
    { kind: 'LOOKUP' },
  ] as const) {
    await insertJob(sql, seeded, { ...of, ...job, status: 'SUCCEEDED', finishedAt: new Date() });
    await insertJob(sql, seeded, { ...of, ...job });
  }
}

/** One of each kind of job, an erasure and a bulk disconnect: they wait without an end. */
async function addDisconnect(sql: Database, seeded: SeededApp, end?: 'FAILED' | 'SUCCEEDED'): Promise<void> {
  const { appId } = seeded.app;
  const scope = seeded.newScope();
  const connectionId = await seedConnection(sql, seeded, { scope, status: 'DISCONNECTED' });
  const [grant] = await sql`
    update account_grant set status = 'REVOKING' where connection_id = ${connectionId} returning grant_id, principal_mac
  `;
  const finishedAt = end && new Date();
  const ended = end && { status: end, finishedAt, ...(end === 'FAILED' && { errorCode: 'INTERNAL' }) };
  const owner = { scopeId: await seedScope(sql, seeded, scope), scopeMac: randomBytes(32), ...ended };
  await insertJob(sql, seeded, { kind: 'REVOKE', run: 0, connectionId, ...grant, ...owner });
  await insertJob(sql, seeded, { kind: 'ERASE', run: 0, connectionId, ...owner });
  await insertJob(sql, seeded, {
    kind: 'COMPENSATION',
    grantId: randomUUID(),
    ...owner,
    principalMac: randomBytes(32),
  });
  const bulk = { bulkDisconnectId: randomUUID(), total: 1, correlationId: randomUUID() };
  await insertRow(sql, 'bulk_disconnect', {
    ...bulk,
    appId,
    tenantKey: scope.tenantKey,
    finishedAt: finishedAt ?? null,
  });
  await sql`
    insert into erasure (erasure_id, app_id, scope_mac, connection_ids, completed_at)
    values (${randomUUID()}, ${appId}, ${owner.scopeMac}, ${[connectionId]}::uuid[], ${finishedAt ?? null})
  `;
}
