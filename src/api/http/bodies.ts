import type { Context } from 'hono';
import { createMiddleware } from 'hono/factory';
import type { HttpEnv } from './exchange.ts';

/** Requests as they came, for as long as their bodies are kept from the handlers. */
const unread = new WeakMap<Request, Request>();

const WITH_BODY = ['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];
const WITHOUT_BODY = ['GET', 'HEAD'];

/**
 * Keeps the body of every request from the handlers: only `takesBody` gives it to them, so that no route can read one
 * without a limit. A method that we have no use for is not found.
 */
export const hideBodies = createMiddleware<HttpEnv>(async (c, next) => {
  const { raw, method } = c.req;
  if (WITH_BODY.includes(method)) {
    const { url, headers, signal } = raw;
    c.req.raw = new Request(url, { method, headers, signal });
    unread.set(c.req.raw, raw);
  } else if (!WITHOUT_BODY.includes(method)) {
    return c.notFound();
  }
  return await next();
});

/**
 * Reads the body of a route's requests, up to `maxBytes`. The handler finds it in `c.req`, in a request without the
 * signal that the caller hung up: what was asked for is not left half done.
 * @param onTooLarge answers a longer body, of which no more is read; 413 as plain text by default.
 */
export const takesBody = (maxBytes: number, onTooLarge: (c: Context<HttpEnv>) => Response = tooLarge(maxBytes)) =>
  createMiddleware<HttpEnv>(async (c, next) => {
    const { raw, method } = c.req;
    const body = await readWithin(maxBytes, unread.get(raw));
    if (body === undefined) return onTooLarge(c);
    const { url, headers } = raw;
    c.req.raw = new Request(url, { method, headers, ...(WITH_BODY.includes(method) && { body }) });
    return await next();
  });

const tooLarge = (maxBytes: number) => (c: Context<HttpEnv>) => c.text(`The body exceeds ${maxBytes} bytes.`, 413);

/** @returns undefined when the body is longer. */
async function readWithin(
  maxBytes: number,
  request: Request | undefined,
): Promise<Uint8Array<ArrayBuffer> | undefined> {
  if (request === undefined) return new Uint8Array();
  const length = request.headers.get('content-length');
  if (length !== null && !request.headers.has('transfer-encoding')) {
    // The server reads no more than it says, and refuses a request with both headers.
    if (!(Number(length) <= maxBytes)) return undefined;
    const whole = new Uint8Array(await request.arrayBuffer());
    return whole.byteLength <= maxBytes ? whole : undefined;
  }
  return await readChunks(maxBytes, request.body);
}

async function readChunks(maxBytes: number, stream: Request['body']): Promise<Uint8Array<ArrayBuffer> | undefined> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of stream ?? []) {
    bytes += chunk.byteLength;
    if (bytes > maxBytes) return undefined; // Leaving the loop cancels the stream.
    chunks.push(chunk);
  }
  return new Uint8Array(Buffer.concat(chunks));
}
