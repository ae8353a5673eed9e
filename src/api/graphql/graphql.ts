import type { ExecutionResult, GraphQLError } from 'graphql';
import { createSchema, createYoga } from 'graphql-yoga';
import { parseAccept } from 'hono/utils/accept';
import { countOperation } from '../../telemetry/instruments.ts';
import type { PublicContext } from '../context.ts';
import type { Exchange } from '../http/exchange.ts';
import { ANSWER_WITHIN_MS, unavailable, waitFor } from '../http/in-time.ts';
import { createAdmission } from './admission.ts';
import { Caller } from './caller.ts';
import type { Graphql, GraphqlAnswer, GraphqlOptions, GraphqlRequest } from './contract.ts';
import { chooseStatus, expose, takeFitting } from './errors.ts';
import { guard, type Unguarded } from './guard.ts';
import { LIMITS } from './limits.ts';
import { readParams } from './params.ts';
import { Preparation } from './preparation.ts';
import { createDocumentPlugin } from './run-document.ts';
import { implementScalars } from './scalars.ts';
import { Sequence } from './sequence.ts';

/**
 * Answers GraphQL requests:
 *
 *   body ──readParams──▶ query, variables
 *            │ admit: parse, check the limits, authenticate the caller, charge its share of processor time
 *            ▼
 *   Yoga ──run-document──▶ validate, coerce the variables, and let graphql-js run the document
 *            │ guard: before each root field, `caller.authorize()`
 *            ▼
 *   resolver ──▶ Postgres
 *
 * A request that takes too long is answered (`answerWithinMs`), and its work goes on: `exchange.unfinished`. `src/api/fast` takes
 * shorter ways to the same answer; its README shows where.
 */
export function createGraphql(options: GraphqlOptions): Graphql {
  const { endpoint, typeDefs, resolvers, open, limits = LIMITS, answerWithinMs = ANSWER_WITHIN_MS } = options;
  const { preparation = new Preparation() } = options;
  const schema = implementScalars(createSchema({ typeDefs, resolvers }));
  const fast = options.createFast?.(preparation);
  guard(schema, endpoint, open);
  fast?.prepare(schema);
  const admit = createAdmission(preparation, { open, limits }, fast);
  const yoga = createYoga<Unguarded>({
    schema,
    graphqlEndpoint: endpoint,
    plugins: [createDocumentPlugin(preparation, fast)],
    parserAndValidationCache: false, // It would keep the documents of strangers too.
    // `execute` takes over these two tasks.
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
      context.document = await admit(params.query, context);
      // Always a single result: batching is off and the schema has no subscriptions.
      return (await yoga.getResultForParams({ params, request: POST }, context)) as ExecutionResult;
    } catch (error) {
      return toErrors(error);
    }
  }

  async function run(request: GraphqlRequest, exchange: Exchange): Promise<ExecutionResult> {
    const open: PublicContext = { correlationId: exchange.correlationId, log: exchange.log };
    const { headers } = request;
    const caller = new Caller(options, { authorization: headers.get('authorization'), exchange, headers }, open);
    const sequence = new Sequence();
    const result = await execute(request, {
      exchange,
      open,
      caller,
      sequence,
      document: undefined,
    });
    const refusal = await caller.findRefusal();
    if (sequence.isBusy) await sequence.idle(); // GraphQL answers at the first failure while other fields still run as part of this request.
    if (refusal === undefined) return result;
    if (exchange.unfinished === undefined) exchange.operations.clear(); // As if nothing had run.
    return toErrors(refusal.error);
  }

  return async (request, exchange) => {
    const running = run(request, exchange);
    let result = await waitFor(running, answerWithinMs);
    if (result === undefined) {
      exchange.unfinished = running;
      result = toErrors(unavailable());
      void running.then(({ errors }) => errors?.map((error) => expose(error, exchange))); // Which logs a failure of ours.
    }
    const contentType = `${chooseMediaType(request.headers.get('accept'))}; charset=utf-8`;
    return createAnswer(endpoint, result, contentType, exchange);
  };
}

/** Yoga's plugins look at the method of a request and at nothing else. */
const POST = new Request('http://localhost/', { method: 'POST' });

const toErrors = (error: unknown): ExecutionResult => ({
  errors: error instanceof AggregateError ? error.errors : [error as GraphQLError],
});

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
  contentType: string,
  exchange: Exchange,
): GraphqlAnswer {
  const exposed = errors?.map((error) => expose(error, exchange));
  const codes = exposed?.map(({ extensions }) => extensions.code) ?? [];
  exchange.codes.push(...codes);
  // A person can quote only the correlation id: the line with it explains why.
  const forbidden = exposed?.filter(({ extensions }) => extensions.code === 'FORBIDDEN') ?? [];
  if (forbidden.length > 0) exchange.refusals = forbidden.map(({ message }) => message);
  const whole = (data === undefined ? codes[0] : undefined) ?? 'OK';
  for (const [key, operation] of exchange.operations) {
    const failed = exposed?.find(({ path }) => path?.[0] === key);
    countOperation({ endpoint, operation }, failed?.extensions.code ?? whole);
  }
  // The request was refused before any field ran.
  if (exchange.operations.size === 0) countOperation({ endpoint, operation: 'none' }, codes[0] ?? 'OK');
  return {
    status: chooseStatus(codes),
    contentType,
    body: JSON.stringify({ errors: exposed && takeFitting(exposed), data }),
  };
}
