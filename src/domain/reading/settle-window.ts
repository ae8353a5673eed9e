import type { ScanWindow } from '../../store/jobs/new-reads.ts';
import type { ReadJob } from '../../store/jobs/read-jobs.ts';
import type { ReadWindow } from '../../store/jobs/scans.ts';

const DEFAULT_SPAN_MS = 7 * 24 * 60 * 60 * 1000;

/** A window that ended at most this long before its request was meant to end "now", by the caller's clock. */
const NOW_MS = 5 * 60 * 1000;

/** The window of a scan that has read a page, or continues one that has; undefined before the first page of a chain. */
export function findSettledWindow(job: ReadJob): ReadWindow | undefined {
  const { chainStartedAt, readBefore } = job;
  if (chainStartedAt === null) return undefined;
  const { publishedAfter, publishedBefore } = requireWindow(job);
  return { publishedAfter, publishedBefore, readBefore: readBefore ?? publishedBefore, chainStartedAt };
}

/**
 * Settles the window that a scan reads, when its chain requests its first page at `now`. An omitted window ends at `now`.
 * So does a window that was meant to end "now", so that posts published while the scan waited are not missing.
 */
export function settleWindow(job: ReadJob, now: Date): ReadWindow {
  const { publishedAfter, publishedBefore } = requireWindow(job);
  if (job.windowOmitted) {
    const weekBefore = new Date(now.getTime() - DEFAULT_SPAN_MS);
    return { publishedAfter: weekBefore, publishedBefore: now, readBefore: now, chainStartedAt: now };
  }
  const wasToEndNow = publishedBefore.getTime() >= job.createdAt.getTime() - NOW_MS;
  const end = wasToEndNow && publishedBefore < now ? now : publishedBefore;
  return { publishedAfter, publishedBefore, readBefore: end, chainStartedAt: now };
}

function requireWindow({ publishedAfter, publishedBefore }: ReadJob): ScanWindow {
  if (publishedAfter === null || publishedBefore === null) throw new Error('A scan has lost its window.');
  return { publishedAfter, publishedBefore };
}
