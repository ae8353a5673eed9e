import { badInput, ServiceError } from '../../basics/errors.ts';
import type { JobId } from '../../basics/ids.ts';
import { cancelScan } from '../../domain/reading/end-read-job.ts';
import {
  type Choice,
  hasRoom,
  type RequestedJob,
  requestReadJob,
  requireRoom,
} from '../../domain/reading/request-read-job.ts';
import type { MutationResolvers } from '../../generated/schema.ts';
import { existsContent } from '../../store/content/content.ts';
import type { Transaction } from '../../store/driver/sql.ts';
import { adoptScan, insertMetricsJob, insertScan, type NewScan, type ScanWindow } from '../../store/jobs/new-reads.ts';
import {
  findMetricsJobInFlight,
  findReadJobOfConnection,
  findScanInFlight,
  type ReadJob,
} from '../../store/jobs/read-jobs.ts';
import type { Mac } from '../../vault/mac.ts';
import { readCursor } from '../cursors.ts';
import { parseArgs, RequestRefreshArgs } from '../inputs.ts';
import { bindContinuation, toSyncJob } from './sync-job.ts';

const DEFAULT_MAX_ITEMS = 100;

export const requestRefresh: MutationResolvers['requestRefresh'] = async (_root, args, context) => {
  const { scope, connectionId, providerContentId, window, continuationCursor } = parseArgs(RequestRefreshArgs, args);
  const asked = { scope, connectionId };
  const refresh =
    providerContentId === null
      ? await requestReadJob(context, { ...asked, capability: 'CONTENT_LIST' }, async (tx, job) => {
          const source =
            continuationCursor === null ? null : await readSource(tx, context.mac, job, continuationCursor);
          return await chooseScan(tx, job, askedScan(window, source));
        })
      : await requestReadJob(context, { ...asked, capability: 'CONTENT_METRICS' }, (tx, job) =>
          chooseMetricsJob(tx, context.mac, job, providerContentId),
        );
  return toSyncJob(context.mac, refresh);
};

async function chooseMetricsJob(
  tx: Transaction,
  mac: Mac,
  job: RequestedJob,
  providerContentId: string,
): Promise<Choice> {
  const [isStored, inFlight, isRoom] = await Promise.all([
    existsContent(tx, mac, job.connectionId, providerContentId),
    findMetricsJobInFlight(tx, job.connectionId, providerContentId),
    hasRoom(tx, job),
  ]);
  if (!isStored) throw new ServiceError('NOT_FOUND', 'The connection has no such stored post.');
  if (inFlight) return { inFlight };
  requireRoom(isRoom);
  return { kind: 'METRICS', insert: (jobId) => insertMetricsJob(tx, { ...job, jobId, providerContentId }) };
}

type AskedScan = Pick<NewScan, 'window' | 'maxItems' | 'continues'>;
type Source = ReadJob & ScanWindow;

/** @throws ServiceError `BAD_USER_INPUT` when a window comes with a cursor and is not that scan's. */
function askedScan(window: (ScanWindow & { maxItems: number }) | null, source: Source | null): AskedScan {
  if (source && window && !isSameWindow(window, source)) {
    throw badInput('window', 'must equal the window of the scan that continuationCursor continues');
  }
  return {
    window: source ?? window,
    maxItems: window?.maxItems ?? source?.maxItems ?? DEFAULT_MAX_ITEMS,
    continues: source,
  };
}

/** @throws ServiceError `BAD_USER_INPUT` for a cursor that is not this connection's or can no longer be used. */
async function readSource(tx: Transaction, mac: Mac, job: RequestedJob, cursor: string): Promise<Source> {
  const [jobId = ''] = readCursor(mac, bindContinuation(job), cursor, 'continuationCursor');
  const source = await findReadJobOfConnection(tx, job.connectionId, jobId as JobId);
  if (!source?.continuable || !isScan(source))
    throw badInput('continuationCursor', 'can no longer be used: its scan ended more than 24 hours ago');
  return source;
}

const isScan = (job: ReadJob): job is Source => job.publishedAfter !== null && job.publishedBefore !== null;

const isSameWindow = (a: ScanWindow, b: ScanWindow) =>
  a.publishedAfter.getTime() === b.publishedAfter.getTime() &&
  a.publishedBefore.getTime() === b.publishedBefore.getTime();

/**
 * Finds the scan of the same window in flight, or inserts a new one. A scan that the service started becomes the caller's
 * if it has the same window, and is canceled if it has another.
 * @throws ServiceError `SYNC_WINDOW_BUSY` | `RATE_LIMITED`
 */
async function chooseScan(tx: Transaction, job: RequestedJob, asked: AskedScan): Promise<Choice> {
  const [inFlight, isRoom] = await Promise.all([findScanInFlight(tx, job.connectionId), hasRoom(tx, job)]);
  const same = inFlight !== undefined && answers(inFlight, asked);
  if (inFlight && same) {
    // Also at the cap, which limits new jobs. From now on it counts.
    const isOurs = inFlight.requestedBy === 'SERVICE';
    const adopted = isOurs ? await adoptScan(tx, inFlight.jobId, asked.maxItems) : inFlight;
    // Ours may wait for hours, or behind all others, which a caller's does not: tried now, it gets on or ends as theirs.
    const isHeldUp = inFlight.nextRetryAt !== null || inFlight.isRefresh;
    return { inFlight: adopted, isToBeTriedNow: isOurs && isHeldUp };
  }
  if (inFlight?.requestedBy === 'CALLER') {
    throw new ServiceError(
      'SYNC_WINDOW_BUSY',
      'A scan of another window is in flight. Ask again when it has finished.',
      { jobId: inFlight.jobId },
    );
  }
  requireRoom(isRoom);
  if (inFlight) await cancelScan(tx, job.connectionId);
  return { kind: 'SCAN', insert: (jobId) => insertScan(tx, { ...job, ...asked, jobId }) };
}

/** Two omitted windows are equal while a scan is in flight, although "now" has moved on. */
const answers = (scan: ReadJob, { window }: AskedScan): boolean =>
  window === null ? scan.windowOmitted : isScan(scan) && isSameWindow(scan, window);
