import { type Context, Hono } from 'hono';
import { createMiddleware } from 'hono/factory';
import { IssuerUnavailable } from '../../identity/discovery.ts';
import { findAppName } from '../../store/apps.ts';
import { acceptBody } from '../http/bodies.ts';
import type { HttpEnv } from '../http/exchange.ts';
import { TokenBuckets } from '../http/token-buckets.ts';
import { createCallbackHandler } from './callback.ts';
import { createConnectFlow } from './connect-flow.ts';
import type { ConnectDeps, FlowAttempt } from './flow.ts';
import { createIdentityFlow } from './identity-flow.ts';
import { createLaunchHandler } from './launch.ts';
import { renderPage } from './page.tsx';
import { PAGE_TEXTS } from './page-texts.ts';
import { type Refusal, Refused } from './refused.ts';
import { buildFrontPageUrl, buildResultUrl } from './result-url.ts';
import { setPageHeaders } from './set-page-headers.ts';

/** Of a launch's form: one token and its name need 80 bytes. */
const MAX_FORM_BYTES = 4 * 1024;

/**
 * What an attempt cannot have led to, and a guess or an attack can. Beyond the rate an address learns nothing more of
 * its failures; people behind the same address whose attempts are in order are not kept from them.
 */
const STRANGE: readonly Refusal[] = [
  'wrongForm',
  'formTooLarge',
  'launchUnknown',
  'wrongOrigin',
  'callbackUnknown',
  'wrongBrowser',
];
const STRANGE_RATE = { perSecond: 0.5, burst: 30 };
/**
 * Of all requests from one address, since each costs statements whatever comes of it. More than people behind one address
 * can need; only while somebody there sends more are they kept out.
 */
const VISIT_RATE = { perSecond: 50, burst: 300 };

/** The browser side of both flows: launch, callback, and a page for whatever can go wrong on the way. */
export function createConnectRoutes(deps: ConnectDeps): Hono<HttpEnv> {
  const routes = new Hono<HttpEnv>();
  const strangers = new TokenBuckets();
  const visits = new TokenBuckets();
  const limitVisits = createMiddleware<HttpEnv>(async (c, next) => {
    if (!visits.take(c.get('exchange').address, VISIT_RATE)) throw new Refused('tooManyTries');
    await next();
  });
  const connect = createConnectFlow(deps);
  const identity = createIdentityFlow(deps);

  routes.use('/api/connect/*', setPageHeaders, limitVisits);
  routes.use('/api/identity/*', setPageHeaders, limitVisits);
  routes.post('/api/connect/redeem', takesForm, createLaunchHandler(deps, connect));
  routes.post('/api/identity/redeem', takesForm, createLaunchHandler(deps, identity));
  routes.get('/api/connect/callback/:slug', createCallbackHandler(deps, connect, 'slug'));
  routes.get('/api/identity/callback/:issuerId', createCallbackHandler(deps, identity, 'issuerId'));
  for (const flow of ['connect', 'identity'] as const) {
    routes.all(`/api/${flow}/redeem`, only('POST'));
    routes.all(`/api/${flow}/callback/:place`, only('GET'));
  }

  routes.onError(async (error, c) => {
    const { log, address, correlationId } = c.get('exchange');
    const { refusal, attempt, ownEnd } = error instanceof Refused ? error : new Refused('unavailable');
    if (error instanceof Refused) {
      log.info('Browser refused', { codes: [refusal], ...(attempt && { attemptId: attempt.attemptId }) });
    } else if (error instanceof IssuerUnavailable) {
      log.warn('Issuer unavailable', { error });
    } else {
      log.error('Unexpected failure', { error });
    }
    const strange = STRANGE.includes(refusal) && !strangers.take(address, STRANGE_RATE);
    const shown = strange ? 'tooManyTries' : refusal;
    if (shown === 'tooManyTries') c.header('retry-after', '60');
    const page = renderPage({
      refusal: shown,
      flow: c.req.path.startsWith('/api/identity/') ? 'identity' : 'connect',
      app: attempt && !strange ? await describeApp(c, deps, attempt, ownEnd) : undefined,
      correlationId,
    });
    return c.html(page, PAGE_TEXTS[shown].status);
  });
  return routes;
}

/** The app's name and the way back to it; a page without them is better than none. */
async function describeApp(c: Context<HttpEnv>, deps: ConnectDeps, attempt: FlowAttempt, ownEnd: boolean) {
  try {
    const name = await findAppName(deps.sql, attempt.appId);
    return name === undefined
      ? undefined
      : { name, backUrl: ownEnd ? buildResultUrl(attempt) : buildFrontPageUrl(attempt) };
  } catch (error) {
    c.get('exchange').log.error('Unexpected failure', { error });
    return undefined;
  }
}

const takesForm = acceptBody(MAX_FORM_BYTES, () => {
  throw new Refused('formTooLarge');
});

const only = (method: 'GET' | 'POST') => (c: Context<HttpEnv>) => {
  c.header('allow', method);
  throw new Refused('wrongMethod');
};
