import { ATTEMPT_ENDS, type ResultCode } from '../../basics/failure-codes.ts';
import type { EndedWorkKind } from '../../store/ended-work.ts';
import { WEBHOOK_RETENTION_DAYS } from '../../store/webhooks/webhook-deliveries.ts';
import { describeFailure, describeResult } from './failure-messages.ts';
import { describeFailureCode } from './webhook-texts.ts';

const SUCCESSES: Readonly<Record<EndedWorkKind, readonly [outcome: string, message: string]>> = {
  CONNECT: ['COMPLETED', 'The account was connected.'],
  READ: ['SUCCEEDED', 'The read succeeded.'],
  TOKEN_REFRESH: ['SUCCEEDED', 'The token was refreshed.'],
  REVOKE: ['SUCCEEDED', 'Access at the provider was revoked.'],
  WEBHOOK: ['DELIVERED', 'The endpoint accepted the event.'],
};

/** A list of its own: the outcomes that are statuses, because there is no code of a reason. */
const STATUSES: Readonly<Record<string, string>> = {
  CANCELED: 'It was canceled.',
  DENIED: 'The person or the provider denied access.',
  FAILED: 'It failed without a reason of its own.',
};

/** The outcome of a revoke that was not sent: the platform has none, or it would end another grant of the person. */
const LEFT = 'REMOVE_APP_AT_PROVIDER';

export interface DescribedEnd {
  readonly succeeded: boolean;
  /** Neither a success nor a fault of ours or of the platform: a person or an app ended it, or only the person can finish it. */
  readonly blameless: boolean;
  /** For a person on call. */
  readonly message: string;
}

/** Explains an outcome of a kind of work. */
export function describeEnd(kind: EndedWorkKind, outcome: string): DescribedEnd {
  const [success, message] = SUCCESSES[kind];
  if (outcome === success) return { succeeded: true, blameless: false, message };
  if (outcome === LEFT) {
    const left =
      'No revoke was sent: the provider offers none, or the person may have another grant in use. The receipt tells the app.';
    return { succeeded: false, blameless: true, message: left };
  }
  const blameless = kind === 'CONNECT' && isResultCode(outcome) && ATTEMPT_ENDS[outcome].blames === 'NOT_PLATFORM';
  return { succeeded: false, blameless, message: describeReason(kind, outcome) };
}

const isResultCode = (outcome: string): outcome is ResultCode => Object.hasOwn(ATTEMPT_ENDS, outcome);

function describeReason(kind: EndedWorkKind, outcome: string): string {
  if (kind === 'CONNECT') return describeResult(outcome) ?? STATUSES[outcome] ?? 'An unknown result.';
  if (kind === 'WEBHOOK' && outcome !== 'FAILED') return describeFailureCode(outcome);
  return STATUSES[outcome] ?? describeFailure(outcome, { open: false })?.message ?? '';
}

const DAY_MS = 86_400_000;

/** How long the rows of each kind are stored at least, after the instant by which they count. */
const ROWS_KEPT_MS: Readonly<Record<EndedWorkKind, number>> = {
  CONNECT: DAY_MS,
  READ: 7 * DAY_MS,
  TOKEN_REFRESH: 0,
  // A receipt is kept for 7 days, of which its revoke may take 3.
  REVOKE: 4 * DAY_MS,
  WEBHOOK: WEBHOOK_RETENTION_DAYS * DAY_MS,
};

/** Whether the rows of an hour or day that began at `at` are still stored. */
export const areRowsKept = (kind: EndedWorkKind, at: Date, now: Date): boolean =>
  now.getTime() - at.getTime() < ROWS_KEPT_MS[kind];
