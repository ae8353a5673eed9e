import type { Context } from 'hono';
import { areEscapesUtf8 } from '../../basics/utf8.ts';
import type { HttpEnv } from '../http/exchange.ts';
import { isRandomToken, sha256 } from '../tokens.ts';
import { findOwnBrowser } from './cookie.ts';
import type { ConnectDeps, Flow, Stage } from './flow.ts';
import type { FlowAttempt } from './flow-attempt.ts';
import { Refused } from './refused.ts';
import { buildResultUrl } from './result-url.ts';

const REPEATED = { outcome: 'repeated', refusal: undefined } as const;

/** Accepts the answer of the provider or issuer once, and sends the browser back to the app. */
export const createCallbackHandler =
  <Attempt extends FlowAttempt>(deps: ConnectDeps, flow: Flow<Attempt>, place: string) =>
  async (c: Context<HttpEnv>): Promise<Response> => {
    // A preview must not spend the person's callback. After this answer, browsers load the page again when it is opened.
    if (c.req.method === 'HEAD' || isPreview(c.req.raw.headers)) throw new Refused('prefetch');
    const query = new URL(c.req.url).searchParams;
    const attempt = await findAttempt(flow, query, c.req.param(place) ?? '');
    const ownBrowser = findOwnBrowser(c, attempt, deps.connectUrl.startsWith('https:')) !== undefined;
    const stage = flow.findStage(attempt);
    // Checked before the cookie, which expires with the attempt, so that the person reads that it is too late.
    if (stage === 'EXPIRED') throw new Refused('callbackExpired', attempt, { ownEnd: ownBrowser });
    if (!ownBrowser) throw new Refused('wrongBrowser', attempt);

    if (!isReadable(new URL(c.req.url).search)) throw new Refused('answerUnusable', attempt);
    const { attemptId } = attempt;
    const { log } = c.get('exchange');
    const taken = stage === 'AUTHORIZING' ? await flow.takeCallback(attempt, query) : REPEATED;
    const { outcome, refusal } = taken;
    log.info('Callback answered', { attemptId, codes: [outcome] });
    if (refusal)
      log.warn('Authorization request refused', { attemptId, answer: { code: refusal.code, text: refusal.text } });
    if (outcome === 'accepted' || outcome === 'denied' || outcome === 'failed') deps.outbox.deliverSoon();
    const last = await holdForEnd(deps, flow, attempt, c.req.raw.signal);
    // The attempt expired between the lookup and this answer.
    if (outcome === 'late' && last === 'EXPIRED') throw new Refused('callbackExpired', attempt, { ownEnd: true });
    return c.redirect(buildResultUrl(attempt), 303);
  };

/** Whether its escapes are UTF-8. A platform may describe an error in another charset: the refusal counts nevertheless. */
const isReadable = (search: string): boolean =>
  search
    .slice(1)
    .split('&')
    .every((field) => /^error_(?:description|message|reason|uri)=/i.test(field) || areEscapesUtf8(field));

const PREVIEW_HEADERS = ['sec-purpose', 'purpose', 'x-purpose', 'x-moz'];
const isPreview = (headers: Headers): boolean =>
  PREVIEW_HEADERS.some((name) => /prefetch|prerender|preview/i.test(headers.get(name) ?? ''));

async function findAttempt<Attempt extends FlowAttempt>(
  flow: Flow<Attempt>,
  query: URLSearchParams,
  place: string,
): Promise<Attempt> {
  const states = query.getAll('state');
  const [state] = states;
  if (state === undefined || states.length > 1 || !isRandomToken(state)) throw new Refused('callbackUnknown');
  const attempt = await flow.findByState(sha256(state));
  // An answer from the wrong provider is a mix-up or an attack. It must not reveal whether we know the state.
  if (!attempt || !flow.answersAt(attempt, place)) throw new Refused('callbackUnknown');
  return attempt;
}

/**
 * Waits a few seconds for the attempt to end, so that the app can show the outcome when the browser arrives. Does not
 * wait if another callback of the attempt does. @returns the stage of the attempt.
 */
async function holdForEnd<Attempt extends FlowAttempt>(
  { held }: ConnectDeps,
  flow: Flow<Attempt>,
  attempt: Attempt,
  signal: AbortSignal,
): Promise<Stage | undefined> {
  const read = async () => {
    const now = await flow.find(attempt.attemptId);
    return now && flow.findStage(now);
  };
  const hold = held.begin(attempt.attemptId);
  try {
    const stage = await read();
    if (stage !== 'ACCEPTED' || hold === undefined || (await hold.ended(signal))) return stage;
    const last = await read();
    if (last !== 'ACCEPTED') held.missed();
    return last;
  } finally {
    hold?.release();
  }
}
