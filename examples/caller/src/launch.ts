import { launchForm } from 'social-account-connection-client';
import { linkButton } from './components.ts';
import type { StudioContext } from './context.ts';
import { renderMessage } from './layout.ts';
import { isUnserved, type Launch } from './sessions.ts';

/** Serves the form of a launch once. The route has checked that this browser session created the launch. */
export function serveLaunch(c: StudioContext, launch: Launch, to: string, startAgain: string) {
  const { launchUrl, launchToken } = launch;
  if (launchToken === undefined || !isUnserved(launch)) {
    const text = `It works once and for ten minutes. If ${to} is still open in another tab, you can continue there.`;
    const next = linkButton(startAgain, 'Start again', 'main');
    return renderMessage(c, { title: 'This link has expired', status: 409 }, text, next);
  }
  if (c.req.method === 'GET') launch.launchToken = undefined; // A HEAD request has not served the form.
  // No other page contains the token. Its form submits itself; without scripts, the person presses the button.
  const title = `Continue to ${to}`;
  const page = launchForm({ launchUrl, launchToken }, { title, button: title });
  return c.body(page.html, 200, page.headers);
}

const FOREIGN = [
  'This link does not belong to anything that you started since you signed in with this browser, so we cannot show its result.',
  'If you have just allowed access to an account, it may be connected: sign in as before and look at “Your accounts”. Otherwise, start again here.',
];

/**
 * Refuses an id that this browser session did not start. The application does not look it up. The attempt may have
 * succeeded all the same, for example if the person signed out or this application restarted in the meantime.
 */
export const renderForeignReturn = (c: StudioContext) =>
  renderMessage(c, { title: 'Not started in this browser', status: 403 }, FOREIGN);
