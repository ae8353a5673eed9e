import { endReadJob } from '../domain/reading/end-read-job.ts';
import { ProviderError } from '../providers/provider.ts';
import { findContentByCode, findKnownContent } from '../store/content/content.ts';
import { recallContent } from '../store/content/forgotten-content.ts';
import { insertContent, type MissingProof, updateMissingContent } from '../store/content/stored-content.ts';
import { withCommit } from '../store/driver/sql.ts';
import { storeForJob, updateCursor } from '../store/jobs/running-reads.ts';
import type { Step } from '../workflows/results.ts';
import type { Deps } from './deps.ts';
import { logRecovery } from './log-tries.ts';
import {
  beginTimeSlice,
  type JobOf,
  openReading,
  proveMissing,
  type Reading,
  requireJobPermit,
  runTimeSlice,
  type TimeSlice,
} from './reading.ts';
import { runScan } from './scan.ts';

/**
 * The steps of read jobs. Each is one bounded piece of work, chosen by the job's row, and safe to repeat: it stores its data
 * together with the position to continue from.
 */
export const createReadActivities = (deps: Deps) => ({
  /** @throws as `runScan` */
  runScanStep: (of: JobOf): Promise<Step> => runScan(deps, of),

  /** Refreshes one post's metrics. @throws as `runScan`, and `NotFound` when the provider no longer shows it. */
  async runMetricsStep(of: JobOf): Promise<Step> {
    const reading = await openReading(deps, of, beginTimeSlice(deps));
    const id = reading?.job.providerContentId;
    if (!reading || !id) return { done: true };
    const { job, connection } = reading;
    const provider = deps.providers[job.provider];
    const found = await reading.callProvider((access, meter) =>
      provider.readContent(access, { providerContentIds: [id], withMetrics: true }, meter),
    );
    const proof = found.length === 0 ? await proveOneMissing(deps, reading, id) : 'ALONE';
    const isStored = await storeForJob(deps.sql, job, requireJobPermit, async (tx) =>
      found.length === 0
        ? await updateMissingContent(tx, connection.connectionId, [id], proof, job.readNumber)
        : await withCommit(
            tx,
            recallContent(tx, deps.mac, connection.connectionId, [id]),
            insertContent(tx, connection.connectionId, found, { withMetrics: true, readNumber: job.readNumber }),
            endReadJob(tx, job.jobId, { status: 'SUCCEEDED' }),
          ),
    );
    if (found.length === 0) throw new ProviderError('NotFound', 'The provider no longer shows this post.');
    if (isStored) logRecovery(deps.log, job);
    return { done: true };
  },

  /** Looks for the post behind the job's URL, a bounded time slice at a time. @throws as `runScan`, and `UnsupportedUrl`. */
  async runLookupStep(of: JobOf): Promise<Step> {
    return await runTimeSlice(deps, (timeSlice) => lookUp(deps, of, timeSlice));
  },
});

async function lookUp(deps: Deps, of: JobOf, timeSlice: TimeSlice): Promise<Step> {
  const reading = await openReading(deps, of, timeSlice);
  const url = reading?.job.url ?? null;
  if (!reading || url === null) return { done: true };
  const { job, connection, withMetrics } = reading;
  const known = (code: string) => findContentByCode(deps.sql, connection.connectionId, code);
  const input = { url, cursor: job.providerCursor, withMetrics, known };
  const step = await reading.callProvider((access, meter) => deps.providers[job.provider].lookUp(access, input, meter));
  if (step.kind === 'absent') return await endWithKnownPost(deps, reading, step.providerContentId);
  if (step.kind === 'searching') {
    await storeForJob(deps.sql, job, requireJobPermit, (tx) => updateCursor(tx, job.jobId, step.cursor));
    return { done: false };
  }
  const isStored = await storeForJob(deps.sql, job, requireJobPermit, async (tx) => {
    if (step.kind === 'beyondSearch') return await endReadJob(tx, job.jobId, NOT_FOUND_SO_FAR);
    const { content } = step;
    const end = { status: 'SUCCEEDED', resultProviderContentId: content.providerContentId } as const;
    const options = { withMetrics, readNumber: job.readNumber };
    return await Promise.all([
      recallContent(tx, deps.mac, connection.connectionId, [content.providerContentId]),
      insertContent(tx, connection.connectionId, [content], options),
      endReadJob(tx, job.jobId, end),
    ]);
  });
  if (isStored && step.kind !== 'beyondSearch') logRecovery(deps.log, job);
  return { done: true };
}

/** The account may have the post, beyond those that a lookup can search. */
const NOT_FOUND_SO_FAR = {
  status: 'FAILED',
  errorCode: 'CONTENT_NOT_FOUND',
  incompleteReason: 'PROVIDER_LIMIT',
} as const;

/**
 * Ends a lookup when the provider no longer shows the post. If we have stored the post, the job succeeds with the reason that
 * `contentItem` gives from now on: none until enough reads have missed the post. @throws `NotFound` if we never stored it.
 */
async function endWithKnownPost(deps: Deps, reading: Reading, providerContentId: string | undefined): Promise<Step> {
  const { job } = reading;
  const isKnown =
    providerContentId !== undefined &&
    (await findKnownContent(deps.sql, deps.mac, job.connectionId, providerContentId));
  const proof = isKnown ? await proveOneMissing(deps, reading, providerContentId) : 'ALONE';
  const isStored = await storeForJob(deps.sql, job, requireJobPermit, async (tx) => {
    const ids = providerContentId === undefined ? [] : [providerContentId];
    await updateMissingContent(tx, job.connectionId, ids, proof, job.readNumber);
    const known =
      providerContentId !== undefined && (await findKnownContent(tx, deps.mac, job.connectionId, providerContentId));
    if (!known) throw new ProviderError('NotFound', 'No post of this account is behind the URL.');
    await endReadJob(tx, job.jobId, {
      status: 'SUCCEEDED',
      incompleteReason: known.expired ? 'EXPIRED' : known.reason,
      resultProviderContentId: known.providerContentId,
    });
  });
  if (isStored) logRecovery(deps.log, job);
  return { done: true };
}

/** @throws ProviderError `RetryLater` if the platform shows no other post of the account either */
async function proveOneMissing(deps: Deps, reading: Reading, id: string): Promise<MissingProof> {
  const proof = await proveMissing(deps, reading, [id]);
  if (proof === 'AMONG_OTHERS')
    throw new ProviderError('RetryLater', 'The provider shows neither this post nor another one of the account.');
  return proof;
}
