import { type Context, Hono } from 'hono';
import { createMiddleware } from 'hono/factory';
import { buildLogoUrl } from '../../domain/connecting/redirect-uris.ts';
import { IssuerUnavailable } from '../../identity/discovery.ts';
import { findBrandedApp } from '../../store/apps/branding.ts';
import { acceptBody } from '../http/bodies.ts';
import type { HttpEnv } from '../http/exchange.ts';
import { inTime } from '../http/in-time.ts';
import { TokenBuckets } from '../http/token-buckets.ts';
import { createCallbackHandler } from './callback.ts';
import { createConnectFlow } from './connect-flow.ts';
import type { ConnectDeps, FlowAttempt } from './flow.ts';
import { createIdentityFlow } from './identity-flow.ts';
import { createLaunchHandler } from './launch.ts';
import { renderPage } from './page.tsx';
import { choosePageLanguage } from './page-language.ts';
import { REFUSAL_PAGES } from './page-texts.ts';
import { type Refusal, Refused } from './refused.ts';
import { buildFrontPageUrl, buildResultUrl } from './result-url.ts';
import { setLanguageHeaders, setLookHeaders, setPageHeaders } from './set-page-headers.ts';

/** The limit of a launch's form. One token and its name need 80 bytes. */
const MAX_FORM_BYTES = 4 * 1024;

/**
 * Refusals that only guesses and attacks cause. An address over the rate learns no more details about its failures.
 * Valid attempts from the same address still work.
 */
const SUSPICIOUS: readonly Refusal[] = [
  'wrongForm',
  'formTooLarge',
  'launchUnknown',
  'wrongOrigin',
  'callbackUnknown',
  'wrongBrowser',
];
const SUSPICIOUS_RATE = { perSecond: 0.5, burst: 30 };
/**
 * The rate of all requests from one address, because each one runs statements. It exceeds the needs of all people behind
 * one address.
 */
const VISIT_RATE = { perSecond: 50, burst: 300 };

/** Unfinished requests for these pages: the callbacks that are held, and as many others. */
const MAX_UNFINISHED = 2_000;

/** Creates the browser side of both flows: launch, callback, and a page for each refusal. */
export function createConnectRoutes(deps: ConnectDeps): Hono<HttpEnv> {
  const routes = new Hono<HttpEnv>();
  const suspicious = new TokenBuckets();
  const visits = new TokenBuckets();
  const launches = new TokenBuckets();
  const limitVisits = createMiddleware<HttpEnv>(async (c, next) => {
    if (!visits.take(c.get('exchange').address, VISIT_RATE)) throw new Refused('tooManyTries');
    await next();
  });
  const most = deps.launchesPerAddress;
  /** Finished attempts count, too: each may have cost a call to the platform. */
  const mayLaunch = (address: string) => launches.take(address, { perSecond: most / 600, burst: most });
  // After the form has been read, so that slow senders do not count.
  const served = inTime(() => new Refused('unavailable'), { most: MAX_UNFINISHED });
  const connect = createConnectFlow(deps);
  const identity = createIdentityFlow(deps);

  routes.use('/api/connect/*', setPageHeaders, limitVisits);
  routes.use('/api/identity/*', setPageHeaders, limitVisits);
  routes.post('/api/connect/redeem', takesForm, served, createLaunchHandler(deps, connect, mayLaunch));
  routes.post('/api/identity/redeem', takesForm, served, createLaunchHandler(deps, identity, mayLaunch));
  routes.get('/api/connect/callback/:slug', served, createCallbackHandler(deps, connect, 'slug'));
  routes.get('/api/identity/callback/:issuerId', served, createCallbackHandler(deps, identity, 'issuerId'));
  for (const flow of ['connect', 'identity'] as const) {
    routes.all(`/api/${flow}/redeem`, only('POST'));
    routes.all(`/api/${flow}/callback/:place`, only('GET'));
  }

  routes.onError(async (error, c) => {
    const { log, address, correlationId } = c.get('exchange');
    const { refusal, attempt, ownEnd, origin } = error instanceof Refused ? error : new Refused('unavailable');
    if (error instanceof Refused) {
      log.info('Browser refused', {
        codes: [refusal],
        ...(attempt && { attemptId: attempt.attemptId }),
        ...(origin !== undefined && { origin }),
      });
    } else if (error instanceof IssuerUnavailable) {
      log.warn('Issuer unavailable', { error });
    } else {
      log.error('Unexpected failure', { error });
    }
    const throttled = SUSPICIOUS.includes(refusal) && !suspicious.take(address, SUSPICIOUS_RATE);
    const shown = throttled ? 'tooManyTries' : refusal;
    if (shown === 'tooManyTries') c.header('retry-after', '60');
    const app = attempt && !throttled ? await describeApp(c, deps, attempt, ownEnd) : undefined;
    const language = app?.language ?? choosePageLanguage(c.req.header('accept-language'));
    setLanguageHeaders(c, language);
    if (app) setLookHeaders(c, app.look);
    const page = renderPage({
      language,
      refusal: shown,
      flow: c.req.path.startsWith('/api/identity/') ? 'identity' : 'connect',
      app,
      operator: deps.operator,
      platforms: attempt?.provider === undefined ? [] : deps.facts[attempt.provider].terms,
      // Operators find the attempt by it; the reference of a page without one is only in the log.
      correlationId: throttled ? correlationId : (attempt?.correlationId ?? correlationId),
    });
    return c.html(page, REFUSAL_PAGES[shown].status);
  });
  return routes;
}

/** Reads the app's name and branding, and finds the link back. If that fails, the page is shown without them. */
async function describeApp(c: Context<HttpEnv>, deps: ConnectDeps, attempt: FlowAttempt, ownEnd: boolean) {
  try {
    const found = await findBrandedApp(deps.sql, attempt.appId);
    if (found === undefined) return undefined;
    const { color, language, logo } = found.branding;
    const shown = logo && { url: buildLogoUrl(deps.connectUrl, logo.sha256), width: logo.width, height: logo.height };
    return {
      name: found.name,
      backUrl: ownEnd ? buildResultUrl(attempt) : buildFrontPageUrl(attempt),
      language,
      look: { color, logo: shown },
    };
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
