import type { ContentfulStatusCode } from 'hono/utils/http-status';
import type { Mood } from './layout.tsx';
import type { Refusal } from './refused.ts';

/** Whom and what a page speaks of. */
export interface PageSubject {
  /** The app's name, or words that stand for it. */
  readonly app: string;
  /** As in "Nothing was connected." */
  readonly nothing: string;
  /** As in "one step of connecting an account". */
  readonly doing: string;
}

export interface PageText {
  readonly status: ContentfulStatusCode;
  /** Which picture goes with it. */
  readonly mood: Exclude<Mood, 'done'>;
  readonly title: string;
  readonly what: (subject: PageSubject) => string;
  readonly todo: (subject: PageSubject) => string;
}

const startAgain = ({ app }: PageSubject) => `Go back to ${app} and start again.`;

const incompleteForm = {
  mood: 'lost',
  title: 'This link is not complete',
  what: ({ nothing }) => `We could not read the request that brought you here. ${nothing}`,
  todo: startAgain,
} satisfies Partial<PageText>;

/** What a person is told when turned away: what happened, and what to do now. */
export const PAGE_TEXTS: Readonly<Record<Refusal, PageText>> = {
  wrongMethod: {
    status: 405,
    mood: 'lost',
    title: 'There is nothing to open here',
    what: ({ doing }) => `This address is one step of ${doing}. It does not work on its own.`,
    todo: ({ app }) => `Go to ${app} and start there.`,
  },
  wrongForm: { status: 400, ...incompleteForm },
  formTooLarge: { status: 413, ...incompleteForm },
  launchUnknown: {
    status: 404,
    mood: 'lost',
    title: 'This link does not work',
    what: ({ nothing }) => `It is not one we know: it may have been cut short, or be from long ago. ${nothing}`,
    todo: startAgain,
  },
  launchUsed: {
    status: 409,
    mood: 'stop',
    title: 'This link has been used already',
    what: () => 'Each link works once. If the page it led to is open in another tab, you can go on there.',
    todo: ({ app }) => `Otherwise, go back to ${app} and start again.`,
  },
  launchExpired: {
    status: 410,
    mood: 'wait',
    title: 'This link has expired',
    what: ({ nothing }) => `It was good for ten minutes, and they have passed. ${nothing}`,
    todo: startAgain,
  },
  wrongOrigin: {
    status: 403,
    mood: 'stop',
    title: 'We stopped this request',
    what: ({ app, nothing }) => `It did not come from a page that may start this for ${app}. ${nothing}`,
    todo: ({ app }) => `If you did want this, open ${app} yourself and start there.`,
  },
  notAllowed: {
    status: 403,
    mood: 'stop',
    title: 'This is not possible any more',
    what: ({ app, nothing }) => `The settings of ${app} have changed since you began. ${nothing}`,
    todo: ({ app }) => `Go back to ${app} to see what you can do there.`,
  },
  paused: {
    status: 403,
    mood: 'wait',
    title: 'Connecting is paused',
    what: ({ nothing }) => `For the moment, no accounts can be connected at this platform. ${nothing}`,
    todo: ({ app }) => `Go back to ${app} and try again later.`,
  },
  disconnecting: {
    status: 409,
    mood: 'wait',
    title: 'A disconnect is still under way',
    what: () =>
      'Another account of yours at the same platform is being disconnected. Until that is done, none can be connected.',
    todo: ({ app }) => `Go back to ${app} and try again in a few minutes.`,
  },
  callbackUnknown: {
    status: 404,
    mood: 'lost',
    title: 'We are not waiting for this',
    what: ({ nothing }) => `You were sent here with an answer that fits nothing we have asked. ${nothing}`,
    todo: startAgain,
  },
  callbackExpired: {
    status: 410,
    mood: 'wait',
    title: 'That took a little too long',
    what: ({ nothing }) => `We wait ten minutes for your decision, and they have passed. ${nothing}`,
    todo: startAgain,
  },
  wrongBrowser: {
    status: 403,
    mood: 'stop',
    title: 'Please go on where you began',
    what: ({ nothing }) =>
      `You began in another browser, or this one did not keep the cookie that we set when you began. ${nothing}`,
    todo: ({ app }) => `Go back to where you began. If it was here, allow cookies and start again from ${app}.`,
  },
  answerUnusable: {
    status: 400,
    mood: 'stop',
    title: 'The answer was not usable',
    what: ({ nothing }) => `What you were sent back with is not an answer we can accept. ${nothing}`,
    todo: startAgain,
  },
  prefetch: {
    status: 503,
    mood: 'wait',
    title: 'Not opened yet',
    what: () => 'This page cannot be loaded ahead of time.',
    todo: () => 'Open it to go on.',
  },
  tooManyTries: {
    status: 429,
    mood: 'wait',
    title: 'Too many tries',
    what: () => 'Too many requests have come from your network in a short time.',
    todo: ({ app }) => `Wait a minute, then go back to ${app} and start again.`,
  },
  unavailable: {
    status: 503,
    mood: 'wait',
    title: 'Something is not working',
    what: () => 'The fault is ours, or that of a service we depend on. What you have done is not lost.',
    todo: ({ app }) => `Wait a moment and reload this page. If that does not help, start again from ${app}.`,
  },
};
