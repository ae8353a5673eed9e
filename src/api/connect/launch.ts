import type { Context } from 'hono';
import { listLaunchOrigins } from '../../store/apps/addresses.ts';
import type { HttpEnv } from '../http/exchange.ts';
import { createRandomToken, sha256 } from '../tokens.ts';
import { markBrowser } from './cookie.ts';
import type { ConnectDeps, Flow, FlowAttempt } from './flow.ts';
import { Refused } from './refused.ts';

const LAUNCH_TOKEN = /^[0-9a-f]{64}$/;

/**
 * Accepts a launch token from the form of an app's page once, and sends the browser to the consent page.
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
    if (!isLaunchAllowed(headers, origins)) {
      throw new Refused('wrongOrigin', attempt, { origin: describeOrigin(headers) });
    }
    const stage = flow.findStage(attempt);
    if (stage !== 'CREATED') throw new Refused(stage === 'EXPIRED' ? 'launchExpired' : 'launchUsed', attempt);
    if (!mayLaunch(c.get('exchange').address)) throw new Refused('tooManyTries', attempt);

    const state = createRandomToken();
    const browser = createRandomToken();
    const url = await flow.launch(attempt, { state, stateSha256: sha256(state), browserSha256: sha256(browser) });
    markBrowser(c, attempt.attemptId, browser, deps.connectUrl.startsWith('https:'));
    c.get('exchange').log.info('Attempt launched', { attemptId: attempt.attemptId, codes: ['launched'] });
    return c.redirect(url, 303);
  };

/** @throws Refused `wrongForm` unless the form holds exactly one launch token. */
async function readLaunchToken(c: Context<HttpEnv>): Promise<string> {
  const mediaType = c.req.header('content-type')?.split(';')[0]?.trim().toLowerCase();
  if (mediaType !== 'application/x-www-form-urlencoded') throw new Refused('wrongForm');
  const tokens = new URLSearchParams(await c.req.text()).getAll('launchToken');
  const [token] = tokens;
  if (token === undefined || tokens.length > 1 || !LAUNCH_TOKEN.test(token)) throw new Refused('wrongForm');
  return token;
}

/**
 * Checks that a page of this app posted the form. Without this check, an attacker could post their own token in another
 * person's browser and link that person's account to themselves.
 *
 * Every browser sends `Origin` with a cross-origin POST. Browsers that send `Sec-Fetch-Site` always send `Origin` too,
 * so a request with only the former is suspicious. Sandboxed pages and pages that hide their origin send `null`. A
 * launch must navigate the whole page, because a consent page inside a frame is open to clickjacking.
 */
function isLaunchAllowed(headers: Headers, origins: readonly string[]): boolean {
  const destination = headers.get('sec-fetch-dest');
  if (destination !== null && destination !== 'document') return false;
  const origin = headers.get('origin');
  return origin === null ? !headers.has('sec-fetch-site') : origins.includes(origin);
}

/** @returns the origin that the browser sent, or `none`: an origin has at most 261 characters and nothing else in it. */
function describeOrigin(headers: Headers): string {
  const origin = headers.get('origin') ?? '';
  return origin.length <= 261 && URL.canParse(origin) && new URL(origin).origin === origin ? origin : 'none';
}
