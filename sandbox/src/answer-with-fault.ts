import type { ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import type { FaultKind } from './faults.ts';
import { createJsonResponse } from './json.ts';

/** Creates a platform's own error for an HTTP status or an exhausted quota. */
export type CreateFailure = (failure: number | 'quota', retryAfterSeconds: number | undefined) => Response;

/**
 * Answers a call with the fault. `produce` has the call's effect, and runs only for faults that permit it.
 * @returns status null without an answer
 */
export async function answerWithFault(
  fault: FaultKind | null,
  produce: () => Promise<Response>,
  createFailure: CreateFailure,
  outgoing: ServerResponse,
): Promise<{ response: Response; status: number | null }> {
  switch (fault?.kind) {
    case 'status':
      return given(createFailure(fault.status, fault.retryAfterSeconds));
    case 'quota':
      return given(createFailure('quota', undefined));
    case 'answer':
      return given(
        typeof fault.body === 'string'
          ? new Response(fault.body, { status: fault.status, ...(fault.headers && { headers: fault.headers }) })
          : createJsonResponse(fault.body, fault.status, fault.headers),
      );
    case 'hang':
      // The connection stays open until the client gives up, or the sandbox closes.
      return { response: RESPONSE_ALREADY_SENT, status: null };
    case 'slow':
      await sleep(fault.delayMs);
      return given(await produce());
    case 'trickle':
      return given(trickled(await produce(), fault.intervalMs));
    case 'resetMidBody':
      await resetMidBody(await produce(), outgoing);
      return { response: RESPONSE_ALREADY_SENT, status: null };
    case 'answerLost':
      await produce();
      outgoing.socket?.resetAndDestroy();
      return { response: RESPONSE_ALREADY_SENT, status: null };
    case 'malformedJson':
      return given(new Response('{"data": {"', { headers: { 'content-type': 'application/json' } }));
    case 'wrongContentType': {
      const { status, body } = await produce();
      return given(new Response(body, { status, headers: { 'content-type': 'text/html; charset=utf-8' } }));
    }
    default:
      return given(await produce());
  }
}

const given = (response: Response) => ({ response, status: response.status });

function trickled(response: Response, intervalMs: number): Response {
  const { status, headers } = response;
  const body = new ReadableStream<Uint8Array>({
    async start(controller) {
      for (const byte of new Uint8Array(await response.arrayBuffer())) {
        if (controller.desiredSize === null) return;
        controller.enqueue(Uint8Array.of(byte));
        await sleep(intervalMs);
      }
      controller.close();
    },
  });
  return new Response(body, { status, headers });
}

async function resetMidBody(response: Response, outgoing: ServerResponse): Promise<void> {
  const body = Buffer.from(await response.arrayBuffer());
  outgoing.writeHead(response.status, { 'content-type': 'application/json', 'content-length': body.length });
  await new Promise<void>((resolve) => {
    outgoing.write(body.subarray(0, Math.ceil(body.length / 2)), () => resolve());
  });
  outgoing.socket?.resetAndDestroy();
}
