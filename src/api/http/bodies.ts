import type { Context } from 'hono';
import { createMiddleware } from 'hono/factory';
import type { HttpEnv } from './exchange.ts';

/** The original requests whose bodies no route has accepted yet. */
const unread = new WeakMap<Request, Request>();

const WITH_BODY = ['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];
const WITHOUT_BODY = ['GET', 'HEAD'];

/**
 * Hides the body of every request from the handlers. Only `acceptBody` restores it, so that no route can read a body
 * without a limit. Answers 404 to methods that the service does not use.
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
 * Reads the body of a route's requests, up to `maxBytes`, and passes it to the handler in `c.req`. That request has no
 * abort signal, so the handler completes even if the caller hangs up.
 * @param onTooLarge answers if the body is longer. By default it answers 413 as plain text.
 */
export const acceptBody = (maxBytes: number, onTooLarge: (c: Context<HttpEnv>) => Response = tooLarge(maxBytes)) =>
  createMiddleware<HttpEnv>(async (c, next) => {
    const { raw, method } = c.req;
    const body = await readWithin(maxBytes, unread.get(raw));
    if (body === undefined) return onTooLarge(c);
    const { url, headers } = raw;
    c.req.raw = new Request(url, { method, headers, ...(WITH_BODY.includes(method) && { body }) });
    return await next();
  });

const tooLarge = (maxBytes: number) => (c: Context<HttpEnv>) => c.text(`The body exceeds ${maxBytes} bytes.`, 413);

/** Reads the body of a request that `hideBodies` has not seen. @returns undefined when the body is longer. */
export async function readWithin(
  maxBytes: number,
  request: Request | undefined,
): Promise<Uint8Array<ArrayBuffer> | undefined> {
  if (request === undefined) return new Uint8Array();
  const length = request.headers.get('content-length');
  if (length !== null && !request.headers.has('transfer-encoding')) {
    // Node reads no more than this header allows, and refuses a request with both headers.
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
