import type { ConnectionId, JobId } from '../basics/ids.ts';
import { endReadJob, finishScan } from '../domain/reading/end-read-job.ts';
import { findSettledWindow, settleWindow } from '../domain/reading/settle-window.ts';
import { findUseFault, isAvailable, JOB_CAPABILITIES } from '../domain/reading/usable.ts';
import { type Access, type Call, ProviderError } from '../providers/provider.ts';
import { findConnectionOfReadJob, type StandingConnection } from '../store/connections/connections.ts';
import {
  findContent,
  findContentByCode,
  findShownContent,
  insertContent,
  listUnseenContent,
  type MissingProof,
  updateMissingContent,
} from '../store/content/content.ts';
import { getBusinessTime, type Transaction } from '../store/driver/sql.ts';
import { findGrantOfReadJob } from '../store/grants/grants.ts';
import { listReceipts } from '../store/jobs/disconnect-jobs.ts';
import {
  findReadJob,
  findRunningReadJob,
  moveReadJobToRunning,
  type ReadJob,
  storeForJob,
  updateCursor,
} from '../store/jobs/read-jobs.ts';
import { insertPage, moveSyncToRunning, type ScanPosition, updateRechecked } from '../store/jobs/scans.ts';
import { findCallLimitsOfReadJob } from '../store/registrations/registrations.ts';
import type { Step } from '../workflows/results.ts';
import { withdrawCapability } from './capabilities.ts';
import type { Deps } from './deps.ts';
import { createLostRow, createRefusal } from './failures.ts';
import { requirePermit } from './permit-calls.ts';
import { createStepSignal, isInPlace } from './provider-activity.ts';
import { callWithFreshToken } from './tokens.ts';

/** A job that may still read its connection. */
interface Reading {
  readonly job: ReadJob;
  readonly connection: StandingConnection;
  readonly withMetrics: boolean;
  callProvider<T>(read: (access: Access, meter: Call) => Promise<T>): Promise<T>;
  /** The same, after a page. */
  goOnAt(position: ScanPosition): Reading;
}

/** What a job has read is stored only while the job may still read it. */
const permitJob = (tx: Transaction, { jobId }: ReadJob): Promise<unknown> => requirePermit(tx, { for: 'JOB', jobId });

/** A step in place gives its workflow task back soon. */
const STRETCH_IN_PLACE_MS = 500;
/** A call that waits so long for its turn says that others wait too. */
const LONG_TURN_MS = 50;

/** What one activity may do for its job. */
interface Stretch {
  readonly signal: AbortSignal;
  /** Whether one of its steps has found the job RUNNING. */
  hasBegun: boolean;
  /** Whether the activity may run another step: it has time, and its calls did not have to wait for their turns. */
  goesOn(): boolean;
  /** Notes whether a call waits for its turn. */
  watch(meter: Call): Call;
}

function beginStretch({ stretchMs }: Deps): Stretch {
  const until = performance.now() + (isInPlace() ? Math.min(STRETCH_IN_PLACE_MS, stretchMs) : stretchMs);
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
        hasWaited ||= performance.now() - askedAtMs > LONG_TURN_MS;
        return permit;
      },
    }),
  };
}

/**
 * Repeats a step until the job is done or the stretch ends. An activity for each step would cost a round trip through
 * Temporal each time, several times as much as the step itself.
 */
async function runStretch(deps: Deps, step: (stretch: Stretch) => Promise<Step>): Promise<Step> {
  const stretch = beginStretch(deps);
  for (;;) {
    const { done } = await step(stretch);
    if (done || !stretch.goesOn()) return { done };
  }
}

/**
 * The steps of read jobs. Each is one bounded piece of work, chosen by the job's row, and safe to repeat: it stores its data
 * together with the position to continue from.
 */
export const createReadActivities = (deps: Deps) => ({
  /**
   * Reads pages of the job's window. After the last page, rechecks by id the stored posts that no page showed. Stores each
   * page before it reads the next one.
   * @throws `NotWanted` | `Paused` | `NotAllowed` | `RowLost` | any of the provider's
   */
  async runScanStep(of: JobOf): Promise<Step> {
    /** As the last page has left it: the permit of each call, and of what it stores, asks the rows again. */
    let reading: Reading | undefined;
    return await runStretch(deps, async (stretch) => {
      reading ??= await openScan(deps, of, stretch);
      if (!reading) return { done: true };
      if (reading.job.reachedEnd) {
        const step = await recheckUnseen(deps, reading);
        reading = undefined;
        return step;
      }
      const { done, position } = await readPage(deps, reading);
      reading = position && reading.goOnAt(position);
      return { done };
    });
  },

  /** Refreshes one post's metrics. @throws as `runScanStep`, and `NotFound` when the provider no longer shows it. */
  async runMetricsStep(of: JobOf): Promise<Step> {
    const reading = await openReading(deps, of, beginStretch(deps));
    const id = reading?.job.providerContentId;
    if (!reading || !id) return { done: true };
    const { job, connection } = reading;
    const provider = deps.providers[job.provider];
    const found = await reading.callProvider((access, meter) =>
      provider.readContent(access, { providerContentIds: [id], withMetrics: true }, meter),
    );
    const proof = found.length === 0 ? await proveOneMissing(deps, reading, id) : 'ALONE';
    await storeForJob(deps.sql, job, permitJob, async (tx) =>
      found.length === 0
        ? await updateMissingContent(tx, connection.connectionId, [id], proof, job.readNumber)
        : await Promise.all([
            insertContent(tx, connection.connectionId, found, { withMetrics: true, readNumber: job.readNumber }),
            endReadJob(tx, job.jobId, { status: 'SUCCEEDED' }),
          ]),
    );
    if (found.length === 0) throw new ProviderError('NotFound', 'The provider no longer shows this post.');
    return { done: true };
  },

  /** Looks for the post behind the job's URL, a bounded stretch at a time. @throws as `runScanStep`, and `UnsupportedUrl`. */
  async runLookupStep(of: JobOf): Promise<Step> {
    return await runStretch(deps, (stretch) => lookUp(deps, of, stretch));
  },
});

async function openScan(deps: Deps, of: JobOf, stretch: Stretch): Promise<Reading | undefined> {
  const reading = await openReading(deps, of, stretch);
  // A worker that was frozen may be here after another has ended the scan.
  if (reading && reading.connection.syncStatus !== 'RUNNING')
    await storeForJob(deps.sql, reading.job, permitJob, (tx) => moveSyncToRunning(tx, reading.job));
  return reading;
}

async function lookUp(deps: Deps, of: JobOf, stretch: Stretch): Promise<Step> {
  const reading = await openReading(deps, of, stretch);
  const url = reading?.job.url ?? null;
  if (!reading || url === null) return { done: true };
  const { job, connection, withMetrics } = reading;
  const known = (code: string) => findContentByCode(deps.sql, connection.connectionId, code);
  const input = { url, cursor: job.providerCursor, withMetrics, known };
  const step = await reading.callProvider((access, meter) => deps.providers[job.provider].lookUp(access, input, meter));
  if (step.kind === 'absent') return await endWithKnownPost(deps, reading, step.providerContentId);
  if (step.kind === 'searching') {
    await storeForJob(deps.sql, job, permitJob, (tx) => updateCursor(tx, job.jobId, step.cursor));
    return { done: false };
  }
  await storeForJob(deps.sql, job, permitJob, async (tx) => {
    if (step.kind === 'beyondSearch') return await endReadJob(tx, job.jobId, NOT_FOUND_SO_FAR);
    const { content } = step;
    const end = { status: 'SUCCEEDED', resultProviderContentId: content.providerContentId } as const;
    const options = { withMetrics, readNumber: job.readNumber };
    return await Promise.all([
      insertContent(tx, connection.connectionId, [content], options),
      endReadJob(tx, job.jobId, end),
    ]);
  });
  return { done: true };
}

/** The account may have the post, beyond those that a lookup can search. */
const NOT_FOUND_SO_FAR = {
  status: 'FAILED',
  errorCode: 'CONTENT_NOT_FOUND',
  incompleteReason: 'PROVIDER_LIMIT',
} as const;

/** The failure of a job that may not read its connection. */
const createRefusalOf = {
  FORBIDDEN: () => createRefusal('NotAllowed', 'The policy no longer allows this.'),
  CAPABILITY_UNAVAILABLE: () => createRefusal('NotAllowed', 'The registration or the capability is not available.'),
  AUTHORIZATION_SUSPENDED: () => createRefusal('Paused', 'The connection is suspended or its registration is paused.'),
  RECONNECT_REQUIRED: () => new ProviderError('GrantDead', 'The grant has ended.'),
  DISCONNECT_IN_PROGRESS: () => createRefusal('NotWanted', 'The connection is being disconnected.'),
} as const;

/** A job, and the connection that it reads: its receipts tell an erased job from a lost one. */
interface JobOf {
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
async function openReading(deps: Deps, of: JobOf, stretch: Stretch): Promise<Reading | undefined> {
  const { sql } = deps;
  const { jobId } = of;
  // In one round trip. A change between two of them, such as a disconnect, shows in one at least, or comes after all.
  const [job, connection, grant, limits] = await Promise.all([
    stretch.hasBegun ? findRunningReadJob(sql, jobId) : moveReadJobToRunning(sql, jobId),
    findConnectionOfReadJob(sql, jobId),
    findGrantOfReadJob(sql, jobId),
    findCallLimitsOfReadJob(sql, jobId),
  ]);
  if (!job) {
    await refuseLostJob(deps, of);
    return undefined;
  }
  stretch.hasBegun = true;
  if (!connection) throw createRefusalOf.DISCONNECT_IN_PROGRESS();
  const capability = JOB_CAPABILITIES[job.kind];
  const fault = findUseFault(connection, [capability]);
  if (fault !== undefined) throw createRefusalOf[fault.code]();
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
          stretch.signal,
          async ({ accessToken, permissions }, meter) => {
            // A refresh can name fewer permissions than before.
            if (!deps.facts[job.provider].isGranted(capability, permissions))
              throw new ProviderError('PermissionMissing', 'The grant no longer has the permission.');
            const access = { accessToken, permissions, providerAccountId: connection.providerAccountId };
            return await read(access, stretch.watch(meter));
          },
          { purpose: { for: 'JOB', jobId }, forRefresh: job.isRefresh, limits },
        );
      } catch (error) {
        if (error instanceof ProviderError && error.type === 'PermissionMissing')
          await withdrawCapability(deps, { connection, grant }, capability, stretch.signal);
        throw error;
      }
    },
  });
  return readingAt({ job, limits });
}

/**
 * Ends a lookup when the provider no longer shows the post. If we have stored the post, the job succeeds and marks the post
 * unavailable. @throws `NotFound` if we never stored it.
 */
async function endWithKnownPost(deps: Deps, reading: Reading, providerContentId: string | undefined): Promise<Step> {
  const { job } = reading;
  const isKnown = providerContentId !== undefined && (await findContent(deps.sql, job.connectionId, providerContentId));
  const proof = isKnown ? await proveOneMissing(deps, reading, providerContentId) : 'ALONE';
  await storeForJob(deps.sql, job, permitJob, async (tx) => {
    const known = providerContentId !== undefined && (await findContent(tx, job.connectionId, providerContentId));
    if (!known) throw new ProviderError('NotFound', 'No post of this account is behind the URL.');
    await updateMissingContent(tx, job.connectionId, [known.providerContentId], proof, job.readNumber);
    await endReadJob(tx, job.jobId, {
      status: 'SUCCEEDED',
      incompleteReason: 'CONTENT_NOT_FOUND',
      resultProviderContentId: known.providerContentId,
    });
  });
  return { done: true };
}

/** More than the longest listing takes: a listing with more pages runs in circles. A recheck takes as many again at most. */
const MOST_STEPS = 1_000;

/** @returns also where the scan goes on; undefined if that is not known */
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
  const position = await insertPage(deps.sql, job, read, { withMetrics, permit: permitJob });
  const { cursor, reachedEnd } = read.page;
  const isFull = position !== undefined && position.job.itemCount >= (job.maxItems ?? 0);
  if (position === undefined || reachedEnd || (cursor !== null && !isFull)) return { done: false, position };
  await finishScan(deps.sql, { ...job, ...read.window }, cursor === null ? 'PROVIDER_LIMIT' : 'MAX_ITEMS');
  return { done: true };
}

/**
 * Asks a platform that does not show some posts for another one of the account: when it is out of order, it can answer so for
 * all of them.
 */
async function proveMissing(deps: Deps, reading: Reading, ids: readonly string[]): Promise<MissingProof> {
  const { job, connection, callProvider } = reading;
  const otherId = await findShownContent(deps.sql, connection.connectionId, ids);
  if (otherId === undefined) return 'ALONE';
  const shown = await callProvider((access, meter) =>
    deps.providers[job.provider].readContent(access, { providerContentIds: [otherId], withMetrics: false }, meter),
  );
  return shown.length > 0 ? 'WITH_NEIGHBOUR' : 'AMONG_OTHERS';
}

/** @throws ProviderError `RetryLater` if the platform shows no other post of the account either */
async function proveOneMissing(deps: Deps, reading: Reading, id: string): Promise<MissingProof> {
  const proof = await proveMissing(deps, reading, [id]);
  if (proof === 'AMONG_OTHERS')
    throw new ProviderError('RetryLater', 'The provider shows neither this post nor another one of the account.');
  return proof;
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
  await storeForJob(deps.sql, job, permitJob, async (tx) => {
    const [change, removed] = await Promise.all([
      insertContent(tx, connection.connectionId, found, { withMetrics, readNumber: job.readNumber }),
      updateMissingContent(tx, connection.connectionId, missing, proof, job.readNumber),
    ]);
    await updateRechecked(tx, job.jobId, { ...change, removed });
  });
  return { done: false };
}
