import type { FlowAttempt } from './flow-attempt.ts';

/** Every reason to refuse a launch or a callback. Each has a page; see `page-texts.ts` and `texts/`. */
export type Refusal =
  | 'wrongMethod'
  | 'wrongForm'
  | 'formTooLarge'
  | 'launchUnknown'
  | 'launchUsed'
  | 'launchExpired'
  | 'wrongOrigin'
  | 'framed'
  | 'notNavigation'
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

/** A refusal, which the browser shows as a page. */
export class Refused extends Error {
  override readonly name = 'Refused';
  readonly refusal: Refusal;
  readonly attempt: FlowAttempt | undefined;
  /** True if this is the attempt's own browser and the app can read the outcome. */
  readonly ownEnd: boolean;
  /** The origin of the page that the browser came from, for the log. */
  readonly origin: string | undefined;

  constructor(
    refusal: Refusal,
    attempt?: FlowAttempt,
    { ownEnd = false, origin }: { ownEnd?: boolean; origin?: string } = {},
  ) {
    super(refusal);
    this.refusal = refusal;
    this.attempt = attempt;
    this.ownEnd = ownEnd;
    this.origin = origin;
  }
}
