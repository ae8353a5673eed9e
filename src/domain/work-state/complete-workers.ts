import type { WorkersAnswer } from '../../temporal/workers-state.ts';

/** A worker reports to the database every ten seconds (`worker/presence.ts`). One report may be lost. */
const LONGEST_SILENCE_SECONDS = 25;
/** Whether the worker whose last report is so old no longer reports. */
export const isSilent = ({ ageSeconds }: { readonly ageSeconds: number }): boolean =>
  ageSeconds > LONGEST_SILENCE_SECONDS;

/** By so much Temporal's last poll can be later than the freeze of the worker whose polls it still had queued. */
const LONGEST_ECHO_SECONDS = 60;

/**
 * Completes Temporal's answer by the workers' last report to the database. Temporal shows a frozen worker as polling until its poll ends,
 * and dates its last poll too late. Workers that poll for a minute without a report, such as while the database is read-only, are not
 * silent.
 */
export function completeByReport(
  answer: WorkersAnswer,
  report: { readonly seenAt: Date; readonly ageSeconds: number } | undefined,
): WorkersAnswer {
  if (report === undefined) return answer;
  if (answer.state === 'NOT_KNOWN') return { state: 'NOT_KNOWN', seenAt: report.seenAt };
  const aheadSeconds = ((answer.seenAt?.getTime() ?? 0) - report.seenAt.getTime()) / 1_000;
  if (aheadSeconds > LONGEST_ECHO_SECONDS) return answer;
  return { state: isSilent(report) ? 'SILENT' : answer.state, seenAt: report.seenAt };
}
