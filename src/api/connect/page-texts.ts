import type { ContentfulStatusCode } from 'hono/utils/http-status';
import type { Mood } from './layout.tsx';
import type { Refusal } from './refused.ts';

/** The words of a page that depend on the app and the flow. */
export interface PageSubject {
  /** The app's name, or a phrase for it if the name is unknown. */
  readonly app: string;
  /** As in "Nothing was connected." */
  readonly nothing: string;
  /** As in "one step of connecting an account". */
  readonly doing: string;
}

export interface PageText {
  readonly status: ContentfulStatusCode;
  /** Selects the picture. */
  readonly mood: Exclude<Mood, 'done'>;
  readonly title: string;
  readonly what: (subject: PageSubject) => string;
  readonly todo: (subject: PageSubject) => string;
}

const startAgain = ({ app }: PageSubject) => `Go back to ${app} and start again.`;

const incompleteForm = {
  mood: 'lost',
  title: 'This link is incomplete',
  what: ({ nothing }) => `We could not read the request that brought you here. ${nothing}`,
  todo: startAgain,
} satisfies Partial<PageText>;

/** The texts that a person reads after a refusal: the cause and the next step. */
export const PAGE_TEXTS: Readonly<Record<Refusal, PageText>> = {
  wrongMethod: {
    status: 405,
    mood: 'lost',
    title: 'This page cannot be opened directly',
    what: ({ doing }) => `This address is one step of ${doing}. It does not work on its own.`,
    todo: ({ app }) => `Go to ${app} and start there.`,
  },
  wrongForm: { status: 400, ...incompleteForm },
  formTooLarge: { status: 413, ...incompleteForm },
  launchUnknown: {
    status: 404,
    mood: 'lost',
    title: 'This link does not work',
    what: ({ nothing }) => `The link may be incomplete or too old. ${nothing}`,
    todo: startAgain,
  },
  launchUsed: {
    status: 409,
    mood: 'stop',
    title: 'This link was already used',
    what: () => 'Each link works once. If the next page is open in another tab, you can continue there.',
    todo: ({ app }) => `Otherwise, go back to ${app} and start again.`,
  },
  launchExpired: {
    status: 410,
    mood: 'wait',
    title: 'This link has expired',
    what: ({ nothing }) => `It was valid for ten minutes. ${nothing}`,
    todo: startAgain,
  },
  wrongOrigin: {
    status: 403,
    mood: 'stop',
    title: 'We stopped this request',
    what: ({ app, nothing }) => `The page that sent it does not belong to ${app}. ${nothing}`,
    todo: ({ app }) => `If you wanted to do this, open ${app} yourself and start there.`,
  },
  notAllowed: {
    status: 403,
    mood: 'stop',
    title: 'This is no longer possible',
    what: ({ app, nothing }) => `The settings of ${app} have changed since you started. ${nothing}`,
    todo: ({ app }) => `Go back to ${app} to see your options.`,
  },
  paused: {
    status: 403,
    mood: 'wait',
    title: 'Connecting is paused',
    what: ({ nothing }) => `You cannot connect accounts at this platform right now. ${nothing}`,
    todo: ({ app }) => `Go back to ${app} and try again later.`,
  },
  disconnecting: {
    status: 409,
    mood: 'wait',
    title: 'A disconnect is still in progress',
    what: () =>
      'We are disconnecting another of your accounts at the same platform. You can connect an account once that is done.',
    todo: ({ app }) => `Go back to ${app} and try again in a few minutes.`,
  },
  callbackUnknown: {
    status: 404,
    mood: 'lost',
    title: 'This link is invalid or was already used',
    what: ({ nothing }) => `This response does not match any request we made. ${nothing}`,
    todo: startAgain,
  },
  callbackExpired: {
    status: 410,
    mood: 'wait',
    title: 'That took too long',
    what: ({ nothing }) => `We wait ten minutes for your decision. ${nothing}`,
    todo: startAgain,
  },
  wrongBrowser: {
    status: 403,
    mood: 'stop',
    title: 'Please continue in the browser where you started',
    what: ({ nothing }) => `You started in another browser, or this browser did not keep our cookie. ${nothing}`,
    todo: ({ app }) => `Go back to that browser. If it is this one, allow cookies and start again from ${app}.`,
  },
  answerUnusable: {
    status: 400,
    mood: 'stop',
    title: 'The response was invalid',
    what: ({ nothing }) => `The platform sent you back with a response that we cannot accept. ${nothing}`,
    todo: startAgain,
  },
  prefetch: {
    status: 503,
    mood: 'wait',
    title: 'Not opened yet',
    what: () => 'This page cannot be loaded in advance.',
    todo: () => 'Open it to continue.',
  },
  tooManyTries: {
    status: 429,
    mood: 'wait',
    title: 'Too many attempts',
    what: () => 'We received too many requests from your network in a short time.',
    todo: ({ app }) => `Wait a minute, then go back to ${app} and start again.`,
  },
  unavailable: {
    status: 503,
    mood: 'wait',
    title: 'Temporarily unavailable',
    what: () => 'We, or a service that we depend on, have a problem. Your progress is not lost.',
    todo: ({ app }) => `Wait a moment and reload this page. If that does not help, start again from ${app}.`,
  },
};
