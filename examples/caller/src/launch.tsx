import type { Studio, StudioContext } from './context.ts';
import { buildContentSecurityPolicy } from './headers.ts';
import { isUnserved, type Launch } from './sessions.ts';
import { LaunchForm } from './views/launch.tsx';
import { renderPage } from './views/layout.tsx';
import { Message } from './views/message.tsx';

/** Serves a launch's form to the browser it was created for, once. Whether this is that browser, the route has checked. */
export function serveLaunch(c: StudioContext, { config }: Studio, launch: Launch, to: string, startAgain: string) {
  const { url, token } = launch;
  if (token === undefined || !isUnserved(launch)) {
    return renderPage(
      c,
      { title: 'Start again', status: 409 },
      <Message title="This step has been used">
        <p>It works once, and for ten minutes. If {to} is still open in another tab, you can go on there.</p>
        <a class="button main" href={startAgain}>
          Start again
        </a>
      </Message>,
    );
  }
  if (c.req.method === 'GET') launch.token = undefined; // A HEAD request has shown the form to nobody.
  c.header('content-security-policy', buildContentSecurityPolicy(config, config.launchOrigins));
  return renderPage(c, { title: `On to ${to}` }, <LaunchForm url={url} token={token} to={to} />);
}

/** The one id the browser has come back with; undefined when there is none, or more than one. */
export function getReturnedId(c: StudioContext): string | undefined {
  const ids = c.req.queries('ss_session_id') ?? [];
  return ids.length === 1 ? ids[0] : undefined;
}

/** Somebody came back with an id that was never given to this browser. Nothing of it is looked up or shown. */
export const renderForeignReturn = (c: StudioContext) =>
  renderPage(
    c,
    { title: 'Not started here', status: 403 },
    <Message title="This was not started here">
      <p>
        You were sent here with something that does not belong to what you began in this browser. Nothing was done with
        it. If you have just been at a provider, start again from here.
      </p>
      <a class="button main" href="/">
        Go to Demo Studio
      </a>
    </Message>,
  );
