import { type Client, ScheduleAlreadyRunning, ScheduleNotFoundError, ScheduleOverlapPolicy } from '@temporalio/client';
import type { Log } from '../basics/log.ts';
import { installationIn, refuseOwner } from '../outbox/queue-owner.ts';
import { getSweepScheduleId, SCHEDULES, type ScheduleKind } from '../workflows/contract.ts';

/** How often the worker checks the Schedules: if Temporal loses its data, nothing else re-creates them. */
const EVERY_MS = 60_000;
/** The time limit of one check, so that it does not delay a shutdown. */
const WITHIN_MS = 5_000;

const KINDS = Object.keys(SCHEDULES) as ScheduleKind[];

/** The queue whose Schedules these are, and the installation that owns it. */
interface Place {
  readonly taskQueue: string;
  readonly installationId: string;
}

/** The Schedule that this build needs. The action's memo has it, with all kinds of this build, and so distinguishes builds. */
function describeSchedule({ taskQueue, installationId: installation }: Place, kind: ScheduleKind) {
  const { everySeconds, summary } = SCHEDULES[kind];
  const wanted = {
    spec: { intervals: [{ every: everySeconds * 1_000 }] },
    // After an outage one round runs, not one for each missed interval.
    policies: { overlap: ScheduleOverlapPolicy.SKIP, catchupWindow: '1 minute' as const },
    action: {
      type: 'startWorkflow' as const,
      workflowType: 'sweep',
      workflowId: `sweep/${taskQueue}/${kind}`,
      taskQueue,
      args: [{ kind }],
      staticSummary: summary,
      // A round ends when nothing is due, or continues as a new run. The timeout only ends a run that no worker handles.
      workflowRunTimeout: '1 day' as const,
    },
  };
  return {
    ...wanted,
    action: {
      ...wanted.action,
      memo: { schedule: JSON.stringify({ ...wanted, kinds: KINDS, installation }), installation },
    },
  };
}

/** A Schedule that this build wants, as it is now. */
async function readSchedule(client: Client, place: Place, kind: ScheduleKind) {
  const { taskQueue, installationId } = place;
  const handle = client.schedule.getHandle(getSweepScheduleId(taskQueue, kind));
  const found = await handle.describe().catch((error: unknown) => {
    if (error instanceof ScheduleNotFoundError) return null;
    throw error;
  });
  refuseOwner(place, installationIn(found?.action.memo), installationId);
  const wanted = describeSchedule(place, kind);
  const isAsWanted = found?.action.memo?.schedule === wanted.action.memo.schedule;
  return { kind, handle, wanted, exists: found !== null, isAsWanted };
}
type Found = Awaited<ReturnType<typeof readSchedule>>;

/** One after the other: after a failure, no other call may still wait for its retry. */
async function readSchedules(client: Client, place: Place): Promise<Found[]> {
  const all: Found[] = [];
  for (const kind of KINDS) all.push(await readSchedule(client, place, kind));
  return all;
}

async function create(client: Client, { taskQueue }: Place, { kind, wanted }: Found): Promise<void> {
  const memo = { summary: SCHEDULES[kind].summary };
  try {
    await client.schedule.create({ ...wanted, scheduleId: getSweepScheduleId(taskQueue, kind), memo });
  } catch (error) {
    if (!(error instanceof ScheduleAlreadyRunning)) throw error; // Another worker was faster.
  }
}

/**
 * Creates Schedules that were deleted, or that Temporal lost with its data. A build that started later may have changed or removed
 * some: then they are its own.
 */
async function createMissing(client: Client, place: Place): Promise<void> {
  const found = await readSchedules(client, place);
  if (found.some(({ exists, isAsWanted }) => exists && !isAsWanted)) return;
  for (const each of found) if (!each.exists) await create(client, place, each);
}

/** Deletes the Schedules of kinds that this build does not know. */
async function deleteUnknown(client: Client, taskQueue: string): Promise<void> {
  const prefix = getSweepScheduleId(taskQueue, '');
  const known = KINDS.map((kind) => getSweepScheduleId(taskQueue, kind));
  for await (const { scheduleId } of client.schedule.list()) {
    if (!scheduleId.startsWith(prefix) || known.includes(scheduleId)) continue;
    await client.schedule.getHandle(scheduleId).delete();
  }
}

/**
 * Creates or updates the Schedules of the sweeps for this build. The build that started last decides, so that a rollback works too.
 * @throws ForeignQueueError if they are those of another installation
 */
export async function alignSchedules(client: Client, place: Place): Promise<void> {
  for (const each of await readSchedules(client, place)) {
    if (!each.exists) await create(client, place, each);
    // A paused one stays paused.
    else if (!each.isAsWanted) await each.handle.update(({ state }) => ({ ...each.wanted, state }));
  }
  await deleteUnknown(client, place.taskQueue);
}

/**
 * Aligns the Schedules at once, and then re-creates missing ones regularly. A Temporal that refuses it delays no other work.
 * @returns a function that stops this; it resolves when no call is running. If the connection closed while a call waits for its
 * retry, the client would throw an uncaught error.
 */
export function watchSchedules(
  client: Client,
  place: Place,
  log: Log,
  { everyMs = EVERY_MS, withinMs = WITHIN_MS } = {},
): () => Promise<void> {
  let isAligned = false;
  let looking: Promise<void> | undefined;
  const check = async () => {
    await (isAligned ? createMissing : alignSchedules)(client, place);
    isAligned = true;
  };
  const look = () => {
    looking ??= client
      .withDeadline(Date.now() + withinMs, check)
      .catch((error: unknown) => log.warn('Schedules not checked', { error }))
      .finally(() => {
        looking = undefined;
      });
  };
  look();
  const timer = setInterval(look, everyMs);
  return async () => {
    clearInterval(timer);
    await looking;
  };
}
