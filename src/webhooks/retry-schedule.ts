const MINUTE = 60;
const HOUR = 60 * MINUTE;
const DAY_SECONDS = 24 * HOUR;

/** The pause after each try: the example schedule of Standard Webhooks, ten tries over three days. */
const PAUSES = [5, 5 * MINUTE, 30 * MINUTE, 2 * HOUR, 5 * HOUR, 10 * HOUR, 14 * HOUR, 20 * HOUR, 24 * HOUR];

/**
 * The seconds until the next try of a delivery, with up to a tenth more, so that many tries do not coincide.
 * @param tries that it has had.
 * @returns undefined when that was the last.
 */
export function findRetryPause(tries: number, random: () => number = Math.random): number | undefined {
  const pause = PAUSES[tries - 1];
  return pause === undefined ? undefined : Math.round(pause * (1 + random() / 10));
}

/** Failed tries in a row. */
const FAILURES_UNTIL_PAUSE = 5;
const LONGEST_PAUSE = 5 * MINUTE;

/** The seconds for which an endpoint gets nothing. @param failures in a row, over all of its deliveries. */
export const getEndpointPause = (failures: number): number =>
  failures < FAILURES_UNTIL_PAUSE ? 0 : Math.min(LONGEST_PAUSE, 5 * 2 ** Math.min(10, failures - FAILURES_UNTIL_PAUSE));

const LONGEST_RETRY_AFTER = HOUR;

/** The wait that an endpoint requested, from a second to an hour, in seconds. @returns undefined without a request. */
export const findRequestedPause = (status: number, retryAfterSeconds: number | null): number | undefined =>
  retryAfterSeconds !== null && (status === 429 || status === 503)
    ? Math.min(LONGEST_RETRY_AFTER, Math.max(1, retryAfterSeconds))
    : undefined;

/** An endpoint that fails for so long is disabled. */
export const FAILING_SECONDS = 3 * DAY_SECONDS;
