import type { IncomingMessage, ServerResponse } from 'node:http';
import { getConnInfo } from '@hono/node-server/conninfo';
import type { Context } from 'hono';
import type { Log } from '../../basics/log.ts';
import type { Graphql } from '../graphql/contract.ts';
import { readWithin } from './bodies.ts';
import { decodeBody } from './decode-body.ts';
import { type Exchange, getClientAddress, type HttpEnv, type RequestHeaders } from './exchange.ts';
import { createExchange, recordExchange } from './record-exchange.ts';

/** The limit of a request's JSON body. */
const MAX_BODY_BYTES = 64 * 1024;

/** The POST requests to one path, as the server that received them presents them. */
export interface GraphqlEndpoint {
  answerFetch(c: Context<HttpEnv>): Promise<Response>;
  /**
   * Answers on Node's own objects, without a `Request` and a `Response` for each request, which takes a fifth less
   * processor time. @returns false for a request that needs the router: of another path, too long, or in chunks.
   */
  answerDirectly(incoming: IncomingMessage, outgoing: ServerResponse): boolean;
}

interface EndpointOptions {
  readonly path: string;
  readonly graphql: Graphql;
  readonly log: Log;
  readonly trustedProxies: number;
  /** Headers of every answer. */
  readonly headers: Readonly<Record<string, string>>;
}

interface Received {
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
    answerDirectly(incoming, outgoing) {
      if (incoming.method !== 'POST' || incoming.url !== path || !isShort(incoming)) return false;
      const received: Received = {
        address: incoming.socket.remoteAddress ?? '',
        headers: readHeaders(incoming),
        readBody: () => readWhole(incoming),
        isAborted: () => incoming.destroyed && !incoming.complete,
      };
      answerRecorded(received).then(
        ({ status, headers, body }) => {
          outgoing.writeHead(status, [...headers, 'content-length', `${Buffer.byteLength(body)}`]).end(body);
        },
        () => outgoing.destroy(),
      );
      return true;
    },
  } satisfies GraphqlEndpoint;
}

/** The headers of an answer, as Fetch takes them. */
const pairs = (flat: readonly string[]): [string, string][] =>
  flat.flatMap((name, index) => (index % 2 === 0 ? [[name, flat[index + 1] ?? '']] : []));

/** Node reads no more than the declared length, and refuses a request that also declares chunks. */
function isShort({ headersDistinct: headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] === undefined && Number(headers['content-length']?.[0] ?? 0) <= MAX_BODY_BYTES;
}

/** Node alone would keep the first of two Authorization headers. */
const readHeaders = (incoming: IncomingMessage): RequestHeaders => ({
  get: (name) => {
    const values = incoming.headersDistinct[name];
    return (values?.length === 1 ? values[0] : values?.join(name === 'cookie' ? '; ' : ', ')) ?? null;
  },
});

/** @throws Error if the client hangs up before the end. */
function readWhole(incoming: IncomingMessage): Promise<Uint8Array> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    incoming.on('data', (chunk: Buffer) => void chunks.push(chunk));
    incoming.on('end', () => resolve(chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks)));
    incoming.on('error', reject);
    // Every request closes; an error takes its stack trace only if it ended early.
    incoming.on('close', () => {
      if (!incoming.complete) reject(new Error('The request ended early.'));
    });
  });
}
