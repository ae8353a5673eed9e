import type { Capability, ProviderName, ReadJobKind } from '../../basics/codes.ts';
import { ServiceError } from '../../basics/errors.ts';
import { type AppId, type ConnectionId, type CorrelationId, type JobId, newId } from '../../basics/ids.ts';
import type { App } from '../../store/apps/apps.ts';
import { lockConnectionOfScope } from '../../store/connections/connections.ts';
import { type Database, inTransaction, type Transaction, withCommit } from '../../store/driver/sql.ts';
import { countCallerJobsInFlight } from '../../store/jobs/new-reads.ts';
import type { ReadJob } from '../../store/jobs/read-jobs.ts';
import { insertDispatch } from '../../store/outbox.ts';
import type { SubjectScope } from '../../store/scopes.ts';
import { addRetrySignal, buildReadJobDispatch } from '../../workflows/dispatches.ts';
import { requireFound, requireUsable } from '../access/may-read.ts';

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

/** The answer to a request: a job in flight, or a new one of this kind. */
export type Choice =
  | { readonly inFlight: ReadJob; readonly isToBeTriedNow?: boolean }
  | { readonly kind: ReadJobKind; readonly insert: (jobId: JobId) => Promise<ReadJob> };

/**
 * Locks the connection, requires that it is usable, and runs `choose`, which finds a job in flight for the request or
 * chooses a new one. A new job is inserted and dispatched with the commit of the same transaction.
 * @throws ServiceError as `requireFound` and `requireUsable`
 */
export async function requestReadJob(
  { app, correlationId, outbox, sql }: Requester,
  asked: { scope: SubjectScope; connectionId: ConnectionId | undefined; capability: Capability },
  choose: (tx: Transaction, job: RequestedJob) => Promise<Choice>,
): Promise<ReadJob> {
  const { appId } = app;
  const chosen = await inTransaction(sql, async (tx) => {
    const found = await lockConnectionOfScope(tx, { appId, scope: asked.scope, id: asked.connectionId });
    const connection = requireFound(found);
    requireUsable(connection, [asked.capability]);
    const { connectionId, provider } = connection;
    const job: RequestedJob = { connectionId, provider, appId, requestedBy: 'CALLER', correlationId };
    const choice = await choose(tx, job);
    if ('inFlight' in choice) {
      const { inFlight, isToBeTriedNow = false } = choice;
      if (isToBeTriedNow) {
        await withCommit(tx, insertDispatch(tx, addRetrySignal(buildReadJobDispatch(inFlight))));
      }
      return { job: inFlight, isDispatched: isToBeTriedNow };
    }
    const jobId = newId<JobId>();
    const inserted = choice.insert(jobId);
    await withCommit(tx, inserted, insertDispatch(tx, buildReadJobDispatch({ ...job, jobId, kind: choice.kind })));
    return { job: inserted, isDispatched: true };
  });
  if (chosen.isDispatched) outbox.deliverSoon();
  return await chosen.job;
}

/**
 * Whether the app has fewer jobs in flight than it may. Takes the app's admission lock, which must be the last lock of a
 * transaction, but for the rows of the answer.
 */
export const hasRoom = async (tx: Transaction, { appId }: RequestedJob): Promise<boolean> =>
  (await countCallerJobsInFlight(tx, appId)) < MAX_IN_FLIGHT;

/** @throws ServiceError `RATE_LIMITED` */
export function requireRoom(isThere: boolean): void {
  if (isThere) return;
  throw new ServiceError('RATE_LIMITED', `The app has ${MAX_IN_FLIGHT} read jobs in flight.`, {
    retryAfterSeconds: RETRY_AFTER_SECONDS,
  });
}
