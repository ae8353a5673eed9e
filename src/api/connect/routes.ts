import { type Context, Hono } from 'hono';
import { createMiddleware } from 'hono/factory';
import { type AttemptId, asId, type CorrelationId } from '../../basics/ids.ts';
import { IssuerUnavailable } from '../../identity/discovery.ts';
import { recordBrowserRefusal } from '../../store/attempts/attempt-causes.ts';
import { acceptBody } from '../http/bodies.ts';
import type { HttpEnv } from '../http/exchange.ts';
import { ANSWER_WITHIN_MS, inTime } from '../http/in-time.ts';
import { TokenBuckets } from '../http/token-buckets.ts';
import { createCallbackHandler } from './callback.ts';
import { createConnectFlow } from './connect-flow.ts';
import { findOwnBrowser } from './cookie.ts';
import { chooseLanguage, describeApp } from './describe-app.ts';
import type { ConnectDeps, Flow } from './flow.ts';
import { type FlowAttempt, toLogFields } from './flow-attempt.ts';
import { createIdentityFlow } from './identity-flow.ts';
import { createLaunchHandler, createRepeatHandler } from './launch.ts';
import { renderPage } from './page.tsx';
import { REFUSAL_PAGES } from './page-texts.ts';
import { type Refusal, Refused } from './refused.ts';
import { buildFrontPageUrl, buildResultUrl } from './result-url.ts';
import { setLanguageHeaders, setLookHeaders, setPageHeaders } from './set-page-headers.ts';

/** The limit of a launch's form. One token and its name need 80 bytes. */
const MAX_FORM_BYTES = 4 * 1024;

/**
 * Refusals that only guesses and attacks cause. An address over the rate gets no more details about its failures.
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

/**
 * Refusals of a callback after which its URL is of no more use. It may hold an unspent code, so the page gets a
 * URL of its own, which people may paste into a message. The other pages ask the person to open the same URL again.
 */
const HIDES_CALLBACK: readonly Refusal[] = [
  'callbackUnknown',
  'callbackExpired',
  'wrongBrowser',
  'answerUnusable',
  'tooManyTries',
];

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
  const { launchesPerAddress: most, answerWithinMs = ANSWER_WITHIN_MS } = deps;
  /** Finished attempts count, too: each may have cost a call to the platform. */
  const mayLaunch = (address: string) => launches.take(address, { perSecond: most / 600, burst: most });
  // After the form has been read, so that slow senders do not count.
  const served = inTime(() => new Refused('unavailable'), { most: MAX_UNFINISHED, answerWithinMs });
  const connect = createConnectFlow(deps);
  const identity = createIdentityFlow(deps);

  routes.use('/api/connect/*', setPageHeaders, limitVisits);
  routes.use('/api/identity/*', setPageHeaders, limitVisits);
  routes.post('/api/connect/redeem', takesForm, served, createLaunchHandler(deps, connect, mayLaunch));
  routes.post('/api/identity/redeem', takesForm, served, createLaunchHandler(deps, identity, mayLaunch));
  routes.get('/api/connect/callback/:slug', served, createCallbackHandler(deps, connect, 'slug'));
  routes.get('/api/identity/callback/:issuerId', served, createCallbackHandler(deps, identity, 'issuerId'));
  routes.get('/api/connect/again', served, createRepeatHandler(deps, connect));
  routes.get('/api/identity/again', served, createRepeatHandler(deps, identity));
  routes.get('/api/connect/refused', served, (c) => showRefused(c, connect));
  routes.get('/api/identity/refused', served, (c) => showRefused(c, identity));
  for (const flow of ['connect', 'identity'] as const) {
    routes.all(`/api/${flow}/redeem`, only('POST'));
    routes.all(`/api/${flow}/refused`, only('GET'));
    routes.all(`/api/${flow}/again`, only('GET'));
    routes.all(`/api/${flow}/callback/:place`, only('GET'));
  }

  routes.onError(async (error, c) => {
    const { log, address, correlationId } = c.get('exchange');
    const { refusal, attempt, ownEnd, origin } = error instanceof Refused ? error : new Refused('unavailable');
    if (error instanceof Refused) {
      log.info('Browser refused', {
        codes: [refusal],
        ...(attempt && toLogFields(attempt)),
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
    const about = throttled ? undefined : attempt;
    if (about !== undefined && refusal !== 'prefetch')
      await recordBrowserRefusal(deps.sql, `${flowOf(c)}_attempt`, about.attemptId, refusal).catch((failed: unknown) =>
        log.warn('The refusal of a browser was not stored', { ...toLogFields(about), error: failed }),
      );
    if (HIDES_CALLBACK.includes(shown) && new URL(c.req.url).searchParams.has('state')) {
      const query = new URLSearchParams({
        why: shown,
        ...(about ? { attempt: about.attemptId } : { reference: correlationId }),
      });
      return c.redirect(`${deps.connectUrl}/api/${flowOf(c)}/refused?${query}`, 303);
    }
    return await showPage(c, shown, about, { ownEnd, reference: correlationId });
  });

  /** Shows the page of a refused callback at a URL without the code. A made-up URL reveals only the app's name. */
  async function showRefused<Attempt extends FlowAttempt>(c: Context<HttpEnv>, flow: Flow<Attempt>): Promise<Response> {
    const query = new URL(c.req.url).searchParams;
    const why = HIDES_CALLBACK.find((refusal) => refusal === query.get('why'));
    if (why === undefined) throw new Refused('callbackUnknown');
    if (why === 'tooManyTries') c.header('retry-after', '60');
    const attemptId = asId<AttemptId>(query.get('attempt') ?? '');
    const attempt = attemptId && (await flow.find(attemptId));
    const ownEnd =
      attempt !== undefined &&
      flow.findStage(attempt) === 'EXPIRED' &&
      findOwnBrowser(c, attempt, deps.connectUrl.startsWith('https:')) !== undefined;
    const reference = asId<CorrelationId>(query.get('reference') ?? '') ?? c.get('exchange').correlationId;
    return await showPage(c, why, attempt, { ownEnd, reference });
  }

  /** @param reference of a page without an attempt: it is only in the log */
  async function showPage(
    c: Context<HttpEnv>,
    refusal: Refusal,
    attempt: FlowAttempt | undefined,
    { ownEnd, reference }: { ownEnd: boolean; reference: CorrelationId },
  ): Promise<Response> {
    const app = attempt && (await describeApp(c, deps, attempt));
    const language = chooseLanguage(c, app);
    setLanguageHeaders(c, language);
    if (app) setLookHeaders(c, app.look, refusal === 'framed');
    const page = renderPage({
      language,
      refusal,
      flow: flowOf(c),
      // The form of another site brings no cookie along. The request after this page shows whether it is the same browser.
      next:
        refusal === 'launchUsed' && attempt && c.req.method === 'POST'
          ? `${deps.connectUrl}/api/${flowOf(c)}/again?attempt=${attempt.attemptId}`
          : undefined,
      app: app && { ...app, backUrl: ownEnd ? buildResultUrl(attempt) : buildFrontPageUrl(attempt) },
      correlationId: attempt?.correlationId ?? reference,
      operator: deps.operator,
      platforms: attempt?.provider === undefined ? [] : deps.facts[attempt.provider].terms,
    });
    return c.html(page, REFUSAL_PAGES[refusal].status);
  }
  return routes;
}

const flowOf = (c: Context<HttpEnv>) => (c.req.path.startsWith('/api/identity/') ? 'identity' : 'connect');

const takesForm = acceptBody(MAX_FORM_BYTES, () => {
  throw new Refused('formTooLarge');
});

const only = (method: 'GET' | 'POST') => (c: Context<HttpEnv>) => {
  c.header('allow', method);
  throw new Refused('wrongMethod');
};
