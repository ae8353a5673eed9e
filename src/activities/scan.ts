import { finishScan } from '../domain/reading/end-read-job.ts';
import { findSettledWindow, settleWindow } from '../domain/reading/settle-window.ts';
import { listUnseenContent } from '../store/content/content.ts';
import { recallContent } from '../store/content/forgotten-content.ts';
import { insertContent, updateMissingContent } from '../store/content/stored-content.ts';
import { getBusinessTime } from '../store/driver/sql.ts';
import { findReadJob } from '../store/jobs/read-jobs.ts';
import { storeForJob } from '../store/jobs/running-reads.ts';
import { insertPage, moveSyncToRunning, type ScanPosition, updateRechecked } from '../store/jobs/scans.ts';
import type { ScanEnd, Step } from '../workflows/results.ts';
import type { Deps } from './deps.ts';
import { logRecovery } from './log-tries.ts';
import {
  type JobOf,
  openReading,
  proveMissing,
  type Reading,
  requireJobPermit,
  runTimeSlice,
  type TimeSlice,
} from './reading.ts';

/**
 * Reads pages of the job's window. After the last page, rechecks by id the stored posts that no page showed. Stores each page before
 * the next one.
 * @throws `NotWanted` | `Paused` | `NotAllowed` | `RowLost` | any of the provider's
 */
export async function runScan(deps: Deps, of: JobOf): Promise<Step> {
  /** As the last page left it: the permits to call and to store read the rows again. */
  let reading: Reading | undefined;
  /** False if the scan had ended before. */
  let hasRead = false;
  const step = await runTimeSlice(deps, async (timeSlice) => {
    reading ??= await openScan(deps, of, timeSlice);
    if (!reading) return { done: true };
    hasRead = true;
    if (reading.job.reachedEnd) {
      const step = await recheckUnseen(deps, reading);
      reading = undefined;
      return step;
    }
    const { done, position } = await readPage(deps, reading);
    reading = position && reading.goOnAt(position);
    return { done };
  });
  return step.done ? { ...step, scan: await endScan(deps, of, hasRead) } : step;
}

/** Logs its recovery. @returns the workflow's result, which the Temporal UI shows */
async function endScan({ sql, log }: Deps, { jobId }: JobOf, hasRead: boolean): Promise<ScanEnd | undefined> {
  const job = await findReadJob(sql, jobId);
  if (job?.status !== 'SUCCEEDED') return undefined;
  if (hasRead) logRecovery(log, job);
  const { itemCount, publishedAfter, publishedBefore, incompleteReason, continuable } = job;
  return {
    posts: itemCount,
    publishedAfter: publishedAfter?.toISOString() ?? null,
    publishedBefore: publishedBefore?.toISOString() ?? null,
    incompleteReason,
    continuable,
  };
}

async function openScan(deps: Deps, of: JobOf, timeSlice: TimeSlice): Promise<Reading | undefined> {
  const reading = await openReading(deps, of, timeSlice);
  // A worker that was frozen may be here after another has ended the scan.
  if (reading && reading.connection.syncStatus !== 'RUNNING')
    await storeForJob(deps.sql, reading.job, requireJobPermit, (tx) => moveSyncToRunning(tx, reading.job));
  return reading;
}

/** More than the longest listing takes: a listing with more pages loops. A recheck takes at most as many again. */
const MOST_STEPS = 1_000;

/** @returns also where the scan continues; undefined if that is not known */
async function readPage(
  deps: Deps,
  { job, withMetrics, callProvider }: Reading,
): Promise<Step & { position?: ScanPosition | undefined }> {
  const limit = (job.maxItems ?? 0) - job.itemCount;
  if (limit <= 0 || job.steps >= MOST_STEPS) {
    await finishScan(deps.sql, job, limit <= 0 ? 'MAX_ITEMS' : 'PROVIDER_LIMIT');
    return { done: true };
  }
  const read = await callProvider(async (access, meter) => {
    const window = findSettledWindow(job) ?? settleWindow(job, await getBusinessTime(deps.sql));
    const { publishedAfter, readBefore: publishedBefore } = window;
    const input = { window: { publishedAfter, publishedBefore }, cursor: job.providerCursor, limit, withMetrics };
    return { window, page: await deps.providers[job.provider].listContent(access, input, meter) };
  });
  const position = await insertPage(deps.sql, job, read, {
    withMetrics,
    permit: requireJobPermit,
    recall: (tx, ids) => recallContent(tx, deps.mac, job.connectionId, ids),
  });
  const { cursor, reachedEnd } = read.page;
  const isFull = position !== undefined && position.job.itemCount >= (job.maxItems ?? 0);
  if (position === undefined || reachedEnd || (cursor !== null && !isFull)) return { done: false, position };
  await finishScan(deps.sql, { ...job, ...read.window }, cursor === null ? 'PROVIDER_LIMIT' : 'MAX_ITEMS');
  return { done: true };
}

async function recheckUnseen(deps: Deps, reading: Reading): Promise<Step> {
  const { job, connection, withMetrics, callProvider } = reading;
  const provider = deps.providers[job.provider];
  if (job.steps >= 2 * MOST_STEPS) {
    await finishScan(deps.sql, job, 'PROVIDER_UNAVAILABLE');
    return { done: true };
  }
  const unseen = await listUnseenContent(deps.sql, job, provider.readBatchSize);
  if (unseen.length === 0) {
    await finishScan(deps.sql, job, null);
    return { done: true };
  }
  const found = await callProvider((access, meter) =>
    provider.readContent(access, { providerContentIds: unseen, withMetrics }, meter),
  );
  const shown = new Set(found.map(({ providerContentId }) => providerContentId));
  const missing = unseen.filter((id) => !shown.has(id));
  const proof = found.length > 0 || missing.length === 0 ? 'WITH_NEIGHBOUR' : await proveMissing(deps, reading, unseen);
  await storeForJob(deps.sql, job, requireJobPermit, async (tx) => {
    const [change, removed] = await Promise.all([
      insertContent(tx, connection.connectionId, found, { withMetrics, readNumber: job.readNumber }),
      updateMissingContent(tx, connection.connectionId, missing, proof, job.readNumber),
    ]);
    await updateRechecked(tx, job.jobId, { ...change, removed });
  });
  return { done: false };
}
