import type { ExecutionResult, GraphQLError } from 'graphql';
import { createSchema, createYoga, type Plugin } from 'graphql-yoga';
import { parseAccept } from 'hono/utils/accept';
import { countOperation } from '../../telemetry/instruments.ts';
import type { PublicContext } from '../context.ts';
import type { Exchange, RequestHeaders } from '../http/exchange.ts';
import { createAdmission } from './admission.ts';
import { createCompilation } from './compile-documents.ts';
import { chooseStatus, expose } from './errors.ts';
import { guard, type Unguarded } from './guard.ts';
import { LIMITS, type Limits } from './limits.ts';
import { readParams } from './params.ts';
import { DateTime, DecimalCount } from './scalars.ts';

export interface GraphqlOptions {
  /** The path of the endpoint. */
  readonly endpoint: string;
  /** The schema, as text. */
  readonly typeDefs: string;
  /** One for each root field at least. The scalars' resolvers are added here. */
  readonly resolvers: Readonly<Record<string, object>>;
  /** Root fields that need no key. */
  readonly open: readonly string[];
  /**
   * Authenticates the caller, at most once per request. The resolvers of all other root fields receive its result in
   * their context.
   * @throws ServiceError `UNAUTHENTICATED`, `FORBIDDEN` or `RATE_LIMITED`
   */
  readonly authorize: (authorization: string | null, exchange: Exchange, headers: RequestHeaders) => Promise<object>;
  /**
   * Guesses that result before the caller has been checked, for a caller who has passed before. Reads then run while
   * `check` asks what `authorize` would ask. Nothing of them is answered unless it resolves.
   */
  readonly guess?: (authorization: string | null, exchange: Exchange) => Guess | undefined;
  /** The limits of the callers' schema by default. */
  readonly limits?: Limits;
}

export interface Guess {
  readonly context: object;
  /** Starts the check. @throws ServiceError as `authorize` does */
  readonly check: () => Promise<unknown>;
}

/** A POST to the endpoint, its body read within the limit. */
export interface GraphqlRequest {
  readonly headers: RequestHeaders;
  readonly body: string;
}

export interface GraphqlAnswer {
  readonly status: 200 | 400;
  readonly contentType: string;
  readonly body: string;
}

/** Answers one GraphQL request. The answer is always JSON, and each error in it has a code and a correlation id. */
export type Graphql = (request: GraphqlRequest, exchange: Exchange) => Promise<GraphqlAnswer>;

export function createGraphql(options: GraphqlOptions): Graphql {
  const { endpoint, typeDefs, resolvers, open, limits = LIMITS } = options;
  const schema = createSchema({ typeDefs, resolvers: { ...resolvers, DateTime, DecimalCount } });
  const yoga = createYoga<Unguarded>({
    schema: guard(schema, endpoint, open),
    graphqlEndpoint: endpoint,
    plugins: [createAdmission(open, limits), validation, createCompilation()],
    parserAndValidationCache: { documentCache: NO_CACHE, errorCache: NO_CACHE, validationCache: true },
    // `execute` and the plugins above take over these two tasks.
    maskedErrors: false,
    logging: false,
    // HTTP is not Yoga's task here: `getResultForParams` begins where a request has been read.
    maxRequestBodySize: false,
    cors: false,
    graphiql: false,
    landingPage: false,
    multipart: false,
    batching: false,
  });

  async function execute({ headers, body }: GraphqlRequest, context: Unguarded): Promise<ExecutionResult> {
    try {
      const params = readParams(headers.get('content-type'), body);
      // Always a single result: batching is off and the schema has no subscriptions.
      return (await yoga.getResultForParams({ params, request: POST }, context)) as ExecutionResult;
    } catch (error) {
      return toErrors(error);
    }
  }

  return async (request, exchange) => {
    const { headers } = request;
    const publicContext: PublicContext = { correlationId: exchange.correlationId, log: exchange.log };
    const { authorized, checked, isAsked } = createAuthorization(options, headers, exchange, publicContext);
    const { oneByOne, idle } = createLine();
    const result = await execute(request, {
      exchange,
      open: publicContext,
      authorized,
      checked,
      oneByOne,
      outcomes: new Map(),
    });
    const refusal = isAsked() ? await checked().then(() => undefined, toErrors) : undefined;
    if (refusal !== undefined) exchange.operations.clear(); // As if nothing had run.
    const answer = createAnswer(endpoint, refusal ?? result, exchange);
    await idle(); // GraphQL answers at the first failure while other fields still run as part of this request.
    return { ...answer, contentType: `${chooseMediaType(headers.get('accept'))}; charset=utf-8` };
  };
}

const toErrors = (error: unknown): ExecutionResult => ({
  errors: error instanceof AggregateError ? error.errors : [error as GraphQLError],
});

/** Asks for a request at most once who calls, and starts with a guess where there is one. */
function createAuthorization(
  { authorize, guess }: Pick<GraphqlOptions, 'authorize' | 'guess'>,
  headers: RequestHeaders,
  exchange: Exchange,
  publicContext: PublicContext,
) {
  let asked: Promise<{ context: PublicContext; check: Promise<unknown> | undefined }> | undefined;
  const ask = async () => {
    const authorization = headers.get('authorization');
    const guessed = guess?.(authorization, exchange);
    const check = guessed?.check();
    check?.catch(() => undefined); // `checked` reports it.
    const context = guessed?.context ?? (await authorize(authorization, exchange, headers));
    return { context: { ...publicContext, ...context }, check };
  };
  const start = () => {
    asked ??= ask();
    return asked;
  };
  return {
    isAsked: () => asked !== undefined,
    authorized: async () => (await start()).context,
    checked: async () => await (await start()).check,
  };
}

/** Yoga's plugins look at the method of a request and at nothing else. */
const POST = new Request('http://localhost/', { method: 'POST' });

/** Runs tasks one after another, in the order they arrive. It is idle once all of them have ended. */
function createLine(): { oneByOne: Unguarded['oneByOne']; idle: () => Promise<unknown> } {
  let last: Promise<unknown> = Promise.resolve();
  return {
    oneByOne(work) {
      const done = last.then(work);
      last = done.catch(() => undefined); // The returned promise reports the failure.
      return done;
    },
    idle: () => last,
  };
}

/** Validation stops after this many errors. For each error GraphQL searches for similar names, which takes time. */
const MAX_ERRORS = 5;

const validation: Plugin = {
  onValidate: ({ validateFn, setValidationFn }) =>
    setValidationFn((schema, document, rules) => validateFn(schema, document, rules, { maxErrors: MAX_ERRORS })),
};

const JSON_TYPE = 'application/json';
const GRAPHQL_TYPE = 'application/graphql-response+json';

/** Browsers send about 150 characters. Parsing thousands of types takes longer than answering. */
const MAX_ACCEPT = 1_000;

/** The Accept header decides the media type of the answer. It never decides the status. */
function chooseMediaType(accept: string | null): string {
  if (accept === null || accept === JSON_TYPE || accept === '*/*') return JSON_TYPE;
  if (accept.length > MAX_ACCEPT) return JSON_TYPE;
  const preferred = parseAccept(accept).find(({ type, q }) => q > 0 && [JSON_TYPE, GRAPHQL_TYPE, '*/*'].includes(type));
  return preferred?.type === GRAPHQL_TYPE ? GRAPHQL_TYPE : JSON_TYPE;
}

/** Turns every result into an answer, including results of requests that fail before execution. Counts its operations. */
function createAnswer(
  endpoint: string,
  { data, errors }: ExecutionResult,
  exchange: Exchange,
): Omit<GraphqlAnswer, 'contentType'> {
  const exposed = errors?.map((error) => expose(error, exchange));
  const codes = exposed?.map(({ extensions }) => extensions.code) ?? [];
  exchange.codes.push(...codes);
  for (const [key, operation] of exchange.operations) {
    const failed = exposed?.find(({ path }) => path?.[0] === key);
    countOperation({ endpoint, operation }, failed?.extensions.code ?? 'OK');
  }
  // The request was refused before any field ran.
  if (exchange.operations.size === 0) countOperation({ endpoint, operation: 'none' }, codes[0] ?? 'OK');
  return { status: chooseStatus(data, codes), body: JSON.stringify({ errors: exposed, data }) };
}

const NO_CACHE = { get: () => undefined, set: () => undefined };
