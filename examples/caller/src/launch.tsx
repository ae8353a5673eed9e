import type { FC } from 'hono/jsx';
import type { Studio, StudioContext } from './context.ts';
import { buildContentSecurityPolicy } from './headers.ts';
import { isUnserved, type Launch } from './sessions.ts';
import { Message } from './views/components.tsx';
import { renderPage } from './views/layout.tsx';

/**
 * Posts the launch token to the service's connect host. No other page contains the token. A script submits the form; without
 * scripts, the person presses the button.
 */
const LaunchForm: FC<{ url: string; token: string; to: string }> = ({ url, token, to }) => (
  <section class="card narrow">
    <h1>Continue to {to}</h1>
    <p>The next page asks which permissions you grant. You then return here.</p>
    <form method="post" action={url} data-launch="">
      <input type="hidden" name="launchToken" value={token} />
      <button type="submit" class="main wide">
        Continue to {to}
      </button>
    </form>
  </section>
);

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
  c.header('content-security-policy', buildContentSecurityPolicy(config, config.launchOrigins));
  return renderPage(c, { title: `Continue to ${to}` }, <LaunchForm url={url} token={token} to={to} />);
}

/** The id that the browser returned with; undefined if there is none or more than one. */
export function getReturnedId(c: StudioContext): string | undefined {
  const ids = c.req.queries('ss_session_id') ?? [];
  return ids.length === 1 ? ids[0] : undefined;
}

/** Refuses an id that this browser session did not start. The application does not look it up. */
export const renderForeignReturn = (c: StudioContext) =>
  renderPage(
    c,
    { title: 'Not started here', status: 403 },
    <Message title="Not started in this browser">
      <p>
        This link does not belong to anything that you started in this browser, so we did nothing with it. If you come
        from a provider, start again here.
      </p>
      <a class="button main" href="/">
        Go to Demo Studio
      </a>
    </Message>,
  );
