import { hostname } from 'node:os';
import { type Client, ScheduleNotFoundError } from '@temporalio/client';
import { ForeignQueueError } from '../basics/errors.ts';
import type { Database } from '../store/driver/sql.ts';
import { countForeignWorkers, getInstallationId } from '../store/installation.ts';
import { getSweepScheduleId, type ScheduleKind } from '../workflows/contract.ts';

interface Queue {
  readonly sql: Database;
  readonly client: Client;
  readonly taskQueue: string;
}

/** The Schedule whose memo has the id of the installation that the task queue belongs to: Temporal creates it once. */
const OWNING: ScheduleKind = 'minute';

const IDENTITY = /^accounts-worker\/([0-9a-f-]{36})@/;
/** The identity of a worker at Temporal, by which others find out whether it uses the same database. */
export const describeWorker = (workerId: string): string => `accounts-worker/${workerId}@${process.pid}@${hostname()}`;

/** The installation in the memo of a Schedule. @returns undefined if it has none: a version before this check created it. */
export const installationIn = (memo: Readonly<Record<string, unknown>> | undefined): string | undefined =>
  typeof memo?.installation === 'string' ? memo.installation : undefined;

const REMEDY = 'Set another TEMPORAL_NAMESPACE (docs/production.md#one-installation-for-each-namespace)';

/** @throws ForeignQueueError if `owner` is another installation than this database's. */
export function refuseOwner({ taskQueue }: Pick<Queue, 'taskQueue'>, owner: string | undefined, own: string): void {
  if (owner === undefined || owner === own) return;
  throw new ForeignQueueError(
    `The task queue ${taskQueue} in this namespace of Temporal belongs to another installation, with another database. ${REMEDY}, or another TASK_QUEUE.`,
  );
}

async function readOwner({ client, taskQueue }: Queue): Promise<string | undefined> {
  try {
    const { action } = await client.schedule.getHandle(getSweepScheduleId(taskQueue, OWNING)).describe();
    return installationIn(action.memo);
  } catch (error) {
    if (error instanceof ScheduleNotFoundError) return undefined; // The queue has no owner, or Temporal has lost its data.
    throw error;
  }
}

interface Poller {
  readonly identity: string;
  /** Temporal's clock, for comparison with itself. */
  readonly lastAccess: string;
}

/** The workers that have polled the task queue in the last five minutes, even if they have stopped. */
async function listPollers({ client, taskQueue }: Pick<Queue, 'client' | 'taskQueue'>): Promise<Poller[]> {
  const { pollers } = await client.workflowService.describeTaskQueue({
    namespace: client.options.namespace,
    taskQueue: { name: taskQueue },
    taskQueueType: 1, // Workflows.
  });
  return (pollers ?? []).map(({ identity, lastAccessTime }) => ({
    identity: identity ?? '',
    lastAccess: `${lastAccessTime?.seconds}.${lastAccessTime?.nanos}`,
  }));
}

/**
 * Checks that work for this task queue reaches workers of this database.
 * @throws ForeignQueueError if it does not, or Temporal's error.
 */
export async function requireOwnQueue(queue: Queue): Promise<void> {
  const { sql, taskQueue } = queue;
  refuseOwner(queue, await readOwner(queue), await getInstallationId(sql));
  const workerIds = (await listPollers(queue)).flatMap(({ identity }) => IDENTITY.exec(identity)?.[1] ?? []);
  if (workerIds.length === 0 || (await countForeignWorkers(sql, workerIds)) === 0) return;
  throw new ForeignQueueError(
    `Workers with a copy of this database, or with its original, poll the task queue ${taskQueue} in this namespace of Temporal. ${REMEDY}, or stop them: Temporal forgets them after five minutes.`,
    { passes: true },
  );
}

const GOOD_FOR_MS = 60_000;
const BAD_FOR_MS = 5_000;
const WITHIN_MS = 5_000;

/**
 * Creates a check before deliveries that delays only the first. If Temporal cannot answer it, the check refuses nothing:
 * deliveries then fail anyway, or this process has no right to ask.
 */
export function createQueueCheck(queue: Queue): () => Promise<ForeignQueueError | undefined> {
  let found: ForeignQueueError | undefined;
  let asked: Promise<void> | undefined;
  let askAtMs = 0;
  let isFirst = true;
  const ask = async () => {
    try {
      await queue.client.withDeadline(Date.now() + WITHIN_MS, () => requireOwnQueue(queue));
      found = undefined;
      askAtMs = performance.now() + GOOD_FOR_MS;
    } catch (error) {
      found = error instanceof ForeignQueueError ? error : undefined;
      askAtMs = performance.now() + BAD_FOR_MS;
    }
    isFirst = false;
    asked = undefined;
  };
  return async () => {
    if (performance.now() >= askAtMs) asked ??= ask();
    if (isFirst || found !== undefined) await asked;
    return found;
  };
}

const LONGEST_POLL_MS = 65_000;
const EVERY_MS = 500;

/**
 * Checks that no worker polls the task queue, of any database. A worker that has ended stays listed for five minutes, so this watches
 * whether one polls again: an idle one does within a minute, and an active one answers a query to a running workflow at once.
 * @throws ForeignQueueError
 */
export async function requireIdleQueue(queue: Queue): Promise<void> {
  refuseOwner(queue, await readOwner(queue), await getInstallationId(queue.sql));
  const { client, taskQueue } = queue;
  const sign = (pollers: readonly Poller[]) => pollers.map(({ identity, lastAccess }) => `${identity} ${lastAccess}`);
  const before = sign(await listPollers(queue));
  const busy = new ForeignQueueError(
    `Workers poll the task queue ${taskQueue}: stop all apis and workers of this installation first. To try a restore beside a running installation, use another TEMPORAL_NAMESPACE (docs/backup.md#try-a-restore).`,
  );
  if (before.length === 0) return;
  if (await answersQuestion(queue)) throw busy;
  for (const endMs = performance.now() + LONGEST_POLL_MS; performance.now() < endMs; ) {
    await new Promise((resolve) => setTimeout(resolve, EVERY_MS));
    if (sign(await listPollers({ client, taskQueue })).some((one) => !before.includes(one))) throw busy;
  }
}

/** Temporal's own query, which each workflow of a worker answers. */
const METADATA = '__temporal_workflow_metadata';

/** Silence proves nothing: a workflow whose start is delayed, or that cannot continue, never answers. */
async function answersQuestion({ client, taskQueue }: Queue): Promise<boolean> {
  const query = `TaskQueue = "${taskQueue}" AND ExecutionStatus = "Running"`;
  for await (const { workflowId, runId } of client.workflow.list({ query, pageSize: 1 })) {
    const asked = () => client.workflow.getHandle(workflowId, runId).query(METADATA);
    return await client.withDeadline(Date.now() + WITHIN_MS, asked).then(
      () => true,
      () => false,
    );
  }
  return false;
}
