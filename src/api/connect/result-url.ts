import type { FlowAttempt } from './flow-attempt.ts';

/** The URL that the attempt's own browser returns to. The app then reads the outcome server to server. */
export function buildResultUrl({ returnUrl, attemptId }: FlowAttempt): string {
  const url = new URL(returnUrl);
  // Appended to the text, because parsing and formatting the parameters could change it.
  url.search += `${url.search === '' ? '' : '&'}ss_session_id=${attemptId}`;
  return url.href;
}

/** The URL for any other browser: the app's front page, without a trace of the attempt. */
export const buildFrontPageUrl = ({ returnUrl }: FlowAttempt): string => `${new URL(returnUrl).origin}/`;
