import type { Hono } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import { csrf } from 'hono/csrf';
import { HTTPException } from 'hono/http-exception';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import { createClient, ReturnMismatchError, ServiceError } from 'social-account-connection-client';
import { ASSETS } from './assets.ts';
import type { Config } from './config.ts';
import { newRoutes, readVisit, SignInRequired, type Studio, type StudioContext, type StudioEnv } from './context.ts';
import { renderForeignReturn } from './launch.ts';
import { renderMessage } from './layout.ts';
import { accountRoutes } from './pages/account.ts';
import { connectRoutes } from './pages/connect.ts';
import { disconnectRoutes } from './pages/disconnect.ts';
import { eventRoutes, webhookRoutes } from './pages/events.ts';
import { homeRoutes } from './pages/home.ts';
import { legalRoutes } from './pages/legal.ts';
import { postRoutes } from './pages/post.ts';
import { signInRoutes } from './pages/sign-in.ts';
import { Sessions } from './sessions.ts';
import { Storage } from './storage.ts';
import { describeRefusal, ERRORS, TOO_MANY_UNFINISHED } from './texts.ts';
import { TooManySignIns } from './unfinished-sign-ins.ts';

/** Larger than any form of this application. */
const MAX_FORM_BYTES = 16 * 1024;
/** How often old names and receipts are deleted of people who do not come back. */
const FORGET_EVERY_MS = 60 * 60 * 1000;
const PAGES = [homeRoutes, signInRoutes, connectRoutes, accountRoutes, postRoutes, disconnectRoutes, legalRoutes];

const page = (status: ContentfulStatusCode, title: string, text: string) => (c: StudioContext) =>
  renderMessage(c, { title, status }, text);
const tooLarge = page(413, 'Form too large', 'The form is larger than any form of this application.');
const notFound = page(404, 'Page not found', 'Check the URL. The page may have been removed.');
const foreign = page(403, 'Request refused', 'The request did not come from one of our pages. Nothing was changed.');
const broken = page(500, 'Something went wrong', 'This is an error on our side. Please try again in a moment.');

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
  setInterval(() => storage.forgetOld(), FORGET_EVERY_MS).unref();
  const service = createClient({ url: config.SERVICE_GRAPHQL_URL, key: config.SERVICE_API_KEY, ...options });
  const studio: Studio = { config, storage, service, sessions: new Sessions(storage) };
  const headers = Object.entries(getHeaders(config));

  const app = newRoutes();
  app.use(async (c, next) => {
    await next();
    for (const [name, value] of headers) if (!c.res.headers.has(name)) c.header(name, value);
  });
  for (const { url, headers, body } of Object.values(ASSETS)) app.get(url, (c) => c.body(body, 200, headers));
  app.get('/healthz', (c) => c.text('alive'));
  app.route('/', webhookRoutes(studio)); // Signed by the service: no session, and none of the checks of our own forms.
  app.use(async (c, next) => {
    c.set('visit', readVisit(c, studio));
    await next();
  });
  // Accepts forms only from our own pages. The Lax cookie already keeps other sites' forms out; this is the second check.
  app.use(csrf({ origin: config.PUBLIC_URL }));
  app.use(bodyLimit({ maxSize: MAX_FORM_BYTES, onError: tooLarge }));
  for (const routes of [...PAGES, eventRoutes]) app.route('/', routes(studio));
  app.notFound(notFound);
  app.onError((error, c) => {
    if (error instanceof SignInRequired) return c.redirect('/', 303);
    if (error instanceof ReturnMismatchError) return renderForeignReturn(c);
    if (error instanceof ServiceError) return renderRefusal(c, error);
    if (error instanceof HTTPException && error.status === 403) return foreign(c);
    console.error('Unexpected error', error);
    return broken(c);
  });
  return app;
}

function renderRefusal(c: StudioContext, error: ServiceError) {
  const { code, correlationId, retryAfterSeconds } = error;
  const isOurs = error instanceof TooManySignIns;
  // Logs neither the request nor the answer, because they may contain tokens.
  if (!isOurs) console.error('The service refused a request', { code, correlationId });
  if (retryAfterSeconds !== undefined) c.header('retry-after', String(retryAfterSeconds));
  const isConnect = c.req.method === 'POST' && /^\/connect(\/|$)/.test(c.req.path);
  const tooMany = isOurs ? TOO_MANY_UNFINISHED.signIns : isConnect ? TOO_MANY_UNFINISHED.connects : undefined;
  return renderMessage(c, ERRORS[code], describeRefusal(error, tooMany), undefined, correlationId);
}
