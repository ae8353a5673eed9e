import type { CallOptions } from './call-options.js';
import type { Client } from './client.js';
import { WaitTimeoutError } from './errors.js';
import type { MutationRequestRefreshArgs, QuerySyncJobArgs, SyncJob } from './generated/schema.js';
import { sleep } from './sleep.js';

export interface WaitOptions extends CallOptions {
  /** Milliseconds after which `WaitTimeoutError` is thrown. 120,000 by default. */
  readonly timeoutMs?: number;
}

const FIRST_PAUSE_MS = 250;
const LONGEST_PAUSE_MS = 5_000;
const DEFAULT_TIMEOUT_MS = 120_000;

/**
 * Reads a job until it is SUCCEEDED, FAILED or CANCELED, and returns it. It reads more and more rarely, at least every 5
 * seconds, and not before the job's `nextRetryAt`.
 * @throws WaitTimeoutError the job is still unfinished; it continues, and you can wait for it again
 * @throws ServiceError as `syncJob`
 */
export async function waitForJob(client: Pick<Client, 'syncJob'>, job: QuerySyncJobArgs, options: WaitOptions = {}) {
  const endsAt = Date.now() + (options.timeoutMs ?? DEFAULT_TIMEOUT_MS);
  for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS)) {
    const current = await client.syncJob(job, options);
    if (isFinished(current)) return current;
    const untilRetryMs = current.nextRetryAt === null ? 0 : Date.parse(current.nextRetryAt) - Date.now();
    const nextMs = Math.max(pauseMs, untilRetryMs);
    if (Date.now() + nextMs > endsAt) {
      throw new WaitTimeoutError(`Job ${job.id} is still ${current.status}${reasonOf(current)}.`);
    }
    await sleep(nextMs, options.signal);
  }
}

/** Whether a job is SUCCEEDED, FAILED or CANCELED. */
export const isFinished = ({ status }: Pick<SyncJob, 'status'>): boolean =>
  ['SUCCEEDED', 'FAILED', 'CANCELED'].includes(status);

const reasonOf = ({ errorCode }: SyncJob): string => (errorCode === null ? '' : ` (${errorCode})`);

export interface ScanOptions extends WaitOptions {
  /** The most scans to run, the first included. 10 by default. */
  readonly maxScans?: number;
}

/**
 * Scans a window and continues where a scan stopped early, until the window is read, a scan fails, the provider gives no
 * continuation, or `maxScans` have run. Returns the last scan.
 *
 * Pass `continuationCursor` to continue an earlier scan. `timeoutMs` limits the wait for each scan.
 * @throws ServiceError as `requestRefresh` and `syncJob`
 * @throws WaitTimeoutError a scan is still unfinished
 */
export async function continueScan(
  client: Pick<Client, 'requestRefresh' | 'syncJob'>,
  scan: Omit<MutationRequestRefreshArgs, 'providerContentId'>,
  options: ScanOptions = {},
): Promise<SyncJob> {
  const { scope, connectionId } = scan;
  let request: MutationRequestRefreshArgs = scan;
  for (let scans = 1; ; scans += 1) {
    const { id } = await client.requestRefresh(request, options);
    const job = await waitForJob(client, { scope, connectionId, id }, options);
    const { continuationCursor } = job;
    if (continuationCursor === null || scans >= (options.maxScans ?? 10)) return job;
    request = { scope, connectionId, continuationCursor };
  }
}
