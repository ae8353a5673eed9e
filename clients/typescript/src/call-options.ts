export interface CallOptions {
  /** Cancels the call and its retries. */
  readonly signal?: AbortSignal;
}
