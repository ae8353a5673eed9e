import type { FlowAttempt } from './flow.ts';

/** Where the attempt's own browser goes in the end. What came of it, the app asks server to server. */
export function buildResultUrl({ returnUrl, attemptId }: FlowAttempt): string {
  const url = new URL(returnUrl);
  // Put behind the text as it is: reading it as parameters and writing them again would change it.
  url.search += `${url.search === '' ? '' : '&'}ss_session_id=${attemptId}`;
  return url.href;
}

/** Where any other browser is sent: to the app's front door, with no trace of the attempt. */
export const buildFrontPageUrl = ({ returnUrl }: FlowAttempt): string => `${new URL(returnUrl).origin}/`;
