import { Readable } from 'node:stream';
import type { ReadableStream } from 'node:stream/web';
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import type { JWTPayload } from 'jose';
import type { Context, Provider } from 'oidc-provider';
import { answerWithFault, type CreateFailure } from '../answer-with-fault.ts';
import { createJsonResponse } from '../json.ts';
import type { World } from '../world.ts';
import { falsifyClaims, falsifyIdToken, ID_TOKEN_LIES, USERINFO_LIES } from './lies.ts';

const createFailure: CreateFailure = (failure, retryAfterSeconds) => {
  const status = failure === 'quota' ? 429 : failure;
  const headers = retryAfterSeconds === undefined ? {} : { 'retry-after': String(retryAfterSeconds) };
  return createJsonResponse({ error: status === 503 ? 'temporarily_unavailable' : 'server_error' }, status, headers);
};

/** Puts the sandbox's faults, lies and call log in front of an honest provider. */
export function misbehave(provider: Provider, world: World, signingKey: CryptoKey): void {
  provider.use(async (context, next) => {
    const route = routeOf(context.path);
    const at = world.clock.now();
    const fault = world.faults.take('IDP', route, null);
    let status: number | null;
    if (fault === null) {
      await next();
      await lie(context, world, route, signingKey);
      status = context.status;
    } else {
      const produce = async () => {
        await next();
        return toResponse(context);
      };
      const outcome = await answerWithFault(fault, produce, createFailure, context.res);
      status = outcome.status;
      fromResponse(context, outcome.response);
    }
    world.calls.add({
      at,
      provider: 'IDP',
      route,
      method: context.method,
      path: `/idp${context.path}`,
      parameters: { ...context.query, ...context.oidc?.params },
      account: context.oidc?.session?.accountId ?? null,
      status,
      fault: fault?.kind ?? null,
      violations: [],
    });
  });
}

function routeOf(path: string): string {
  if (path.startsWith('/.well-known/')) return 'discovery';
  if (path.startsWith('/auth/')) return 'resume';
  return ROUTES[path] ?? 'other';
}

/** Makes the provider's routes known before its first call. */
export function addIdpRoutes({ faults }: World): void {
  for (const route of ['discovery', 'resume', ...Object.values(ROUTES)]) faults.addRoute('IDP', route);
}

const ROUTES: Readonly<Record<string, string>> = {
  '/auth': 'authorize',
  '/token': 'token',
  '/me': 'userinfo',
  '/jwks': 'jwks',
};

async function lie(context: Context, world: World, route: string, signingKey: CryptoKey): Promise<void> {
  const { body } = context;
  if (route === 'token' && isRecord(body) && typeof body.id_token === 'string') {
    const lies = world.faults.takeLies(route, ID_TOKEN_LIES);
    if (lies.length > 0) context.body = { ...body, id_token: await falsifyIdToken(body.id_token, lies, signingKey) };
  }
  if (route === 'userinfo' && isRecord(body)) {
    const lies = world.faults.takeLies(route, USERINFO_LIES);
    if (lies.length > 0) context.body = falsifyClaims(body as JWTPayload, lies);
  }
  const { location } = context.response.headers;
  if (route === 'resume' && typeof location === 'string' && URL.canParse(location)) {
    const url = new URL(location);
    if (!url.searchParams.has('iss') || world.faults.takeLies('authorize', ['issMissing']).length === 0) return;
    url.searchParams.delete('iss');
    context.set('location', url.href);
  }
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Buffer.isBuffer(value) && !(value instanceof Readable);

function toResponse(context: Context): Response {
  const headers = new Headers();
  for (const [name, value] of Object.entries(context.response.headers)) {
    for (const one of [value].flat()) if (one !== undefined) headers.append(name, String(one));
  }
  headers.delete('content-length');
  const { body } = context;
  return new Response(isRecord(body) ? JSON.stringify(body) : String(body ?? ''), { status: context.status, headers });
}

function fromResponse(context: Context, response: Response): void {
  if (response === RESPONSE_ALREADY_SENT) {
    context.respond = false;
    return;
  }
  context.status = response.status;
  for (const [name, value] of response.headers) context.set(name, value);
  context.body = response.body === null ? '' : Readable.fromWeb(response.body as ReadableStream);
}
