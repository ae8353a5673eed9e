import { getConnInfo } from '@hono/node-server/conninfo';
import type { Context } from 'hono';
import type { Log } from '../../basics/log.ts';
import type { Graphql } from '../graphql/contract.ts';
import { readWithin } from './bodies.ts';
import { decodeBody } from './decode-body.ts';
import { type Exchange, getClientAddress, type HttpEnv, type RequestHeaders } from './exchange.ts';
import { createExchange, recordExchange } from './record-exchange.ts';

/** The limit of a request's JSON body. */
export const MAX_BODY_BYTES = 64 * 1024;

/** The POST requests to one path, as the server that received them presents them. */
export interface GraphqlEndpoint {
  answerFetch(c: Context<HttpEnv>): Promise<Response>;
  readonly path: string;
  /** Answers, counts and logs a request. */
  answer(received: Received): Promise<Answer>;
}

interface EndpointOptions {
  readonly path: string;
  readonly graphql: Graphql;
  readonly log: Log;
  readonly trustedProxies: number;
  /** Headers of every answer. */
  readonly headers: Readonly<Record<string, string>>;
}

export interface Received {
  /** The connection's. */
  readonly address: string;
  readonly headers: RequestHeaders;
  /** Resolves to undefined for a body over the limit. */
  readonly readBody: () => Promise<Uint8Array | undefined>;
  readonly isAborted: () => boolean;
}

interface Answer {
  readonly status: number;
  /** Names and values in turn, as Node takes them. */
  readonly headers: readonly string[];
  readonly body: string;
}

export function createGraphqlEndpoint({ path, graphql, log, trustedProxies, headers }: EndpointOptions) {
  const always = Object.entries(headers).flat();
  const answerWith = (
    status: number,
    body: string,
    { correlationId }: Exchange,
    ...more: readonly string[]
  ): Answer => ({
    status,
    headers: [...always, 'x-correlation-id', correlationId, ...more],
    body,
  });
  const sayWith = (status: number, body: string, exchange: Exchange): Answer =>
    answerWith(status, body, exchange, 'content-type', 'text/plain; charset=UTF-8');

  async function answer(exchange: Exchange, { headers: received, readBody }: Received): Promise<Answer> {
    const bytes = await readBody();
    if (bytes === undefined) return sayWith(413, `The body exceeds ${MAX_BODY_BYTES} bytes.`, exchange);
    const request = { headers: received, body: decodeBody(bytes, received.get('content-type')) };
    const { status, contentType, body } = await graphql(request, exchange);
    return answerWith(status, body, exchange, 'content-type', contentType, 'cache-control', 'no-store');
  }

  function explain(error: unknown, exchange: Exchange, { isAborted }: Received): Answer {
    if (isAborted()) {
      exchange.log.debug('The caller hung up', { error });
      return sayWith(400, 'The request ended early.', exchange);
    }
    exchange.log.error('Unexpected failure', { error });
    return sayWith(500, 'Something went wrong on our side.', exchange);
  }

  async function answerRecorded(received: Received): Promise<Answer> {
    const exchange = createExchange(getClientAddress(received.address, received.headers, trustedProxies), log);
    const traceparent = received.headers.get('traceparent');
    return await recordExchange(
      exchange,
      { isQuiet: false, traceparent },
      () => answer(exchange, received).catch((error: unknown) => explain(error, exchange, received)),
      ({ status }) => ({ method: 'POST', route: path, status }),
    );
  }

  return {
    path,
    answer: answerRecorded,
    async answerFetch(c) {
      const { raw } = c.req;
      const { status, headers, body } = await answerRecorded({
        address: getConnInfo(c).remote.address ?? '',
        headers: raw.headers,
        readBody: () => readWithin(MAX_BODY_BYTES, raw),
        isAborted: () => raw.signal.aborted,
      });
      return new Response(body, { status, headers: pairs(headers) });
    },
  } satisfies GraphqlEndpoint;
}

/** The headers of an answer, as Fetch takes them. */
const pairs = (flat: readonly string[]): [string, string][] =>
  flat.flatMap((name, index) => (index % 2 === 0 ? [[name, flat[index + 1] ?? '']] : []));
