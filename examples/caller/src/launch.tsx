import { launchForm } from 'social-account-connection-client';
import type { Studio, StudioContext } from './context.ts';
import { isUnserved, type Launch } from './sessions.ts';
import { Message } from './views/components.tsx';
import { renderPage } from './views/layout.tsx';

/** Serves the form of a launch once. The route has checked that this browser session created the launch. */
export function serveLaunch(c: StudioContext, { config }: Studio, launch: Launch, to: string, startAgain: string) {
  const { url, token } = launch;
  if (token === undefined || !isUnserved(launch)) {
    return renderPage(
      c,
      { title: 'Start again', status: 409 },
      <Message title="This link has expired">
        <p>It works once and for ten minutes. If {to} is still open in another tab, you can continue there.</p>
        <a class="button main" href={startAgain}>
          Start again
        </a>
      </Message>,
    );
  }
  if (c.req.method === 'GET') launch.token = undefined; // A HEAD request has not served the form.
  // No other page contains the token. Its form submits itself; without scripts, the person presses the button.
  const text = `Continue to ${to}`;
  const page = launchForm(
    { launchUrl: url, launchToken: token },
    { title: text, button: text, authorizationOrigins: config.launchOrigins },
  );
  return c.body(page.html, 200, page.headers);
}

/**
 * Refuses an id that this browser session did not start. The application does not look it up. The attempt may have
 * succeeded all the same, for example if the person signed out or this application restarted in the meantime.
 */
export const renderForeignReturn = (c: StudioContext) =>
  renderPage(
    c,
    { title: 'Not started here', status: 403 },
    <Message title="Not started in this browser">
      <p>
        This link does not belong to anything that you started since you signed in with this browser, so we cannot show
        its result.
      </p>
      <p>
        If you have just allowed access to an account, it may be connected: sign in as before and look at “Your
        accounts”. Otherwise, start again here.
      </p>
      <a class="button main" href="/">
        Go to Demo Studio
      </a>
    </Message>,
  );
