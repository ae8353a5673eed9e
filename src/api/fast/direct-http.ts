import type { IncomingMessage, ServerResponse } from 'node:http';
import type { RequestHeaders } from '../http/exchange.ts';
import { type GraphqlEndpoint, MAX_BODY_BYTES, type Received } from '../http/graphql-endpoint.ts';

/**
 * Answers a GraphQL request on Node's own objects, without a `Request` and a `Response`.
 * @returns false for a request that needs the router: of another path, too long, or in chunks.
 */
export function answerDirectly(
  endpoints: readonly GraphqlEndpoint[],
  incoming: IncomingMessage,
  outgoing: ServerResponse,
): boolean {
  const endpoint = endpoints.find(({ path }) => path === incoming.url);
  if (endpoint === undefined || incoming.method !== 'POST' || !isShort(incoming)) return false;
  const received: Received = {
    address: incoming.socket.remoteAddress ?? '',
    headers: readHeaders(incoming),
    readBody: () => readWhole(incoming),
    isAborted: () => incoming.destroyed && !incoming.complete,
  };
  endpoint.answer(received).then(
    ({ status, headers, body }) => {
      outgoing.writeHead(status, [...headers, 'content-length', `${Buffer.byteLength(body)}`]).end(body);
    },
    () => outgoing.destroy(),
  );
  return true;
}

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
