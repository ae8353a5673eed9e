import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, expect, test } from 'vitest';
import { LOOPBACK } from '../../local/src/ports.ts';
import { type HealthServer, startHealthServer } from '../../src/worker/health.ts';

let reasons: readonly string[] = ['Temporal has not been reached yet'];
let health: HealthServer | undefined;
afterAll(() => health?.close());

const get = async (path: string) => {
  health ??= await startHealthServer({ host: LOOPBACK, port: 0 }, async () => reasons);
  const response = await fetch(`http://${LOOPBACK}:${health.port}${path}`);
  return { status: response.status, text: await response.text() };
};

test('a worker that does not poll yet is alive but not ready, and names the reasons', async () => {
  expect(await get('/healthz')).toEqual({ status: 200, text: 'alive' });
  expect(await get('/readyz')).toEqual({ status: 503, text: 'Temporal has not been reached yet' });
  reasons = ['accounts: DRAINING', 'accounts-PROVIDER_A: STOPPED'];
  expect(await get('/readyz')).toEqual({ status: 503, text: reasons.join('\n') });
});

test('a worker that polls is ready', async () => {
  reasons = [];
  expect(await get('/readyz')).toEqual({ status: 200, text: 'ready' });
});

test.each([
  ['OPTIONS / HTTP/1.0', 503], // HAProxy's `option httpchk` without more.
  ['GET /healthz HTTP/1.0', 200],
])('a health check without Host is answered: %s', async (line, status) => {
  reasons = ['Temporal has not been reached yet'];
  await get('/healthz');
  const socket = connect(health?.port ?? 0, LOOPBACK);
  socket.end(`${line}\r\n\r\n`);
  expect(await text(socket)).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
});
