import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { WorkflowHandle } from '@temporalio/client';
import { historyToJSON } from '@temporalio/common/lib/proto-utils.js';
import { ROOT } from '../../local/src/services.ts';
import {
  type BulkDisconnectId,
  type ConnectionId,
  newId,
  type RegistrationId,
  type WebhookEndpointId,
} from '../../src/basics/ids.ts';
import { clientProbe } from '../../src/workflows/client-probe.ts';
import { connectAttempt } from '../../src/workflows/connect-attempt.ts';
import { connectionUpkeep } from '../../src/workflows/connection-upkeep.ts';
import { disconnect } from '../../src/workflows/disconnect.ts';
import { disconnectAll } from '../../src/workflows/disconnect-all.ts';
import { identityAttempt } from '../../src/workflows/identity-attempt.ts';
import type { scan } from '../../src/workflows/read-job.ts';
import { retryNow } from '../../src/workflows/retry-until-settled.ts';
import { revokeGrant } from '../../src/workflows/revoke-grant.ts';
import { sendWebhooks, webhooksDue } from '../../src/workflows/send-webhooks.ts';
import { sweep } from '../../src/workflows/sweep.ts';
import { verifyGrant } from '../../src/workflows/verify-grant.ts';
import { verifySiblings } from '../../src/workflows/verify-siblings.ts';
import {
  failure,
  NOTHING_DUE,
  newAttempt,
  newDisconnect,
  newReadJob,
  newSignIn,
  newUpkeep,
  quiet,
  until,
  wait,
} from '../kit/fake-activities.ts';
import { type Activities, currentDetails, IDENTITY, type Start, type TestTemporal } from '../kit/temporal.ts';
import { inTurn } from './transcripts.ts';

const FOLDER = path.join(ROOT, 'test', 'histories');

/** One course of a workflow: the answers of its activities, and the signals or cancellation sent to it. */
interface Scenario {
  readonly activities?: Partial<Activities>;
  run(start: Start, temporal: TestTemporal): Promise<WorkflowHandle>;
}

const late = failure('RetryLater', { retryAfterSeconds: 30 });
const connected = async (start: Start, temporal: TestTemporal) =>
  await start(connectAttempt, newAttempt(await temporal.now()));
const signedIn = async (start: Start, temporal: TestTemporal) =>
  await start(identityAttempt, newSignIn(await temporal.now()));
const [MORE, DONE] = [{ done: false }, { done: true }];
const BATCH = { total: 2 };
const UNFINISHED = { ...NOTHING_DUE, rows: { readJobs: 400 }, unfinished: ['readJobs'] };
const SIBLINGS = [newId<ConnectionId>(), newId<ConnectionId>()];
const waited = { recordReadFailure: async () => wait(30), recordDisconnectFailure: async () => wait(3600) };
const failedForGood = {
  ended: true,
  code: 'PROVIDER_UNAVAILABLE',
  revoke: { status: 'FAILED', code: 'PROVIDER_UNAVAILABLE', tokensKept: true },
} as const;
const ended = { recordReadFailure: async () => ({ ended: true, code: 'RECONNECT_REQUIRED' }) as const };

async function retryNowAndReturn(run: WorkflowHandle): Promise<WorkflowHandle> {
  await until(async () => (await currentDetails(run)).includes('Next try'));
  await run.signal(retryNow);
  return run;
}

/** The main courses of every workflow type; each is recorded in a file of its name. */
export const SCENARIOS: Readonly<Record<string, Scenario>> = {
  'connect-completed': { run: connected },
  'connect-exchange-retried': {
    activities: { obtainGrant: inTurn(late, undefined) },
    run: connected,
  },
  'connect-exchange-refused': {
    activities: { obtainGrant: async () => Promise.reject(failure('GrantDead')) },
    run: connected,
  },
  'connect-account-unusable': {
    activities: { obtainGrant: async () => Promise.reject(failure('AccountUnusable')) },
    run: connected,
  },
  'connect-inline': {
    activities: { obtainGrantInline: async () => ({ tried: true, result: null }) },
    run: connected,
  },
  'scan-in-steps': {
    activities: { runScanStep: inTurn(MORE, MORE, DONE) },
    run: (start) => start<typeof scan>('scan', newReadJob()),
  },
  'scan-waited': {
    activities: { runScanStep: inTurn(late, { done: true }), ...waited },
    run: (start) => start<typeof scan>('scan', newReadJob()),
  },
  'scan-retried-now': {
    activities: { runScanStep: inTurn(late, { done: true }), ...waited },
    run: async (start) => retryNowAndReturn(await start<typeof scan>('scan', newReadJob())),
  },
  'scan-failed': {
    activities: { runScanStep: async () => Promise.reject(failure('GrantDead')), ...ended },
    run: (start) => start<typeof scan>('scan', newReadJob()),
  },
  'metrics-inline': {
    activities: { runMetricsStepInline: async () => ({ tried: true, result: { done: true } }) },
    run: (start) => start<typeof scan>('metricsRefresh', newReadJob()),
  },
  'scan-begun-inline': {
    activities: {
      runScanStepInline: async () => ({ tried: true, result: { done: false } }),
      runScanStep: inTurn(MORE, DONE),
    },
    run: (start) => start<typeof scan>('scan', newReadJob()),
  },
  'disconnect-inline': {
    activities: {
      tryRevokeInline: async () => ({ tried: true, result: { status: 'SUCCEEDED', creatorAction: null } }),
    },
    run: (start) => start(disconnect, newDisconnect()),
  },
  'metrics-done': { run: (start) => start<typeof scan>('metricsRefresh', newReadJob()) },
  'lookup-in-steps': {
    activities: { runLookupStep: inTurn(MORE, DONE) },
    run: (start) => start<typeof scan>('contentLookup', newReadJob()),
  },
  'disconnect-settled': { run: (start) => start(disconnect, newDisconnect()) },
  'disconnect-waited': {
    activities: { tryRevoke: inTurn(late, undefined), ...waited },
    run: (start) => start(disconnect, newDisconnect()),
  },
  'disconnect-retried-now': {
    activities: { tryRevoke: inTurn(late, undefined), ...waited },
    run: async (start) => retryNowAndReturn(await start(disconnect, newDisconnect())),
  },
  'disconnect-revoke-failed': {
    activities: { tryRevoke: async () => Promise.reject(late) },
    run: (start) => start(disconnect, newDisconnect()),
  },
  'disconnect-revoke-failed-found': {
    activities: { tryRevoke: async () => Promise.reject(late), recordDisconnectFailure: async () => failedForGood },
    run: (start) => start(disconnect, newDisconnect()),
  },
  'revoke-failed-found': {
    activities: { tryRevoke: async () => Promise.reject(late), recordDisconnectFailure: async () => failedForGood },
    run: (start) => start(revokeGrant, newReadJob()),
  },
  'revoke-waited': {
    activities: { tryRevoke: inTurn(late, undefined), ...waited },
    run: (start) => start(revokeGrant, newReadJob()),
  },
  'identity-completed': { run: signedIn },
  'identity-retried': {
    activities: { exchangeIdentityCode: inTurn(late, undefined) },
    run: signedIn,
  },
  'identity-refused': {
    activities: {
      exchangeIdentityCode: async () => Promise.reject(failure('ContractBroken')),
      endIdentityAttempt: async () => 'FAILED',
    },
    run: signedIn,
  },
  'verify-siblings': {
    activities: { listSiblings: async () => SIBLINGS, checkGrant: inTurn(late, undefined) },
    run: (start) => start(verifySiblings, newReadJob()),
  },
  'verify-siblings-none': { run: (start) => start(verifySiblings, newReadJob()) },
  'verify-grant-waited': {
    activities: { checkGrant: inTurn(late, undefined) },
    run: (start) => start(verifyGrant, newUpkeep()),
  },
  'verify-grant-dead': {
    activities: { checkGrant: async () => Promise.reject(failure('GrantDead')) },
    run: (start) => start(verifyGrant, newUpkeep()),
  },
  'verify-grant-alive': {
    activities: { checkGrant: async () => Promise.reject(failure('PermissionMissing')) },
    run: (start) => start(verifyGrant, newUpkeep()),
  },
  'upkeep-done': { run: (start) => start(connectionUpkeep, newUpkeep()) },
  'upkeep-postponed': {
    activities: { checkGrant: async () => Promise.reject(late) },
    run: (start) => start(connectionUpkeep, newUpkeep()),
  },
  'disconnect-all': {
    activities: {
      disconnectBatch: inTurn({ ...BATCH, disconnected: 1, done: false }, { ...BATCH, disconnected: 2, done: true }),
    },
    run: (start) => start(disconnectAll, { bulkDisconnectId: newId<BulkDisconnectId>() }),
  },
  'sweep-minute': { run: (start) => start(sweep, { kind: 'minute' }) },
  'sweep-continued': {
    activities: { reconcileRows: inTurn(UNFINISHED, { ...NOTHING_DUE, rows: { readJobs: 3 } }) },
    run: (start) => start(sweep, { kind: 'minute' }),
  },
  'probe-answered': { run: (start) => start(clientProbe, newProbe()) },
  'probe-unanswered': {
    activities: { probeRegistration: async () => Promise.reject(late) },
    run: (start) => start(clientProbe, newProbe()),
  },
  'webhooks-sent': {
    activities: { sendDueWebhooks: inTurn(...[0, 5, null].map((waitSeconds) => ({ waitSeconds, paused: false }))) },
    run: (start) => start(sendWebhooks, { endpointId: newId<WebhookEndpointId>() }, { signal: webhooksDue }),
  },
  'sweep-retention': { run: (start) => start(sweep, { kind: 'retention' }) },
};

const newProbe = () => ({ registrationId: newId<RegistrationId>(), provider: 'PROVIDER_B' as const });

/** Runs a scenario to its end and writes its history. */
export async function record(temporal: TestTemporal, name: string, { activities, run }: Scenario): Promise<void> {
  await temporal.run({ ...quiet, ...activities }, async (start) => {
    const handle = await run(start, temporal);
    // A canceled run has a history like any other.
    await handle.result().catch((error: Error) => {
      if (error.name !== 'WorkflowFailedError') throw error;
    });
    const history = anonymous(JSON.parse(historyToJSON(await handle.fetchHistory())));
    writeFileSync(path.join(FOLDER, `${name}.json`), `${JSON.stringify(history)}\n`);
  });
}

/** Removes machine names and paths, which do not affect replay. */
function anonymous(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(anonymous);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([name]) => name !== 'stackTrace' && name !== 'workerVersion' && name !== 'binaryChecksum')
      .map(([name, member]) => [name, name === 'identity' ? IDENTITY : anonymous(member)]),
  );
}

/** All recorded histories by name. */
export function readHistories(): { name: string; text: string }[] {
  return readdirSync(FOLDER)
    .filter((file) => file.endsWith('.json'))
    .map((file) => path.basename(file, '.json'))
    .sort()
    .map((name) => ({ name, text: readFileSync(path.join(FOLDER, `${name}.json`), 'utf8') }));
}
