import { Hono } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import { csrf } from 'hono/csrf';
import { HTTPException } from 'hono/http-exception';
import { createClient, ReturnMismatchError, ServiceError } from 'social-account-connection-client';
import { ASSETS } from './assets.ts';
import type { Config } from './config.ts';
import { readVisit, SignInRequired, type Studio, type StudioContext, type StudioEnv } from './context.ts';
import { setSecurityHeaders } from './headers.ts';
import { renderForeignReturn } from './launch.tsx';
import { accountRoutes } from './routes/account.tsx';
import { connectRoutes } from './routes/connect.tsx';
import { disconnectRoutes } from './routes/disconnect.tsx';
import { eventRoutes } from './routes/events.ts';
import { homeRoutes } from './routes/home.tsx';
import { postRoutes } from './routes/posts.tsx';
import { signInRoutes } from './routes/sign-in.tsx';
import { webhookRoutes } from './routes/webhooks.ts';
import { Sessions } from './sessions.ts';
import { Storage } from './storage.ts';
import { describeRefusal, ERRORS, TOO_MANY_UNFINISHED } from './texts.ts';
import { TooManySignIns } from './unfinished-sign-ins.ts';
import { Message, Reference } from './views/components.tsx';
import { renderPage } from './views/layout.tsx';

/** Larger than any form of this application. */
const MAX_FORM_BYTES = 16 * 1024;

/** Creates the application. `fetch` replaces the client that calls the service. */
export function createApp(config: Config, options: { fetch?: typeof fetch } = {}): Hono<StudioEnv> {
  const storage = new Storage(config.dataFile);
  const service = createClient({ ...config.service, ...options });
  const studio: Studio = { config, storage, service, sessions: new Sessions(storage) };

  const app = new Hono<StudioEnv>();
  app.use(setSecurityHeaders(config));
  for (const { url, type, body } of Object.values(ASSETS)) {
    app.get(url, (c) =>
      c.body(body, 200, { 'content-type': type, 'cache-control': 'public, max-age=31536000, immutable' }),
    );
  }
  app.get('/healthz', (c) => c.text('alive'));
  app.route('/', webhookRoutes(studio)); // Signed by the service: no session, and none of the checks of our own forms.
  app.use(async (c, next) => {
    c.set('visit', readVisit(c, studio));
    await next();
  });
  // Accepts forms only from our own pages. The Lax cookie already keeps other sites' forms out; this is the second check.
  app.use(csrf({ origin: config.publicUrl }));
  app.use(
    bodyLimit({
      maxSize: MAX_FORM_BYTES,
      onError: (c) =>
        renderMessage(
          c as StudioContext,
          413,
          'Form too large',
          'The form is larger than any form of this application.',
        ),
    }),
  );
  for (const routes of [
    homeRoutes,
    signInRoutes,
    connectRoutes,
    accountRoutes,
    postRoutes,
    disconnectRoutes,
    eventRoutes,
  ]) {
    app.route('/', routes(studio));
  }
  app.notFound((c) => renderMessage(c, 404, 'Page not found', 'Check the URL. The page may have been removed.'));
  app.onError((error, c) => {
    if (error instanceof SignInRequired) return c.redirect('/', 303);
    if (error instanceof ReturnMismatchError) return renderForeignReturn(c);
    if (error instanceof HTTPException && error.status === 403) {
      return renderMessage(
        c,
        403,
        'Request refused',
        'The request did not come from one of our pages. Nothing was changed.',
      );
    }
    if (error instanceof ServiceError) {
      const { status, title } = ERRORS[error.code];
      if (error.retryAfterSeconds !== undefined) c.header('retry-after', String(error.retryAfterSeconds));
      // Logs neither the request nor the answer, because they may contain tokens.
      console.error('The service refused a request', { code: error.code, correlationId: error.correlationId });
      const isConnect = c.req.method === 'POST' && c.req.path.startsWith('/connect/');
      const text = error.code === 'RATE_LIMITED' && isConnect ? TOO_MANY_UNFINISHED.connects : undefined;
      return renderMessage(c, status, title, describeRefusal(error, text), error.correlationId);
    }
    if (error instanceof TooManySignIns) {
      const { retryAfterSeconds } = error;
      c.header('retry-after', String(retryAfterSeconds));
      const { status, title } = ERRORS.RATE_LIMITED;
      return renderMessage(
        c,
        status,
        title,
        describeRefusal({ code: 'RATE_LIMITED', retryAfterSeconds }, TOO_MANY_UNFINISHED.signIns),
      );
    }
    console.error('Unexpected error', error);
    return renderMessage(c, 500, 'Something went wrong', 'This is an error on our side. Please try again in a moment.');
  });
  return app;
}

const renderMessage = (
  c: StudioContext,
  status: 400 | 403 | 404 | 409 | 413 | 429 | 500 | 502 | 503,
  title: string,
  text: string,
  reference?: string,
) =>
  renderPage(
    c,
    { title, status },
    <Message title={title}>
      <p>{text}</p>
      <Reference id={reference} />
      <a class="button main" href="/">
        Go to Demo Studio
      </a>
    </Message>,
  );
