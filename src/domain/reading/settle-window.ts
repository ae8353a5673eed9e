import type { ReadJob } from '../../store/read-jobs.ts';
import type { ReadWindow } from '../../store/scans.ts';

const DEFAULT_SPAN_MS = 7 * 24 * 60 * 60 * 1000;

/** A window that had ended no longer than this when it was asked for was to end "now", by a clock that is not ours. */
const NOW_MS = 5 * 60 * 1000;

/**
 * What a scan is to read, when its first page is asked for at `now`. The window left out ends then. So does one that was to
 * end "now": it is read up to where it is covered, and what was published while the scan waited is not missing.
 */
export function settleWindow(job: ReadJob, now: Date): ReadWindow {
  const { publishedAfter, publishedBefore, chainStartedAt, readBefore } = job;
  if (publishedAfter === null || publishedBefore === null) throw new Error('A scan has lost its window.');
  if (chainStartedAt !== null) {
    return { publishedAfter, publishedBefore, readBefore: readBefore ?? publishedBefore, chainStartedAt };
  }
  if (job.windowOmitted) {
    const weekBefore = new Date(now.getTime() - DEFAULT_SPAN_MS);
    return { publishedAfter: weekBefore, publishedBefore: now, readBefore: now, chainStartedAt: now };
  }
  const wasToEndNow = publishedBefore.getTime() >= job.createdAt.getTime() - NOW_MS;
  const end = wasToEndNow && publishedBefore < now ? now : publishedBefore;
  return { publishedAfter, publishedBefore, readBefore: end, chainStartedAt: now };
}
