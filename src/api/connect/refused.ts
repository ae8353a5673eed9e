import type { FlowAttempt } from './flow.ts';

/** Every way a launch or a callback can be turned away. Each has a page; see `page-texts.ts`. */
export type Refusal =
  | 'wrongMethod'
  | 'wrongForm'
  | 'formTooLarge'
  | 'launchUnknown'
  | 'launchUsed'
  | 'launchExpired'
  | 'wrongOrigin'
  | 'notAllowed'
  | 'paused'
  | 'disconnecting'
  | 'callbackUnknown'
  | 'callbackExpired'
  | 'wrongBrowser'
  | 'answerUnusable'
  | 'prefetch'
  | 'tooManyTries'
  | 'unavailable';

/** A browser gets a page instead of what it came for. */
export class Refused extends Error {
  override readonly name = 'Refused';
  readonly refusal: Refusal;
  readonly attempt: FlowAttempt | undefined;
  /** Whether this browser is known to be the attempt's own, and the app will find the outcome. */
  readonly ownEnd: boolean;

  constructor(refusal: Refusal, attempt?: FlowAttempt, { ownEnd = false }: { ownEnd?: boolean } = {}) {
    super(refusal);
    this.refusal = refusal;
    this.attempt = attempt;
    this.ownEnd = ownEnd;
  }
}
