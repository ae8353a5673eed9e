import { type Context, Hono } from 'hono';
import { createMiddleware } from 'hono/factory';
import { handleNotification, type NotificationDeps } from '../../domain/disconnecting/handle-notification.ts';
import { asId, type RegistrationId } from '../../ids.ts';
import type { PlatformCallback, PlatformNotice, PlatformRequest } from '../../providers/facts.ts';
import {
  type CallbackRegistration,
  findCallbackRegistration,
  findDeletionRequest,
} from '../../store/platform-callbacks.ts';
import { associatedData } from '../../vault/associated-data.ts';
import { setPageHeaders } from '../connect/set-page-headers.ts';
import type { ApiDeps } from '../deps.ts';
import { acceptBody } from '../http/bodies.ts';
import type { HttpEnv } from '../http/exchange.ts';
import { TokenBuckets } from '../http/token-buckets.ts';
import { renderDeletionPage } from './deletion-page.tsx';

export interface PlatformDeps extends NotificationDeps, Pick<ApiDeps, 'openEdge'> {
  /** Where platforms and browsers reach these routes, without a slash at the end. */
  readonly connectUrl: string;
}

/** What platforms send has some hundred bytes. */
const MAX_BODY_BYTES = 16 * 1024;
/** Of requests that prove nothing, or name a code nobody was given, from one address. */
const STRANGE_RATE = { perSecond: 0.5, burst: 30 };
/** Of all requests from an address that has used that up: what comes from there may still be proven. */
const SUSPECT_RATE = { perSecond: 1, burst: 30 };
const CODE = /^[0-9a-f]{32}$/;

/** What the platforms themselves call, and the page a person is sent to who has asked one for the deletion of data. */
export function createPlatformRoutes(deps: PlatformDeps): Hono<HttpEnv> {
  const routes = new Hono<HttpEnv>();
  const strangers = new TokenBuckets();
  const suspects = new TokenBuckets();
  // Before anything is read of the database. A platform whose requests prove themselves is never limited.
  const limitSuspects = createMiddleware<HttpEnv>(async (c, next) => {
    const { address } = c.get('exchange');
    const suspected = !strangers.has(address, STRANGE_RATE);
    return suspected && !suspects.take(address, SUSPECT_RATE) ? tooMany(c) : await next();
  });
  const isTooStrange = (c: Context<HttpEnv>) => !strangers.take(c.get('exchange').address, STRANGE_RATE);

  routes.post('/api/platform/:slug/:registrationId/:path', limitSuspects, acceptBody(MAX_BODY_BYTES), async (c) => {
    const { log, correlationId } = c.get('exchange');
    const found = await findCallback(deps, c.req.param());
    const notice = found && (await prove(deps, found, c));
    if (!notice) {
      log.warn('Platform callback not proven', { ...(found && { registrationId: found.callee.registrationId }) });
      return isTooStrange(c) ? tooMany(c) : c.text('This request is not signed as it should be.', 403);
    }
    const { callee, callback } = found;
    const { outcome, count, code } = await handleNotification(deps, callee, notice, correlationId);
    const { registrationId, provider } = callee;
    log.info('Platform callback heeded', { registrationId, provider, code: outcome, count });
    if (code === undefined || !callback.confirm) return c.text('Received.');
    return c.json(callback.confirm({ code, url: `${deps.connectUrl}/deletion/${code}` }));
  });

  routes.get('/deletion/:code', setPageHeaders, limitSuspects, async (c) => {
    const code = c.req.param('code');
    const request = CODE.test(code) ? await findDeletionRequest(deps.sql, code) : undefined;
    if (!request && isTooStrange(c)) return tooMany(c);
    return c.html(renderDeletionPage(request && { ...request, code }), request ? 200 : 404);
  });
  return routes;
}

function tooMany(c: Context): Response {
  c.header('retry-after', '60');
  return c.text('Too many requests from your network have failed in a short time.', 429);
}

interface Found {
  readonly callee: CallbackRegistration;
  readonly callback: PlatformCallback;
}

/** The URL names the registration: only its secrets are tried, and only its connections can be touched. */
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
  c: Context<HttpEnv>,
): Promise<PlatformNotice | undefined> {
  const { clientId, now, secrets } = callee;
  const body = Buffer.from(await c.req.arrayBuffer());
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
