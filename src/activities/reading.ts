import type { ConnectionId, JobId } from '../basics/ids.ts';
import { isAvailable, JOB_CAPABILITIES, mayRead } from '../domain/access/may-read.ts';
import { type Access, type Call, ProviderError } from '../providers/provider.ts';
import { type ConnectionWithFacts, findConnectionOfReadJob } from '../store/connections/connections.ts';
import { findShownContent } from '../store/content/content.ts';
import type { MissingProof } from '../store/content/stored-content.ts';
import type { Transaction } from '../store/driver/sql.ts';
import { findGrantOfReadJob } from '../store/grants/grants.ts';
import { listReceipts } from '../store/jobs/disconnect-jobs.ts';
import { findReadJob, findRunningReadJob, type ReadJob } from '../store/jobs/read-jobs.ts';
import { moveReadJobToRunning } from '../store/jobs/running-reads.ts';
import type { ScanPosition } from '../store/jobs/scans.ts';
import { findCallLimitsOfReadJob } from '../store/registrations/registrations.ts';
import type { Step } from '../workflows/results.ts';
import { followWithdrawal } from './capabilities.ts';
import type { Deps } from './deps.ts';
import { createLostRow, createRefusal } from './failures.ts';
import { isAccountOf } from './grant-tokens.ts';
import { nameInLog } from './log-context.ts';
import { createStepSignal, getStepLimits } from './provider-activity.ts';
import { requirePermit, toRefusal } from './require-permit.ts';
import { callWithFreshToken } from './tokens.ts';

/** A job that may still read its connection. */
export interface Reading {
  readonly job: ReadJob;
  readonly connection: ConnectionWithFacts;
  readonly withMetrics: boolean;
  callProvider<T>(read: (access: Access, meter: Call) => Promise<T>): Promise<T>;
  /** The same, after a page. */
  goOnAt(position: ScanPosition): Reading;
}

/** The service stores the results of a job only while the job may still read them. */
export const requireJobPermit = (tx: Transaction, { jobId }: ReadJob): Promise<unknown> =>
  requirePermit(tx, { for: 'JOB', jobId });

/** A call that waits so long for its slot shows that others wait too. */
const LONG_WAIT_MS = 50;

/** The operations of one activity for its job. */
export interface TimeSlice {
  readonly signal: AbortSignal;
  /** Whether one of its steps has found the job RUNNING. */
  hasBegun: boolean;
  /** Whether the activity may run another step: it has time, and its calls did not have to wait for their slots. */
  goesOn(): boolean;
  /** Notes whether a call waits for its slot. */
  watch(meter: Call): Call;
}

export function beginTimeSlice({ timeSliceMs }: Deps): TimeSlice {
  const until = performance.now() + Math.min(timeSliceMs, getStepLimits().timeSliceMs);
  let hasWaited = false;
  return {
    signal: createStepSignal(),
    hasBegun: false,
    goesOn: () => !hasWaited && performance.now() < until,
    watch: (meter) => ({
      ...meter,
      async admit(use) {
        const askedAtMs = performance.now();
        const permit = await meter.admit(use);
        hasWaited ||= performance.now() - askedAtMs > LONG_WAIT_MS;
        return permit;
      },
    }),
  };
}

/**
 * Repeats a step until the job is done or the time slice ends. An activity for each step would cost a round trip through
 * Temporal each time, several times as much as the step itself.
 */
export async function runTimeSlice(deps: Deps, step: (timeSlice: TimeSlice) => Promise<Step>): Promise<Step> {
  const timeSlice = beginTimeSlice(deps);
  for (;;) {
    const { done } = await step(timeSlice);
    if (done || !timeSlice.goesOn()) return { done };
  }
}

/** A job, and the connection that it reads: its receipts distinguish an erased job from a lost one. */
export interface JobOf {
  readonly jobId: JobId;
  readonly connectionId?: ConnectionId | undefined;
}

/** The row of a job that has ended stays until its connection is erased, or for a week. @throws `RowLost` */
async function refuseLostJob({ sql, log }: Deps, { jobId, connectionId }: JobOf): Promise<void> {
  if (connectionId === undefined) return;
  const [job, receipts] = await Promise.all([findReadJob(sql, jobId), listReceipts(sql, [connectionId])]);
  if (job === undefined && receipts.length === 0)
    throw createLostRow(log, 'The row of an accepted job is lost', { jobId, connectionId });
}

/** @returns undefined when the job has ended already: by a caller, a disconnect or a newer job. @throws also `RowLost` */
export async function openReading(deps: Deps, of: JobOf, timeSlice: TimeSlice): Promise<Reading | undefined> {
  const { sql } = deps;
  const { jobId } = of;
  // A change between two of them, such as a disconnect, shows in one at least, or comes after all.
  const [job, connection, grant, limits] = await Promise.all([
    timeSlice.hasBegun ? findRunningReadJob(sql, jobId) : moveReadJobToRunning(sql, jobId),
    findConnectionOfReadJob(sql, jobId),
    findGrantOfReadJob(sql, jobId),
    findCallLimitsOfReadJob(sql, jobId),
  ]);
  if (!job) {
    await refuseLostJob(deps, of);
    return undefined;
  }
  timeSlice.hasBegun = true;
  nameInLog(job, { jobId });
  if (!connection) throw createRefusal('NotWanted');
  const capability = JOB_CAPABILITIES[job.kind];
  const denial = mayRead(connection, [capability]);
  if (denial !== undefined) throw toRefusal(denial);
  if (!grant) throw new ProviderError('GrantDead', 'The grant has ended.');
  const readingAt = ({ job, limits }: ScanPosition): Reading => ({
    job,
    connection,
    withMetrics: isAvailable(connection, 'CONTENT_METRICS'),
    goOnAt: readingAt,
    callProvider: async (read) => {
      try {
        return await callWithFreshToken(
          deps,
          grant,
          timeSlice.signal,
          async ({ accessToken, permissions }, meter) => {
            // A refresh can name fewer permissions than before.
            if (!deps.facts[job.provider].isGranted(capability, permissions))
              throw new ProviderError('PermissionMissing', 'The grant no longer has the permission.');
            const { providerAccountId } = connection;
            const access = {
              accessToken,
              permissions,
              providerAccountId,
              isAlias: (id: string) => isAccountOf(deps, grant, id),
            };
            return await read(access, timeSlice.watch(meter));
          },
          { purpose: { for: 'JOB', jobId }, forRefresh: job.isRefresh, limits },
        );
      } catch (error) {
        await followWithdrawal(deps, error, { connection, grant, capability }, timeSlice.signal);
        throw error;
      }
    },
  });
  return readingAt({ job, limits });
}

/**
 * If a platform does not show some posts, reads another one of the account: a platform that is out of order can hide all
 * of them.
 */
export async function proveMissing(deps: Deps, reading: Reading, ids: readonly string[]): Promise<MissingProof> {
  const { job, connection, callProvider } = reading;
  const otherId = await findShownContent(deps.sql, connection.connectionId, ids);
  if (otherId === undefined) return 'ALONE';
  const shown = await callProvider((access, meter) =>
    deps.providers[job.provider].readContent(access, { providerContentIds: [otherId], withMetrics: false }, meter),
  );
  return shown.length > 0 ? 'WITH_NEIGHBOUR' : 'AMONG_OTHERS';
}
