import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test as plainTest } from 'vitest';

type Answer = (request: IncomingMessage, response: ServerResponse) => void;

/** An HTTP server that gives one scripted answer after another, and records the requests. */
export interface ScriptedService {
  readonly url: string;
  /** The answers to the next requests, in order. */
  script(...answers: Answer[]): void;
  /** The requests so far: their headers and their JSON bodies. */
  readonly requests: {
    readonly headers: IncomingMessage['headers'];
    readonly body: { query: string; variables: object };
  }[];
}

export const answers = {
  json:
    (body: unknown, status = 200): Answer =>
    (_request, response) => {
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    },
  error: (code: string, extensions: object = {}, status = 200): Answer =>
    answers.json(
      { errors: [{ message: `Refused with ${code}.`, extensions: { code, ...extensions } }], data: null },
      status,
    ),
  text:
    (text: string, status: number): Answer =>
    (_request, response) => {
      response.writeHead(status, { 'content-type': 'text/html' }).end(text);
    },
  cut: ((request) => {
    request.socket.destroy();
  }) satisfies Answer,
  never: (() => undefined) satisfies Answer,
  redirect:
    (to: string): Answer =>
    (_request, response) => {
      response.writeHead(307, { location: to }).end();
    },
};

export const test = plainTest.extend<{ service: ScriptedService }>({
  // biome-ignore lint/correctness/noEmptyPattern: the runner reads from it which fixtures this one needs.
  service: async ({}, use) => {
    const requests: ScriptedService['requests'] = [];
    const scripted: Answer[] = [];
    const server = createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        requests.push({ headers: request.headers, body: JSON.parse(Buffer.concat(chunks).toString()) });
        const answer = scripted.shift() ?? answers.text('Nothing is scripted for this request.', 500);
        answer(request, response);
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/graphql`;
    await use({ url, requests, script: (...more) => scripted.push(...more) });
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  },
});
