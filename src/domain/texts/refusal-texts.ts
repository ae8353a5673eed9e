/** Why a page refused a browser, and what can be done, for an operator. By the codes of `api/connect/refused.ts`. */
const REFUSALS: Readonly<Record<string, string>> = {
  launchUsed: 'The link was used before. The person starts again in the app.',
  launchExpired: 'The link had expired. The person starts again in the app.',
  callbackExpired: 'The person came back too late. They start again in the app.',
  wrongBrowser:
    'The person came back in another browser than the one where they started, such as one inside an app. They go back to the first, or start again and stay in one.',
  answerUnusable: 'The answer that the browser brought could not be read. The person starts again in the app.',
  wrongOrigin: 'The link was opened from a page that the app has not registered. Add its launch origin to the app.',
  framed: 'The link was opened in a frame. The app must open it in a window of its own.',
  notNavigation: 'The link was fetched by a script. The app must let the person open it.',
  notAllowed: 'The app may no longer use this platform. Check its policies and registrations.',
  paused: 'The registration is paused. Resume it, and the person starts again.',
  disconnecting: 'An account of the same person is being disconnected. The person tries again in a minute.',
};

export const describeRefusal = (code: string | null): string | null => (code && REFUSALS[code]) || null;
