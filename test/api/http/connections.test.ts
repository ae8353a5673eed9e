import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { Hono } from 'hono';
import { expect, onTestFinished, test, vi } from 'vitest';
import type { HttpEnv } from '../../../src/api/http/exchange.ts';
import { type ServerLimits, startServer } from '../../../src/api/http/server.ts';

const QUICK = { connectionsCheckingInterval: 20 };

/** Starts a server with a page that never answers, and counts the requests to it. */
async function start(limits: Partial<ServerLimits>) {
  let asked = 0;
  const app = new Hono<HttpEnv>()
    .get('/held', async () => {
      asked += 1;
      return await new Promise<Response>(() => undefined);
    })
    .onError((_error, c) => c.text('', 400))
    .post('/read', async (c) => c.text(await c.req.text()))
    .get('/long', (c) => c.body('x'.repeat(50_000_000)));
  const server = await startServer(app, { host: '127.0.0.1', port: 0, limits: { ...QUICK, ...limits } });
  onTestFinished(() => server.close(0));
  const open = async (): Promise<Socket> => {
    const socket = connect(server.port, '127.0.0.1');
    socket.on('error', () => undefined);
    await once(socket, 'connect');
    return socket;
  };
  return { open, asked: () => asked };
}

const REQUEST = 'GET /held HTTP/1.1\r\nhost: x\r\n\r\n';

test('a client that sends headers slowly is disconnected', async () => {
  const { open } = await start({ headersTimeout: 100 });
  const socket = await open();
  socket.write('GET / HTTP/1.1\r\n');
  const [data] = await once(socket, 'data');
  expect(String(data)).toMatch(/^HTTP\/1\.1 408 /);
  if (!socket.closed) await once(socket, 'close');
});

test('a client that sends a body slowly is disconnected', async () => {
  const { open } = await start({ headersTimeout: 100, requestTimeout: 200 });
  const socket = await open();
  socket.write('POST /read HTTP/1.1\r\nhost: x\r\ncontent-length: 100\r\n\r\nslow');
  socket.resume();
  await once(socket, 'close');
});

test('a client that does not read the answer is disconnected', async () => {
  const { open } = await start({ idleTimeout: 200 });
  const socket = await open();
  socket.pause();
  socket.write('GET /long HTTP/1.1\r\nhost: x\r\n\r\n');
  const readable = once(socket, 'readable');
  await readable;
  await vi.waitFor(() => {
    socket.write(' '); // Fails once the other side has hung up.
    expect(socket.errored ?? socket.destroyed).toBeTruthy();
  });
});

test('a client with too many unanswered requests is disconnected', async () => {
  const { open, asked } = await start({ maxPipelined: 3 });
  const [patient, greedy] = [await open(), await open()];
  patient.write(REQUEST.repeat(3));
  await vi.waitFor(() => expect(asked()).toBe(3));
  greedy.write(REQUEST.repeat(500));
  await once(greedy, 'close');
  expect(asked()).toBe(6);
  expect(patient.closed).toBe(false);
});

test('connections over the limit are closed', async () => {
  const { open, asked } = await start({ maxConnections: 2 });
  const [first, second, third] = [await open(), await open(), await open()];
  await once(third, 'close');
  for (const socket of [first, second]) socket.write(REQUEST);
  await vi.waitFor(() => expect(asked()).toBe(2));
});
