const DAY_MS = 24 * 3_600_000;
/** A shorter part of the day predicts too little about the rest. */
const SOONEST_MS = 3_600_000;

interface QuotaDay {
  readonly day: string;
  readonly timeZone: string;
}

/** `26 Nov (America/Los_Angeles)`: the day that the platform counts by, which may not be the operator's. */
export function formatQuotaDay({ day, timeZone }: QuotaDay): string {
  const date = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', timeZone: 'UTC' });
  return `${date.format(new Date(`${day}T00:00:00Z`))} (${timeZone})`;
}

interface Use {
  readonly unitsUsed: number;
  readonly unitsAllowed: number | null;
  readonly resetsAt: string;
}

/** The instant at which the quota is used up if its use continues as today; null if the day ends before, or has just begun. */
export function predictQuotaEnd({ unitsUsed, unitsAllowed, resetsAt }: Use, nowMs: number): string | null {
  const endMs = Date.parse(resetsAt);
  const elapsedMs = nowMs - (endMs - DAY_MS);
  if (unitsAllowed === null || unitsUsed >= unitsAllowed || elapsedMs < SOONEST_MS) return null;
  const spentMs = nowMs + ((unitsAllowed - unitsUsed) * elapsedMs) / unitsUsed;
  return spentMs < endMs ? new Date(spentMs).toISOString() : null;
}
