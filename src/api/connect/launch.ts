import type { Context } from 'hono';
import { type AttemptId, asId } from '../../basics/ids.ts';
import { listLaunchOrigins } from '../../store/apps/addresses.ts';
import { decodeBody } from '../http/decode-body.ts';
import type { HttpEnv } from '../http/exchange.ts';
import { createRandomToken, sha256 } from '../tokens.ts';
import { findOwnBrowser, markBrowser } from './cookie.ts';
import { chooseLanguage, describeApp } from './describe-app.ts';
import type { ConnectDeps, Flow } from './flow.ts';
import { type FlowAttempt, toLogFields } from './flow-attempt.ts';
import { renderOnwardPage } from './page.tsx';
import { type Refusal, Refused } from './refused.ts';
import { buildResultUrl } from './result-url.ts';
import { setLanguageHeaders, setLookHeaders } from './set-page-headers.ts';

const LAUNCH_TOKEN = /^[0-9a-f]{64}$/;

/**
 * Accepts a launch token from the form of an app's page once, and sends the browser to the consent page. The browser
 * that launched the attempt may post the form again, for example by its back button: it is sent to the same place.
 * @param mayLaunch whether an address may launch one more. If not, the token is still good.
 */
export const createLaunchHandler =
  <Attempt extends FlowAttempt>(deps: ConnectDeps, flow: Flow<Attempt>, mayLaunch: (address: string) => boolean) =>
  async (c: Context<HttpEnv>): Promise<Response> => {
    const token = await readLaunchToken(c);
    const attempt = await flow.findByLaunchToken(sha256(token));
    if (!attempt) throw new Refused('launchUnknown');
    const origins = await listLaunchOrigins(deps.sql, attempt.appId);
    const { headers } = c.req.raw;
    const fault = findLaunchFault(headers, origins);
    if (fault !== undefined) throw new Refused(fault, attempt, { origin: describeOrigin(headers) });
    const stage = flow.findStage(attempt);
    if (stage !== 'CREATED') return await repeatLaunch(c, deps, flow, attempt);
    const { log, address } = c.get('exchange');
    if (!mayLaunch(address)) throw new Refused('tooManyTries', attempt);

    const browser = createRandomToken();
    const url = await flow.launch(attempt, browser);
    markBrowser(c, attempt.attemptId, browser, deps.connectUrl.startsWith('https:'));
    log.info('Attempt launched', { ...toLogFields(attempt), codes: ['launched'] });
    return await sendOn(c, deps, attempt, url);
  };

/**
 * Leads the browser of an attempt on again. A form of another site does not bring the cookie along, so the page that
 * refuses it leads here.
 */
export const createRepeatHandler =
  <Attempt extends FlowAttempt>(deps: ConnectDeps, flow: Flow<Attempt>) =>
  async (c: Context<HttpEnv>): Promise<Response> => {
    const attemptId = asId<AttemptId>(c.req.query('attempt') ?? '');
    const attempt = attemptId && (await flow.find(attemptId));
    if (!attempt) throw new Refused('launchUnknown');
    return await repeatLaunch(c, deps, flow, attempt);
  };

/** @throws Refused unless this is the browser that launched the attempt. Spends nothing. */
async function repeatLaunch<Attempt extends FlowAttempt>(
  c: Context<HttpEnv>,
  deps: ConnectDeps,
  flow: Flow<Attempt>,
  attempt: Attempt,
): Promise<Response> {
  const stage = flow.findStage(attempt);
  if (stage === 'EXPIRED') throw new Refused('launchExpired', attempt);
  const browser = findOwnBrowser(c, attempt, deps.connectUrl.startsWith('https:'));
  if (browser === undefined) throw new Refused('launchUsed', attempt);
  c.get('exchange').log.info('Attempt launched', { ...toLogFields(attempt), codes: ['repeated'] });
  const isOpen = stage === 'AUTHORIZING';
  return await sendOn(c, deps, attempt, isOpen ? await flow.repeatLaunch(attempt, browser) : buildResultUrl(attempt));
}

/** Answers with a page, because the `form-action` of the app's page would apply to a redirect and to all behind it. */
async function sendOn(c: Context<HttpEnv>, deps: ConnectDeps, attempt: FlowAttempt, url: string): Promise<Response> {
  const app = await describeApp(c, deps, attempt);
  const language = chooseLanguage(c, app);
  setLanguageHeaders(c, language);
  const look = { color: app?.look.color ?? null, logo: null }; // The page does not stay long enough for a logo.
  setLookHeaders(c, look);
  // Neither our redirects nor this page reveal anything to the platform.
  c.header('referrer-policy', 'no-referrer');
  return c.html(renderOnwardPage(url, { language, app: app && { name: app.name, look } }));
}

/** @throws Refused `wrongForm` unless the form holds exactly one launch token. */
async function readLaunchToken(c: Context<HttpEnv>): Promise<string> {
  const contentType = c.req.header('content-type');
  const mediaType = contentType?.split(';')[0]?.trim().toLowerCase();
  if (mediaType !== 'application/x-www-form-urlencoded') throw new Refused('wrongForm');
  const text = decodeBody(new Uint8Array(await c.req.arrayBuffer()), contentType);
  const fields = new URLSearchParams(text);
  const tokens = fields.getAll('launchToken');
  const [token] = tokens;
  if (token === undefined || tokens.length > 1 || !LAUNCH_TOKEN.test(token)) throw new Refused('wrongForm');
  return token;
}

const FRAMES = ['iframe', 'frame', 'fencedframe', 'embed', 'object'];

/**
 * Checks that a page of this app posted the form. Without this check, an attacker could post their own token in another
 * person's browser and link that person's account to themselves.
 *
 * Every browser sends `Origin` with a cross-origin POST. Browsers that send `Sec-Fetch-Site` always send `Origin` too,
 * so a request with only the former is suspicious. Sandboxed pages and pages that hide their origin send `null`. A
 * launch must navigate the whole page, because a consent page inside a frame is open to clickjacking.
 */
function findLaunchFault(headers: Headers, origins: readonly string[]): Refusal | undefined {
  const destination = headers.get('sec-fetch-dest') ?? 'document';
  if (FRAMES.includes(destination)) return 'framed';
  if (destination !== 'document') return 'notNavigation';
  const origin = headers.get('origin');
  const isOwn = origin === null ? !headers.has('sec-fetch-site') : origins.includes(origin);
  return isOwn ? undefined : 'wrongOrigin';
}

/** @returns the origin that the browser sent, or `none`: an origin has at most 261 characters and nothing else in it. */
function describeOrigin(headers: Headers): string {
  const origin = headers.get('origin') ?? '';
  return origin.length <= 261 && URL.canParse(origin) && new URL(origin).origin === origin ? origin : 'none';
}
