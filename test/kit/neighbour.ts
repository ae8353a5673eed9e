import { randomBytes, randomUUID } from 'node:crypto';
import { PROVIDER_NAMES, type ProviderName, WEBHOOK_EVENT_TYPES } from '../../src/basics/codes.ts';
import {
  type AttemptId,
  type ConnectionId,
  type CorrelationId,
  type GrantId,
  type JobId,
  newId,
  type ScopeId,
  type WebhookEndpointId,
  type WebhookSecretId,
} from '../../src/basics/ids.ts';
import { insertAttempt, moveAttemptToEnd } from '../../src/store/attempts/attempts.ts';
import { insertIdentityAttempt, moveIdentityAttemptToEnd } from '../../src/store/attempts/identity-attempts.ts';
import { startDisconnect } from '../../src/store/connections/disconnects.ts';
import { type Database, inTransaction } from '../../src/store/driver/sql.ts';
import { completeErasures, insertErasure } from '../../src/store/erasures/erasures.ts';
import { finishBulkDisconnect, insertBulkDisconnect } from '../../src/store/jobs/bulk-disconnects.ts';
import { insertDisconnectJob, moveDisconnectJobToEnd } from '../../src/store/jobs/disconnect-jobs.ts';
import { insertLookup, insertMetricsJob, insertScan } from '../../src/store/jobs/new-reads.ts';
import { moveReadJobToEnd, type ReadJob } from '../../src/store/jobs/read-jobs.ts';
import { moveReadJobToRunning } from '../../src/store/jobs/running-reads.ts';
import { updatePaused } from '../../src/store/registrations/known-registrations.ts';
import { insertTestEvent } from '../../src/store/webhooks/webhook-deliveries.ts';
import {
  disableWebhookEndpoint,
  insertWebhookEndpoint,
  insertWebhookSecret,
} from '../../src/store/webhooks/webhook-endpoints.ts';
import { type SeededApp, seedApp, seedConnection, seedContent, seedCoverage, seedScope } from './seed.ts';

const DAY_MS = 24 * 60 * 60 * 1000;

/** An app that no test knows: it has a waiting and a finished one of everything, made by the service's own code. */
export async function createNeighbour(sql: Database): Promise<void> {
  const seeded = await seedApp(sql);
  const scope = seeded.newScope();
  for (const provider of PROVIDER_NAMES) {
    const connectionId = await seedConnection(sql, seeded, { scope, provider });
    const providerContentId = await seedContent(sql, connectionId, { publishedAt: new Date() });
    await seedCoverage(sql, connectionId, {
      publishedAfter: new Date(Date.now() - 7 * DAY_MS),
      publishedBefore: new Date(),
      scannedAt: new Date(),
    });
    await addReadJobs(sql, seeded, { connectionId, provider, providerContentId });
  }
  await addDisconnects(sql, seeded);
  await addAttempts(sql, seeded, await seedScope(sql, seeded, scope));
  await addDisabledEndpoint(sql, seeded);
  await updatePaused(sql, seeded.registrations.PROVIDER_C, true);
}

async function addReadJobs(
  sql: Database,
  { app: { appId } }: SeededApp,
  of: { connectionId: ConnectionId; provider: ProviderName; providerContentId: string },
): Promise<void> {
  const newJob = () => ({ ...of, appId, requestedBy: 'CALLER' as const, correlationId: newId<CorrelationId>() });
  const insert: readonly (() => Promise<ReadJob>)[] = [
    () => insertScan(sql, { ...newJob(), window: null, maxItems: 100, continues: null }),
    () => insertMetricsJob(sql, { ...newJob(), providerContentId: of.providerContentId }),
    () => insertLookup(sql, { ...newJob(), url: 'https://platform.example/v', urlSha256: randomBytes(32) }),
  ];
  for (const insertJob of insert) {
    const { jobId } = await insertJob();
    await moveReadJobToRunning(sql, jobId);
    await moveReadJobToEnd(sql, jobId, { status: 'SUCCEEDED' });
    await insertJob();
  }
}

/** One of each kind of job waits, one has failed, and one has succeeded. */
async function addDisconnects(sql: Database, seeded: SeededApp): Promise<void> {
  const { app, registrations } = seeded;
  for (const end of ['FAILED', 'SUCCEEDED', 'waits'] as const) {
    const scope = seeded.newScope();
    const connectionId = await seedConnection(sql, seeded, { scope });
    const scopeId = await seedScope(sql, seeded, scope);
    const owner = { scopeId, scopeMac: randomBytes(32) };
    await inTransaction(sql, async (tx) => {
      const started = await startDisconnect(
        tx,
        owner,
        connectionId,
        { reason: 'APP', correlationId: newId<CorrelationId>() },
        {
          spares: false,
          listAccountMacs: () => [],
        },
      );
      if (!started) throw new Error('There was nothing to disconnect.');
      const compensation = newId<JobId>();
      await insertDisconnectJob(tx, {
        ...owner,
        jobId: compensation,
        kind: 'COMPENSATION',
        connectionId: null,
        grantId: newId<GrantId>(),
        run: 1,
        attemptId: newId<AttemptId>(),
        appId: app.appId,
        provider: 'PROVIDER_B',
        registrationId: registrations.PROVIDER_B,
        principalMac: randomBytes(32),
        accountMacs: [],
        spares: true,
        correlationId: newId<CorrelationId>(),
      });
      const subject = { ...owner, scopeMacs: [owner.scopeMac], appId: app.appId, connectionIds: [connectionId] };
      const erased = await insertErasure(tx, subject);
      const tenant = { appId: app.appId, tenantKey: scope.tenantKey };
      const { bulkDisconnectId } = await insertBulkDisconnect(tx, tenant, 1, newId<CorrelationId>());
      if (end === 'waits') return;
      for (const jobId of [started.revokeJobId, started.eraseJobId, compensation]) {
        await moveDisconnectJobToEnd(tx, jobId, { status: end, creatorAction: null, errorCode: 'INTERNAL' });
      }
      await finishBulkDisconnect(tx, bulkDisconnectId);
      if (erased) await completeErasures(tx, [erased.erasureId]);
    });
  }
}

async function addAttempts(sql: Database, seeded: SeededApp, scopeId: ScopeId): Promise<void> {
  const { app, issuerId, tenantKey } = seeded;
  for (const isFinished of [false, true]) {
    await inTransaction(sql, async (tx) => {
      const { attemptId } = await insertAttempt(tx, {
        attemptId: newId<AttemptId>(),
        scopeId,
        appId: app.appId,
        provider: 'PROVIDER_B',
        registrationId: seeded.registrations.PROVIDER_B,
        capabilities: ['PROFILE'],
        returnUrl: seeded.returnUrl,
        reconnectConnectionId: null,
        launchTokenSha256: randomBytes(32),
        correlationId: newId<CorrelationId>(),
      });
      const signIn = await insertIdentityAttempt(tx, {
        attemptId: newId<AttemptId>(),
        appId: app.appId,
        tenantKey,
        issuerId,
        returnUrl: seeded.identityReturnUrl,
        launchTokenSha256: randomBytes(32),
        resultProofSha256: randomBytes(32),
        correlationId: newId<CorrelationId>(),
      });
      if (!isFinished) return;
      await moveAttemptToEnd(tx, attemptId, { status: 'DENIED', resultCode: 'ACCESS_DENIED' });
      await moveIdentityAttemptToEnd(tx, signIn.attemptId, { status: 'DENIED' });
    });
  }
}

/** With a delivery that waits for it. */
async function addDisabledEndpoint(sql: Database, { app: { appId } }: SeededApp): Promise<void> {
  await inTransaction(sql, async (tx) => {
    const endpointId = newId<WebhookEndpointId>();
    const url = `https://caller.example/${randomUUID()}`;
    await insertWebhookEndpoint(tx, { endpointId, appId, url, eventTypes: WEBHOOK_EVENT_TYPES });
    await insertWebhookSecret(tx, { endpointId, secretId: newId<WebhookSecretId>(), sealedSecret: 'sealed' });
    await insertTestEvent(tx, endpointId);
    await disableWebhookEndpoint(tx, endpointId, 'FAILING');
  });
}
