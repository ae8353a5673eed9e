import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';

/** A webhook as it arrived. */
interface Received {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly atMs: number;
}

type Answer = (response: ServerResponse, received: Received) => void | Promise<void>;

/** An app's server on loopback, which answers each request with `answer`: 204 at first. */
export async function openReceiver() {
  const received: Received[] = [];
  let answer: Answer = answerWith(204);
  const read = async (request: IncomingMessage) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    return Buffer.concat(chunks).toString();
  };
  const server = createServer(async (request, response) => {
    response.on('error', () => undefined);
    const headers = request.headers as Record<string, string>;
    const { method = '', url: path = '' } = request;
    const arrived = { method, path, headers, body: await read(request), atMs: performance.now() };
    received.push(arrived);
    await answer(response, arrived);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/hooks`,
    received,
    ids: () => received.map(({ headers }) => headers['webhook-id']),
    /** @returns how it answered before */
    answer: (next: Answer): Answer => {
      const before = answer;
      answer = next;
      return before;
    },
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
export type Receiver = Awaited<ReturnType<typeof openReceiver>>;

export const answerWith =
  (status: number, headers: Record<string, string> = {}, body: string | Buffer = ''): Answer =>
  (response) => {
    response.writeHead(status, headers).end(body);
  };

/** Accepts the connection and never answers. */
export const hang: Answer = () => undefined;

/** Sends the headers of an answer, and its body byte by byte, without an end. */
export const trickle: Answer = async (response) => {
  response.writeHead(200, { 'content-type': 'text/plain' });
  while (!response.destroyed) {
    response.write('.');
    await delay(20);
  }
};

/** Sends the bytes of an answer as they are, and closes the connection. */
export const sendRaw =
  (text: string): Answer =>
  (response) => {
    response.socket?.end(text);
  };

/** Sends these bytes, and then one byte at a time, without an end. */
export const trickleRaw =
  (text: string): Answer =>
  async ({ socket }) => {
    socket?.write(text);
    while (socket?.writable) {
      socket.write('x');
      await delay(20);
    }
  };

/** A row of informational heads, 16 MB of them at most, and then a success. */
export const floodHeads: Answer = async ({ socket }) => {
  const heads = 'HTTP/1.1 103 Early Hints\r\nlink: </a.css>; rel=preload\r\n\r\n'.repeat(1_000);
  for (let sent = 0; socket?.writable && sent < 16 * 1024 * 1024; sent += heads.length) {
    if (!socket.write(heads)) await Promise.race([once(socket, 'drain'), once(socket, 'close')]).catch(() => undefined);
  }
  socket?.end('HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n');
};
