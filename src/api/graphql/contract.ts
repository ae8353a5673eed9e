import type { ExecutionArgs, ExecutionResult, GraphQLSchema } from 'graphql';
import type { Exchange, RequestHeaders } from '../http/exchange.ts';
import type { Document } from './document.ts';
import type { Limits } from './limits.ts';
import type { Preparation } from './preparation.ts';

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
   * their context, beside `shared`.
   * @throws ServiceError `UNAUTHENTICATED`, `FORBIDDEN` or `RATE_LIMITED`
   */
  readonly authorize: (request: Called) => Promise<object>;
  /**
   * Guesses that result before the caller has been checked, for a caller who has passed before. Reads then run while
   * `check` makes the checks of `authorize`. Nothing of them is answered unless it resolves.
   */
  readonly guess?: ((request: Called) => Guess | undefined) | undefined;
  /** Remembers and compiles documents. Without it, each request parses and validates its document, and graphql-js runs it. */
  readonly createFast?: ((preparation: Preparation) => FastGraphql) | undefined;
  /** What the contexts of all requests with a caller have in common. They inherit it. */
  readonly shared?: object;
  /** The limits of the callers' schema by default. */
  readonly limits?: Limits;
  /** The budget for callers' new documents. It counts from nothing by default. */
  readonly preparation?: Preparation;
  /** After this time a request is answered, in milliseconds, and its work continues. `ANSWER_WITHIN_MS` by default. */
  readonly answerWithinMs?: number;
}

/** Where `src/api/fast` joins in. */
export interface FastGraphql {
  /** @returns the document that a caller has sent before. */
  find(text: string): Document | undefined;
  /** Notes that a caller uses a document. */
  keep(callerId: string, text: string, document: Document): void;
  /** Changes the root fields of the schema, once. */
  prepare(schema: GraphQLSchema): void;
  /** Runs a valid document, or has it interpreted. @param coerced its variables */
  run(
    document: Document,
    args: ExecutionArgs,
    coerced: Readonly<Record<string, unknown>>,
    interpret: (args: ExecutionArgs) => Promise<ExecutionResult>,
  ): Promise<ExecutionResult>;
}

/** A request whose caller is to be found. */
export interface Called {
  readonly authorization: string | null;
  readonly exchange: Exchange;
  readonly headers: RequestHeaders;
  /** True if it changes nothing. */
  readonly isQuery: boolean;
}

export interface Guess {
  readonly context: object;
  /** Starts the check. @throws ServiceError as `authorize` does */
  readonly check: () => Promise<unknown>;
}

/** A POST to the endpoint, its body read within the limit. */
export interface GraphqlRequest {
  readonly headers: RequestHeaders;
  /** Undefined if it is not UTF-8. */
  readonly body: string | undefined;
}

export interface GraphqlAnswer {
  readonly status: 200 | 400;
  readonly contentType: string;
  readonly body: string;
}

/** Answers one GraphQL request. The answer is always JSON, and each error in it has a code and a correlation id. */
export type Graphql = (request: GraphqlRequest, exchange: Exchange) => Promise<GraphqlAnswer>;
