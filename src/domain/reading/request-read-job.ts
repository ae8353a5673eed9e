import type { Capability, ProviderName } from '../../basics/codes.ts';
import { ServiceError } from '../../basics/errors.ts';
import type { AppId, ConnectionId, CorrelationId } from '../../basics/ids.ts';
import type { App } from '../../store/apps/apps.ts';
import { getLockedConnection } from '../../store/connections/connections.ts';
import { type Database, inTransaction, type Transaction } from '../../store/driver/sql.ts';
import { countCallerJobsInFlight, type ReadJob } from '../../store/jobs/read-jobs.ts';
import { insertDispatch } from '../../store/outbox.ts';
import type { SubjectScope } from '../../store/scopes.ts';
import { addRetrySignal, buildReadJobDispatch } from '../../workflows/dispatches.ts';
import { permitScope, requireUsable } from './usable.ts';

/** The limit per app, over all its connections. Only jobs that callers requested count. */
const MAX_IN_FLIGHT = 20;
const RETRY_AFTER_SECONDS = 60;

/** The calling app and the dependencies of its request. */
export interface Requester {
  readonly app: Pick<App, 'appId'>;
  readonly correlationId: CorrelationId;
  readonly outbox: { deliverSoon(): void };
  readonly sql: Database;
}

/** The fields that all read jobs of callers share. */
export interface RequestedJob {
  readonly connectionId: ConnectionId;
  readonly appId: AppId;
  readonly provider: ProviderName;
  readonly requestedBy: 'CALLER';
  readonly correlationId: CorrelationId;
}

/** The job that answers a request: a new one, or one in flight. */
interface Choice {
  readonly job: ReadJob;
  readonly isNew: boolean;
  readonly isToBeTriedNow?: boolean;
}

/**
 * Locks the connection, requires that it is usable, and runs `choose`, which finds a job in flight for the request or
 * inserts a new one. Dispatches a new job in the same transaction.
 * @throws ServiceError as `requireUsable`, and `FORBIDDEN`, `NOT_FOUND`
 */
export async function requestReadJob(
  { app, correlationId, outbox, sql }: Requester,
  asked: { scope: SubjectScope; connectionId: ConnectionId | undefined; capability: Capability },
  choose: (tx: Transaction, job: RequestedJob) => Promise<Choice>,
): Promise<ReadJob> {
  const scopeId = await permitScope(sql, app.appId, asked.scope);
  const chosen = await inTransaction(sql, async (tx) => {
    const connection = await getLockedConnection(tx, scopeId, asked.connectionId);
    requireUsable(connection, [asked.capability]);
    const { connectionId, provider } = connection;
    const choice = await choose(tx, { connectionId, provider, appId: app.appId, requestedBy: 'CALLER', correlationId });
    if (choice.isNew) await insertDispatch(tx, buildReadJobDispatch(choice.job));
    if (choice.isToBeTriedNow) await insertDispatch(tx, addRetrySignal(buildReadJobDispatch(choice.job)));
    return choice;
  });
  if (chosen.isNew || chosen.isToBeTriedNow) outbox.deliverSoon();
  return chosen.job;
}

/**
 * Takes the app's admission lock, which must be the last lock of the transaction.
 * @throws ServiceError `RATE_LIMITED` if the app already has the most jobs in flight.
 */
export async function requireRoom(tx: Transaction, appId: AppId): Promise<void> {
  if ((await countCallerJobsInFlight(tx, appId)) < MAX_IN_FLIGHT) return;
  throw new ServiceError('RATE_LIMITED', `The app has ${MAX_IN_FLIGHT} read jobs in flight.`, {
    retryAfterSeconds: RETRY_AFTER_SECONDS,
  });
}
