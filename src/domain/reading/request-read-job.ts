import { ServiceError } from '../../errors.ts';
import type { AppId, ConnectionId, CorrelationId } from '../../ids.ts';
import { addRetrySignal, buildReadJobDispatch } from '../../outbox/dispatches.ts';
import type { Capability, ProviderName } from '../../providers/provider.ts';
import type { App } from '../../store/apps.ts';
import { getConnection, lockConnection } from '../../store/connections.ts';
import { insertDispatch } from '../../store/outbox.ts';
import { countCallerJobsInFlight, type ReadJob } from '../../store/read-jobs.ts';
import type { SubjectScope } from '../../store/scopes.ts';
import { type Database, inTransaction, type Transaction } from '../../store/sql.ts';
import { permitScope, requireUsable } from './usable.ts';

/** Per app, over all its connections; only jobs that callers asked for count. */
const MAX_IN_FLIGHT = 20;
const RETRY_AFTER_SECONDS = 60;

/** Who asks, and what a request works with. */
export interface Requester {
  readonly app: Pick<App, 'appId'>;
  readonly correlationId: CorrelationId;
  readonly outbox: { deliverSoon(): void };
  readonly sql: Database;
}

/** What every read job of a caller is made of. */
export interface RequestedJob {
  readonly connectionId: ConnectionId;
  readonly appId: AppId;
  readonly provider: ProviderName;
  readonly requestedBy: 'CALLER';
  readonly correlationId: CorrelationId;
}

/** The job that answers a request: a new one, or one in flight, which may wait for its next try. */
interface Choice {
  readonly job: ReadJob;
  readonly isNew: boolean;
  readonly isToBeTriedNow?: boolean;
}

/**
 * Runs `choose` with the connection locked and found usable, to find the job in flight that answers the request or to
 * insert a new one; a new one is dispatched with it.
 * @throws ServiceError as `requireUsable`, and `FORBIDDEN`, `NOT_FOUND`
 */
export async function requestReadJob(
  { app, correlationId, outbox, sql }: Requester,
  asked: { scope: SubjectScope; connectionId: ConnectionId | undefined; capability: Capability },
  choose: (tx: Transaction, job: RequestedJob) => Promise<Choice>,
): Promise<ReadJob> {
  const scopeId = await permitScope(sql, app.appId, asked.scope);
  const chosen = await inTransaction(sql, async (tx) => {
    await lockConnection(tx, scopeId, asked.connectionId);
    const connection = await getConnection(tx, scopeId, asked.connectionId);
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
 * Takes the app's admission lock, which is the last of its transaction.
 * @throws ServiceError `RATE_LIMITED` when one more job of a caller would be one too many.
 */
export async function requireRoom(tx: Transaction, appId: AppId): Promise<void> {
  if ((await countCallerJobsInFlight(tx, appId)) < MAX_IN_FLIGHT) return;
  throw new ServiceError('RATE_LIMITED', `The app has ${MAX_IN_FLIGHT} read jobs in flight.`, {
    retryAfterSeconds: RETRY_AFTER_SECONDS,
  });
}
