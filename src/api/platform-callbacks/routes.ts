import { type Context, Hono } from 'hono';
import { createMiddleware } from 'hono/factory';
import { asId, type RegistrationId } from '../../basics/ids.ts';
import { handleNotification, type NotificationDeps } from '../../domain/disconnecting/handle-notification.ts';
import type { PlatformCallback, PlatformNotice, PlatformRequest } from '../../providers/facts.ts';
import {
  type CallbackRegistration,
  findCallbackRegistration,
  findDeletionRequest,
} from '../../store/erasures/platform-callbacks.ts';
import { associatedData } from '../../vault/associated-data.ts';
import type { Operator } from '../connect/operator.ts';
import { choosePageLanguage } from '../connect/page-language.ts';
import { setLanguageHeaders, setPageHeaders } from '../connect/set-page-headers.ts';
import type { ApiDeps } from '../deps.ts';
import { acceptBody } from '../http/bodies.ts';
import { decodeBody } from '../http/decode-body.ts';
import type { HttpEnv } from '../http/exchange.ts';
import { inTime, unavailable } from '../http/in-time.ts';
import { TokenBuckets } from '../http/token-buckets.ts';
import { renderDeletionPage } from './deletion-page.tsx';

export interface PlatformDeps extends NotificationDeps, Pick<ApiDeps, 'openEdge'> {
  /** The base URL of these routes for platforms and browsers, without a slash at the end. */
  readonly connectUrl: string;
  readonly operator?: Operator;
}

/** Platforms send a few hundred bytes. */
const MAX_BODY_BYTES = 16 * 1024;
/** The rate of failed requests from one address: without a valid signature, or for an unknown code. */
const FAILURE_RATE = { perSecond: 0.5, burst: 30 };
/** The rate of all requests from an address that exceeds the first. A valid request may still come from there. */
const SUSPECT_RATE = { perSecond: 1, burst: 30 };
/** Unfinished requests. A platform sends a refused one again. */
const MAX_UNFINISHED = 1_000;
const CODE = /^[0-9a-f]{32}$/;

/** Creates the routes that platforms call, and the page that shows the state of a deletion request to a person. */
export function createPlatformRoutes(deps: PlatformDeps): Hono<HttpEnv> {
  const routes = new Hono<HttpEnv>();
  const failures = new TokenBuckets();
  const suspects = new TokenBuckets();
  // Runs before any database query. A platform that sends valid signatures is never limited.
  const limitSuspects = createMiddleware<HttpEnv>(async (c, next) => {
    const { address } = c.get('exchange');
    const suspected = !failures.has(address, FAILURE_RATE);
    return suspected && !suspects.take(address, SUSPECT_RATE) ? tooMany(c) : await next();
  });
  const served = inTime(unavailable, { most: MAX_UNFINISHED });
  const hasFailedTooOften = (c: Context<HttpEnv>) => !failures.take(c.get('exchange').address, FAILURE_RATE);

  routes.post(
    '/api/platform/:slug/:registrationId/:path',
    limitSuspects,
    acceptBody(MAX_BODY_BYTES),
    served,
    async (c) => {
      const { log, correlationId } = c.get('exchange');
      const body = Buffer.from(await c.req.arrayBuffer());
      if (decodeBody(body, c.req.header('content-type')) === undefined) {
        return hasFailedTooOften(c) ? tooMany(c) : c.text('The body must be UTF-8, without compression.', 400);
      }
      const found = await findCallback(deps, c.req.param());
      const notice = found && (await prove(deps, found, body, c));
      if (!notice) {
        log.warn('Platform callback has no valid signature', {
          ...(found && { registrationId: found.callee.registrationId }),
        });
        return hasFailedTooOften(c) ? tooMany(c) : c.text('The signature of this request is invalid.', 403);
      }
      const { callee, callback } = found;
      const { outcome, count, code } = await handleNotification(deps, callee, notice, correlationId);
      const { registrationId, provider } = callee;
      log.info('Platform callback handled', { registrationId, provider, code: outcome, count });
      if (code === undefined || !callback.confirm) return c.text('Received.');
      return c.json(callback.confirm({ code, url: `${deps.connectUrl}/deletion/${code}` }));
    },
  );

  routes.get('/deletion/:code', setPageHeaders, limitSuspects, served, async (c) => {
    const code = c.req.param('code');
    const request = CODE.test(code) ? await findDeletionRequest(deps.sql, code) : undefined;
    if (!request && hasFailedTooOften(c)) return tooMany(c);
    const language = choosePageLanguage(c.req.header('accept-language'));
    setLanguageHeaders(c, language);
    return c.html(renderDeletionPage(request && { ...request, code }, language, deps.operator), request ? 200 : 404);
  });
  return routes;
}

function tooMany(c: Context): Response {
  c.header('retry-after', '60');
  return c.text('Too many failed requests from your network in a short time.', 429);
}

interface Found {
  readonly callee: CallbackRegistration;
  readonly callback: PlatformCallback;
}

/** The URL names the registration. Only its secrets are tried, and only its connections are affected. */
async function findCallback(
  { sql, facts }: PlatformDeps,
  { slug, registrationId, path }: { slug: string; registrationId: string; path: string },
): Promise<Found | undefined> {
  const id = asId<RegistrationId>(registrationId);
  const callee = id && (await findCallbackRegistration(sql, id));
  if (!callee || facts[callee.provider].slug !== slug) return undefined;
  const callback = facts[callee.provider].platformCallbacks.find((one) => one.path === path);
  return callback && { callee, callback };
}

async function prove(
  { openEdge }: PlatformDeps,
  { callee, callback }: Found,
  body: Buffer,
  c: Context<HttpEnv>,
): Promise<PlatformNotice | undefined> {
  const { clientId, now, secrets } = callee;
  const request: Omit<PlatformRequest, 'secret'> = { body, header: (name) => c.req.header(name), clientId, now };
  for (const { secretId, sealedSecret } of secrets) {
    const notice = callback.read({
      ...request,
      secret: await openEdge(sealedSecret, associatedData.callbackSecret(secretId)),
    });
    if (notice) return notice;
  }
  return undefined;
}
