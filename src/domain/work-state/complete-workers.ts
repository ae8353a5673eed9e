import type { WorkersAnswer } from '../../temporal/workers-state.ts';

/** A worker reports to the database every ten seconds (`worker/presence.ts`). */
const LONGEST_SILENCE_SECONDS = 30;

/**
 * Completes Temporal's answer by the workers' last report to the database. Temporal shows a frozen worker as polling until its poll ends.
 * Workers that poll without a report, such as while the database is read-only, are not silent.
 */
export function completeByReport(
  answer: WorkersAnswer,
  report: { readonly seenAt: Date; readonly ageSeconds: number } | undefined,
): WorkersAnswer {
  if (answer.state === 'NOT_KNOWN' || report === undefined) return answer;
  const aheadSeconds = ((answer.seenAt?.getTime() ?? 0) - report.seenAt.getTime()) / 1_000;
  const latest = aheadSeconds > 0 ? answer.seenAt : report.seenAt;
  const isQuiet = report.ageSeconds - Math.max(0, aheadSeconds) > LONGEST_SILENCE_SECONDS;
  return { state: isQuiet ? 'SILENT' : answer.state, seenAt: latest };
}
