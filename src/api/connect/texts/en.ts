import type { PageTexts } from './page-texts.ts';

export const en: PageTexts = {
  unknownApp: 'the app you came from',
  back: 'Back to {app}',
  reference: 'Need help? Quote this reference:',
  operator: {
    by: 'This service is operated by {operator}.',
    contact: 'Contact',
    privacy: 'Privacy policy',
    terms: 'Terms',
  },
  connect: { headline: 'Connect an account', nothing: 'Nothing was connected.', doing: 'connecting an account' },
  identity: { headline: 'Sign in', nothing: 'You have not been signed in.', doing: 'signing in' },
  onward: { title: 'One moment', link: 'Continue' },
  refusals: {
    wrongMethod: {
      title: 'This page cannot be opened directly',
      what: 'This address is one step of {doing}. It does not work on its own.',
      todo: 'Go to {app} and start there.',
    },
    wrongForm: {
      title: 'This link is incomplete',
      what: 'We could not read the request that brought you here. {nothing}',
      todo: 'Go back to {app} and start again.',
    },
    formTooLarge: {
      title: 'This link is incomplete',
      what: 'We could not read the request that brought you here. {nothing}',
      todo: 'Go back to {app} and start again.',
    },
    launchUnknown: {
      title: 'This link does not work',
      what: 'The link may be incomplete or too old. {nothing}',
      todo: 'Go back to {app} and start again.',
    },
    launchUsed: {
      title: 'This link was already used',
      what: 'Each link works once, and this one was opened before, perhaps by a second click. If the next page is open in another tab, you can continue there.',
      todo: 'Otherwise, go back to {app} and start again.',
    },
    launchExpired: {
      title: 'This link has expired',
      what: 'It was valid for ten minutes. {nothing}',
      todo: 'Go back to {app} and start again.',
    },
    wrongOrigin: {
      title: 'We stopped this request',
      what: 'The page that sent it does not belong to {app}. {nothing}',
      todo: 'If you wanted to do this, open {app} yourself and start there.',
    },
    framed: {
      title: 'This step needs the whole window',
      what: 'The page that you came from is inside another page. {nothing}',
      todo: 'Open {app} in a window of its own and start there.',
    },
    notNavigation: {
      title: 'This step needs a page of its own',
      what: 'The request did not come from a page that you opened. {nothing}',
      todo: 'Go to {app} and start again.',
    },
    notAllowed: {
      title: 'This is no longer possible',
      what: 'The settings of {app} have changed since you started. {nothing}',
      todo: 'Go back to {app} to see your options.',
    },
    paused: {
      title: 'Connecting is paused',
      what: 'You cannot connect accounts at this platform right now. {nothing}',
      todo: 'Go back to {app} and try again later.',
    },
    disconnecting: {
      title: 'A disconnect is still in progress',
      what: 'We are disconnecting another of your accounts at the same platform. You can connect an account once that is done.',
      todo: 'Go back to {app} and try again in a few minutes.',
    },
    callbackUnknown: {
      title: 'This link is invalid or was already used',
      what: 'This step is already done, or it was never started.',
      todo: 'Go back to {app} and start again.',
    },
    callbackExpired: {
      title: 'That took too long',
      what: 'We wait ten minutes for your decision. {nothing}',
      todo: 'Go back to {app} and start again.',
    },
    wrongBrowser: {
      title: 'Please continue in the browser where you started',
      what: 'You started in another browser, or this browser did not keep our cookie.',
      todo: 'Go back to that browser. If it is this one, allow cookies and start again from {app}.',
    },
    answerUnusable: {
      title: 'The response was invalid',
      what: 'The platform sent you back with a response that we cannot accept. {nothing}',
      todo: 'Go back to {app} and start again.',
    },
    prefetch: { title: 'Not opened yet', what: 'This page cannot be loaded in advance.', todo: 'Open it to continue.' },
    tooManyTries: {
      title: 'Too many attempts',
      what: 'We received too many requests from your network in a short time.',
      todo: 'Wait a minute, then go back to {app} and start again.',
    },
    unavailable: {
      title: 'Temporarily unavailable',
      what: 'We, or a service that we depend on, have a problem. Your progress is not lost.',
      todo: 'Wait a moment and reload this page. If that does not help, start again from {app}.',
    },
  },
  deletion: {
    about: 'Deletion of your data',
    unknown: 'Unknown confirmation code',
    checkAddress: 'Check that the address matches the one the platform gave you.',
    done: 'Your data has been deleted',
    running: 'Your data is being deleted',
    received: 'We received your request on {date}.',
    nothing: 'No data to delete',
    nothingFound:
      'When we received your request, no account of yours was connected with us. So there was nothing to delete.',
    afterwards: 'We deleted all data of the accounts that were connected when you made the request.',
    spared:
      'You connected an account again after you had made the request. It is still connected. Disconnect it in the app to delete its data.',
    kept: 'We keep only this code and the date, for one year. Technical receipts, which do not name you, are deleted after seven days.',
    copies: 'The app may have copies of your data. Ask it to delete them.',
    meanwhile: 'No one can read it any more. You can check the progress on this page.',
    code: 'Your confirmation code:',
  },
};
