import type { HttpBindings } from '@hono/node-server';
import type { Context, Hono } from 'hono';
import { answerWithFault, type CreateFailure } from './answer-with-fault.ts';
import { letterOf, PLATFORMS, type SandboxProvider } from './model.ts';
import type { World } from './world.ts';

export type SandboxApp = Hono<{ Bindings: HttpBindings }>;

/** The rule for a parameter: a pattern for the whole value, a list of values, or any value. */
export interface Param {
  readonly required?: true;
  readonly is?: RegExp | readonly string[];
  /** Whether it may be given several times, which means the same as one list with commas. */
  readonly isList?: true;
}
export type Params = Readonly<Record<string, Param>>;

/** One API call of a real platform, with every check of the request that needs no state. */
export interface Endpoint {
  readonly provider: SandboxProvider;
  /** Its name in the call log and in faults. */
  readonly route: string;
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly query?: Params;
  /** A function if one parameter decides which others are allowed. */
  readonly form?: Params | ((values: Readonly<Record<string, string>>) => Params);
  /** The members of a JSON body. The handler checks their values. */
  readonly json?: Readonly<Record<string, { readonly required?: true }>>;
  /** Whether it needs `Authorization: Bearer`. `orQuery` also accepts `access_token` in the query. */
  readonly bearer?: 'header' | 'orQuery';
  /** Creates the platform's answer to a malformed request. */
  readonly refuse: (call: EndpointCall, violation: string) => Response;
  readonly createFailure: CreateFailure;
  readonly handle: (call: EndpointCall) => Response | Promise<Response>;
}

/** A checked request. */
export interface EndpointCall {
  readonly url: URL;
  readonly path: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, string>>;
  readonly form: Readonly<Record<string, string>>;
  readonly json: Readonly<Record<string, unknown>>;
  readonly accessToken: string | null;
  readonly cookies: string;
  /** Takes the lower-case name. */
  header(name: string): string | undefined;
  /** Records a part of the request that the real platform does not know or would refuse. */
  violate(violation: string): void;
  /** The account for the log, if only the handler can determine it. */
  account: string | null;
}

/** Serves an endpoint: checks the request, injects faults, answers, and logs the call. */
export function serveEndpoint(app: SandboxApp, world: World, endpoint: Endpoint): void {
  world.faults.addRoute(endpoint.provider, endpoint.route);
  app.on(endpoint.method, endpoint.path, async (context) => {
    const violations: string[] = [];
    const fatal: string[] = [];
    const call = await readCall(context, endpoint, violations, fatal);
    call.account = accountOf(world, call);
    const fault = world.faults.take(endpoint.provider, endpoint.route, call.account);
    const produce = async () => {
      const [first] = fatal;
      return first === undefined ? await endpoint.handle(call) : endpoint.refuse(call, first);
    };
    const at = world.clock.now();
    const outcome = await answerWithFault(fault, produce, endpoint.createFailure, context.env.outgoing);
    world.calls.add({
      at,
      provider: endpoint.provider,
      route: endpoint.route,
      method: endpoint.method,
      path: call.url.pathname,
      parameters: { ...call.query, ...call.form, ...call.json },
      account: call.account,
      status: outcome.status,
      fault: fault?.kind ?? null,
      violations: [...fatal, ...violations],
    });
    return outcome.response;
  });
}

async function readCall(
  context: Context<{ Bindings: HttpBindings }>,
  endpoint: Endpoint,
  violations: string[],
  fatal: string[],
): Promise<EndpointCall> {
  const { req } = context;
  const url = new URL(req.url);
  const contentType = (req.header('content-type') ?? '').split(';')[0]?.trim().toLowerCase() ?? '';
  const text = await req.text();
  const authorization = req.header('authorization');

  const bearerToken = /^Bearer (\S+)$/.exec(authorization ?? '')?.[1] ?? null;
  const ownQuery = endpoint.bearer === 'orQuery' ? { ...endpoint.query, access_token: {} } : (endpoint.query ?? {});
  const query = collect(url.searchParams, ownQuery, 'query parameter', violations);
  check(query, ownQuery, 'query parameter', violations, fatal);

  if (endpoint.bearer === undefined && authorization !== undefined) violations.push('an Authorization header');
  if (authorization !== undefined && bearerToken === null) violations.push('Authorization is not "Bearer <token>"');

  let form: Record<string, string> = {};
  let json: Record<string, unknown> = {};
  if (endpoint.form !== undefined) {
    if (text !== '' && contentType !== 'application/x-www-form-urlencoded')
      fatal.push(`content type ${contentType || '(none)'}`);
    form = collect(new URLSearchParams(text), {}, 'form field', violations);
    const params = typeof endpoint.form === 'function' ? endpoint.form(form) : endpoint.form;
    check(form, params, 'form field', violations, fatal);
  } else if (endpoint.json !== undefined) {
    if (contentType !== 'application/json') fatal.push(`content type ${contentType || '(none)'}`);
    const body = parseObject(text);
    if (body === null) fatal.push('a body that is not a JSON object');
    json = body ?? {};
    check(json, endpoint.json, 'JSON member', violations, fatal);
  } else if (text !== '') {
    violations.push('a body');
  }
  return {
    url,
    path: req.param(),
    query,
    form,
    json,
    accessToken: bearerToken ?? (endpoint.bearer === 'orQuery' ? (query.access_token ?? null) : null),
    cookies: req.header('cookie') ?? '',
    header: (name) => req.header(name),
    violate: (violation) => violations.push(violation),
    account: null,
  };
}

function collect(given: URLSearchParams, params: Params, what: string, violations: string[]): Record<string, string> {
  const values: Record<string, string> = {};
  for (const [name, value] of given) {
    const before = values[name];
    if (before !== undefined && !params[name]?.isList) violations.push(`${what} ${name} given twice`);
    values[name] = before !== undefined && params[name]?.isList ? `${before},${value}` : value;
  }
  return values;
}

function check(
  values: Readonly<Record<string, unknown>>,
  params: Params,
  what: string,
  violations: string[],
  fatal: string[],
): void {
  for (const name of Object.keys(values)) if (!(name in params)) violations.push(`unknown ${what} ${name}`);
  for (const [name, { required, is }] of Object.entries(params)) {
    const value = values[name];
    if (value === undefined || value === '') {
      if (required) fatal.push(`missing ${what} ${name}`);
      else if (value === '') violations.push(`empty ${what} ${name}`);
    } else if (is !== undefined && typeof value === 'string') {
      const fits = is instanceof RegExp ? is.test(value) : is.includes(value);
      if (!fits) fatal.push(`${what} ${name} has a value that the platform does not accept`);
    }
  }
}

function parseObject(text: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : null;
  } catch {
    return null;
  }
}

/** Finds the account of a call by any token or code in it. */
function accountOf(world: World, call: EndpointCall): string | null {
  const { query, form } = call;
  const values = [call.accessToken, form.refresh_token, form.token, form.code, query.access_token, query.token];
  for (const value of values) {
    const grant = value === null || value === undefined ? undefined : world.grants.grantBehind(value);
    if (grant !== undefined) return grant.accountId;
  }
  return null;
}

/** Answers requests for unknown paths and methods with 404 and records a violation. */
export function serveUnknown(app: SandboxApp, world: World): void {
  app.all('/:letter{[a-z]}/*', (context) => {
    const provider = PLATFORMS.find((platform) => letterOf(platform) === context.req.param('letter'));
    if (provider === undefined) return context.notFound();
    world.calls.add({
      at: world.clock.now(),
      provider,
      route: 'unknown',
      method: context.req.method,
      path: context.req.path,
      parameters: context.req.query(),
      account: null,
      status: 404,
      fault: null,
      violations: ['no such path, or not with this method'],
    });
    return context.json({ error: 'not_found' }, 404);
  });
}
