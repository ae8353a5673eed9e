import type { ExecutionResult } from 'graphql';
import { createSchema, createYoga, type Plugin } from 'graphql-yoga';
import { parseAccept } from 'hono/utils/accept';
import { countOperation } from '../../telemetry/instruments.ts';
import type { PublicContext } from '../context.ts';
import type { Exchange } from '../http/exchange.ts';
import { admission } from './admission.ts';
import { expose, statusOf } from './errors.ts';
import { guard, type Unguarded } from './guard.ts';
import { LIMITS, type Limits } from './limits.ts';
import { readParams } from './params.ts';
import { DateTime, DecimalCount } from './scalars.ts';

export interface GraphqlOptions {
  /** The path it is served under. */
  readonly endpoint: string;
  /** The schema, as text. */
  readonly typeDefs: string;
  /** Of every root field at least; those of the scalars are added. */
  readonly resolvers: Readonly<Record<string, object>>;
  /** Root fields that anybody may call. */
  readonly open: readonly string[];
  /**
   * What the resolvers of the other root fields are given in addition; asked at most once a request.
   * @throws ServiceError `UNAUTHENTICATED`, `FORBIDDEN` or `RATE_LIMITED`
   */
  readonly authorize: (authorization: string | null, exchange: Exchange, headers: Headers) => Promise<object>;
  /** Those of the callers' schema by default. */
  readonly limits?: Limits;
}

/** Answers one GraphQL request. Whatever happens, the answer is JSON, and each error in it has code and correlation id. */
export type Graphql = (request: Request, exchange: Exchange) => Promise<Response>;

type ServerContext = Unguarded;

export function createGraphql(options: GraphqlOptions): Graphql {
  const { endpoint, typeDefs, resolvers, open, authorize, limits = LIMITS } = options;
  const schema = createSchema({ typeDefs, resolvers: { ...resolvers, DateTime, DecimalCount } });
  const yoga = createYoga<ServerContext>({
    schema: guard(schema, endpoint, open),
    graphqlEndpoint: endpoint,
    plugins: [requests, admission(open, limits), validation, answers(endpoint)],
    parserAndValidationCache: { documentCache: NO_CACHE, errorCache: NO_CACHE, validationCache: true },
    // The plugins below do what these would.
    maskedErrors: false,
    logging: false,
    maxRequestBodySize: false,
    // A server for servers: nothing here is for browsers.
    cors: false,
    graphiql: false,
    landingPage: false,
    multipart: false,
    batching: false,
  });
  return async (request, exchange) => {
    const publicContext: PublicContext = { correlationId: exchange.correlationId, log: exchange.log };
    const { headers } = request;
    let context: Promise<PublicContext> | undefined;
    const authorized = () => {
      context ??= authorize(headers.get('authorization'), exchange, headers).then((extra) => ({
        ...publicContext,
        ...extra,
      }));
      return context;
    };
    const { oneByOne, idle } = createLine();
    const response = await yoga.fetch(request, { exchange, open: publicContext, authorized, oneByOne });
    await idle(); // GraphQL answers at the first failure, and what runs on is still part of this request.
    return response;
  };
}

/** Runs what it is given one after another, in the order it was given; it is idle when all of that has ended. */
function createLine(): { oneByOne: Unguarded['oneByOne']; idle: () => Promise<unknown> } {
  let last: Promise<unknown> = Promise.resolve();
  return {
    oneByOne(work) {
      const done = last.then(work);
      last = done.catch(() => undefined); // Whoever asked for it is told.
      return done;
    },
    idle: () => last,
  };
}

/** JSON bodies only, whatever else Yoga could read. */
const requests: Plugin<object, ServerContext> = {
  onRequestParse: ({ setRequestParser }) => setRequestParser(readParams),
};

/** How many faults of a document are looked for. Each takes a search for names that were perhaps meant. */
const MAX_ERRORS = 5;

const validation: Plugin = {
  onValidate: ({ validateFn, setValidationFn }) =>
    setValidationFn((schema, document, rules) => validateFn(schema, document, rules, { maxErrors: MAX_ERRORS })),
};

const JSON_TYPE = 'application/json';
const GRAPHQL_TYPE = 'application/graphql-response+json';

/** Browsers send some 150 characters. Reading thousands of types takes longer than answering. */
const MAX_ACCEPT = 1_000;

/** The media type asked for decides how the answer is labelled, never its status. */
function mediaTypeFor(accept: string | null): string {
  if (accept !== null && accept.length > MAX_ACCEPT) return JSON_TYPE;
  const preferred = parseAccept(accept ?? '').find(
    ({ type, q }) => q > 0 && [JSON_TYPE, GRAPHQL_TYPE, '*/*'].includes(type),
  );
  return preferred?.type === GRAPHQL_TYPE ? GRAPHQL_TYPE : JSON_TYPE;
}

/** Every result comes through here, also those of requests that never got as far as execution. */
const answers = (endpoint: string): Plugin<object, ServerContext> => ({
  onResultProcess: ({ request, serverContext: { exchange }, setResultProcessor }) => {
    const mediaType = mediaTypeFor(request.headers.get('accept'));
    setResultProcessor((result) => {
      // Neither batches nor streams: there is no batching, and the schema has no subscriptions.
      const { data, errors } = result as ExecutionResult;
      const exposed = errors?.map((error) => expose(error, exchange));
      const codes = exposed?.map(({ extensions }) => extensions.code) ?? [];
      exchange.codes.push(...codes);
      for (const [key, operation] of exchange.operations) {
        const failed = exposed?.find(({ path }) => path?.[0] === key);
        countOperation({ endpoint, operation }, failed?.extensions.code ?? 'OK');
      }
      // Refused before any field got to run.
      if (exchange.operations.size === 0) countOperation({ endpoint, operation: 'none' }, codes[0] ?? 'OK');
      return new Response(JSON.stringify({ errors: exposed, data }), {
        status: statusOf(data, codes),
        headers: { 'content-type': `${mediaType}; charset=utf-8`, 'cache-control': 'no-store' },
      });
    }, mediaType);
  },
});

const NO_CACHE = { get: () => undefined, set: () => undefined };
