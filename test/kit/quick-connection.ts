import { randomBytes } from 'node:crypto';
import { createProviderActivities } from '../../src/activities/index.ts';
import type { Capability, ProviderName } from '../../src/basics/codes.ts';
import { type AttemptId, type ConnectionId, type CorrelationId, type JobId, newId } from '../../src/basics/ids.ts';
import { completeAttempt } from '../../src/domain/connecting/complete-attempt.ts';
import { buildConnectRedirectUri } from '../../src/domain/connecting/redirect-uris.ts';
import { choosePermissions } from '../../src/providers/facts.ts';
import { connectAttempts, insertAttempt } from '../../src/store/attempts/attempts.ts';
import { findRegistration } from '../../src/store/registrations/registrations.ts';
import { lockScope, type SubjectScope } from '../../src/store/scopes.ts';
import { associatedData } from '../../src/vault/associated-data.ts';
import type { Seal } from '../../src/vault/seal.ts';
import type { createWorkerDeps } from '../../src/worker/deps.ts';
import { WORKFLOWS } from '../../src/workflows/contract.ts';
import { consentTo } from './consent.ts';
import { runActivity } from './deps.ts';
import { type Database, inTransaction, type Transaction } from './postgres.ts';
import type { SeededApp } from './seed.ts';

type Parts = Awaited<ReturnType<typeof createWorkerDeps>>;

export interface QuickConnection {
  readonly seeded: SeededApp;
  readonly scope: SubjectScope;
  readonly provider: ProviderName;
  readonly account: string;
  readonly permissions: readonly string[];
  readonly capabilities: readonly Capability[];
  readonly reconnectConnectionId: string | null;
}

/**
 * Connects an account and scans it by the worker's own steps, without the api and without Temporal. It leaves the same rows and the same
 * grant as a person's way.
 */
export async function connectQuickly(
  parts: Parts,
  { sql, sealInbox }: { sql: Database; sealInbox: Seal },
  wanted: QuickConnection,
): Promise<ConnectionId> {
  const { seeded, provider, capabilities, account, permissions } = wanted;
  const facts = parts.facts[provider];
  const redirectUri = buildConnectRedirectUri(parts.connectUrl, facts);
  const registration = await findRegistration(sql, seeded.registrations[provider]);
  if (!registration) throw new Error('The app has no registration.');
  const { clientId, registrationId } = registration;
  const asked = {
    clientId,
    redirectUri,
    permissions: choosePermissions(facts, capabilities, registration.permissions),
  };
  const { code, codeVerifier } = await consentTo(facts, asked, { account, permissions });
  const attemptId = newId<AttemptId>();
  await inTransaction(sql, async (tx) => {
    await insertAttempt(tx, {
      attemptId,
      scopeId: await lockScope(tx, seeded.app.appId, wanted.scope),
      appId: seeded.app.appId,
      provider,
      registrationId,
      capabilities,
      returnUrl: seeded.returnUrl,
      reconnectConnectionId: wanted.reconnectConnectionId as ConnectionId | null,
      launchTokenSha256: randomBytes(32),
      correlationId: newId<CorrelationId>(),
    });
    await connectAttempts.moveToAuthorizing(tx, attemptId, {
      stateSha256: randomBytes(32),
      browserSha256: randomBytes(32),
      sealedCodeVerifier: codeVerifier && (await sealInbox(codeVerifier, associatedData.codeVerifier(attemptId))),
    });
    await connectAttempts.moveToExchanging(tx, attemptId, await sealInbox(code, associatedData.code(attemptId)));
  });
  const activities = createProviderActivities(parts);
  await runActivity(activities.obtainGrant, { attemptId });
  const { connectionId, scan } = await inTransaction(parts.sql, async (tx) => {
    const settled = await completeAttempt(parts, tx, attemptId);
    const id = (await connectAttempts.find(tx, attemptId))?.connectionId;
    if (!id) throw new Error(`The attempt ended ${JSON.stringify(settled)}.`);
    return { connectionId: id, scan: await takeScan(tx, id) };
  });
  parts.outbox.deliverSoon();
  if (scan !== undefined) {
    const of = { jobId: scan, connectionId };
    while (!(await runActivity(activities.runScanStep, of)).done);
  }
  return connectionId;
}

/** Takes the first scan out of the outbox, so that Temporal never learns of it. */
async function takeScan(tx: Transaction, connectionId: ConnectionId): Promise<JobId | undefined> {
  const [job] = await tx`
    select job_id from read_job where connection_id = ${connectionId} and finished_at is null and requested_by = 'SERVICE'
  `;
  if (job === undefined) return undefined;
  const { jobId } = job as { jobId: JobId };
  const taken =
    await tx`delete from outbox where workflow_id = ${WORKFLOWS.scan.id({ jobId })} and tries = 0 returning 1`;
  return taken.length > 0 ? jobId : undefined;
}
