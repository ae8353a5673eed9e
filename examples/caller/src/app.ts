import type { Context, Hono } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import { csrf } from 'hono/csrf';
import { HTTPException } from 'hono/http-exception';
import { createClient, ReturnMismatchError, ServiceError } from 'social-account-connection-client';
import { ASSETS } from './assets.ts';
import type { Config } from './config.ts';
import { newRoutes, readVisit, SignInRequired, type Studio, type StudioContext, type StudioEnv } from './context.ts';
import { renderForeignReturn } from './launch.ts';
import { renderMessage } from './layout.ts';
import { accountRoutes } from './pages/account.ts';
import { connectRoutes } from './pages/connect.ts';
import { disconnectRoutes } from './pages/disconnect.ts';
import { eventRoutes } from './pages/events.ts';
import { homeRoutes } from './pages/home.ts';
import { lookupRoutes } from './pages/lookup.ts';
import { postRoutes } from './pages/post.ts';
import { signInRoutes } from './pages/sign-in.ts';
import { webhookRoutes } from './pages/webhooks.ts';
import { Sessions } from './sessions.ts';
import { Storage } from './storage.ts';
import { describeRefusal, ERRORS, TOO_MANY_UNFINISHED } from './texts.ts';
import { TooManySignIns } from './unfinished-sign-ins.ts';

/** Larger than any form of this application. */
const MAX_FORM_BYTES = 16 * 1024;
const PAGES = [homeRoutes, signInRoutes, connectRoutes, accountRoutes, postRoutes, lookupRoutes, disconnectRoutes];

/** Of every response that does not set its own. */
const getHeaders = ({ IMAGE_SOURCES }: Config) => ({
  'content-security-policy': [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "connect-src 'self'",
    `img-src 'self' ${IMAGE_SOURCES.join(' ')}`,
    "form-action 'self'",
    "frame-ancestors 'none'",
    "base-uri 'none'",
  ].join('; '),
  'cache-control': 'no-store',
  // The service's launch requires the `Origin` header of the form. Under `no-referrer`, browsers would send `null`.
  'referrer-policy': 'strict-origin',
  'x-content-type-options': 'nosniff',
  'cross-origin-opener-policy': 'same-origin',
});

/** Creates the application. `fetch` replaces the client that calls the service. */
export function createApp(config: Config, options: { fetch?: typeof fetch } = {}): Hono<StudioEnv> {
  const storage = new Storage(config.DATA_FILE);
  const service = createClient({ url: config.SERVICE_GRAPHQL_URL, key: config.SERVICE_API_KEY, ...options });
  const studio: Studio = { config, storage, service, sessions: new Sessions(storage) };
  const headers = Object.entries(getHeaders(config));

  const app = newRoutes();
  app.use(async (c, next) => {
    await next();
    for (const [name, value] of headers) if (!c.res.headers.has(name)) c.header(name, value);
  });
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
  app.use(csrf({ origin: config.PUBLIC_URL }));
  const tooLarge = (c: Context) =>
    renderMessage(c, { title: 'Form too large', status: 413 }, 'The form is larger than any form of this application.');
  app.use(bodyLimit({ maxSize: MAX_FORM_BYTES, onError: tooLarge }));
  for (const routes of [...PAGES, eventRoutes]) app.route('/', routes(studio));
  app.notFound((c) =>
    renderMessage(c, { title: 'Page not found', status: 404 }, 'Check the URL. The page may have been removed.'),
  );
  app.onError((error, c) => {
    if (error instanceof SignInRequired) return c.redirect('/', 303);
    if (error instanceof ReturnMismatchError) return renderForeignReturn(c);
    if (error instanceof TooManySignIns) {
      return renderRefusal(c, { code: 'RATE_LIMITED', retryAfterSeconds: error.retryAfterSeconds }, 'signIns');
    }
    if (error instanceof ServiceError) {
      // Logs neither the request nor the answer, because they may contain tokens.
      console.error('The service refused a request', { code: error.code, correlationId: error.correlationId });
      const isConnect = c.req.method === 'POST' && c.req.path.startsWith('/connect/');
      return renderRefusal(c, error, error.code === 'RATE_LIMITED' && isConnect ? 'connects' : undefined);
    }
    if (error instanceof HTTPException && error.status === 403) {
      const text = 'The request did not come from one of our pages. Nothing was changed.';
      return renderMessage(c, { title: 'Request refused', status: 403 }, text);
    }
    console.error('Unexpected error', error);
    const text = 'This is an error on our side. Please try again in a moment.';
    return renderMessage(c, { title: 'Something went wrong', status: 500 }, text);
  });
  return app;
}

function renderRefusal(
  c: StudioContext,
  error: Pick<ServiceError, 'code' | 'retryAfterSeconds'> & { correlationId?: string | undefined },
  unfinished: keyof typeof TOO_MANY_UNFINISHED | undefined,
) {
  if (error.retryAfterSeconds !== undefined) c.header('retry-after', String(error.retryAfterSeconds));
  const text = describeRefusal(error, unfinished && TOO_MANY_UNFINISHED[unfinished]);
  return renderMessage(c, ERRORS[error.code], text, { id: error.correlationId });
}
