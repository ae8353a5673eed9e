import { connect, createServer } from 'node:net';
import { networkInterfaces } from 'node:os';
import { text } from 'node:stream/consumers';
import { afterAll, expect, test } from 'vitest';
import { LOOPBACK } from '../../local/src/ports.ts';
import { listen } from '../../src/basics/listen.ts';
import { explainFailure } from '../../src/cli/explain-failure.ts';
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
  ['OPTIONS /readyz HTTP/1.0', 503],
  ['GET /readyz HTTP/1.0', 503],
  ['OPTIONS /healthz HTTP/1.0', 200],
])('a health check without Host is answered: %s', async (line, status) => {
  reasons = ['Temporal has not been reached yet'];
  await get('/healthz');
  const socket = connect(health?.port ?? 0, LOOPBACK);
  socket.end(`${line}\r\n\r\n`);
  expect(await text(socket)).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
});

/** The operator's message if a server cannot listen at this address. */
const explainOf = async (host: string, port: number) => {
  const at = { host, port, settings: 'WORKER_HEALTH' };
  return explainFailure(await startHealthServer(at, async () => []).catch((error: unknown) => error));
};

test.each([
  ['10.255.255.1', 0, 'WORKER_HEALTH_HOST: cannot listen, because this machine has no address 10.255.255.1'],
  ['fe80::1', 0, 'WORKER_HEALTH_HOST: cannot listen, because this machine has no address fe80::1'],
  ['no-such-host.invalid', 0, 'WORKER_HEALTH_HOST: cannot listen, because the name no-such-host.invalid leads to no'],
])('a server that cannot listen at %s, port %i, names the setting', async (host, port, sentence) => {
  expect(await explainOf(host, port)).toContain(sentence);
});

test('a port in use, or without the right to it, is named', async () => {
  await get('/healthz');
  const port = health?.port ?? 0;
  expect(await explainOf(LOOPBACK, port)).toBe(
    `WORKER_HEALTH_PORT: cannot listen, because another process listens on port ${port} of ${LOOPBACK} (EADDRINUSE).`,
  );
  const refused = createServer();
  refused.listen = () => {
    queueMicrotask(() => refused.emit('error', Object.assign(new Error('no'), { code: 'EACCES' })));
    return refused;
  };
  await expect(listen(refused, { host: '::', port: 443, settings: 'API' })).rejects.toThrow(
    'API_PORT: cannot listen, because the user of this process may not listen on port 443, which is below 1024 (EACCES).',
  );
});

test('every interface is that of both protocols', async () => {
  const both = await startHealthServer({ host: '::', port: 0 }, async () => []);
  try {
    for (const host of ['127.0.0.1', ...(hasIpv6() ? ['[::1]'] : [])])
      expect((await fetch(`http://${host}:${both.port}/healthz`)).status, host).toBe(200);
  } finally {
    await both.close();
  }
});

const hasIpv6 = () =>
  Object.values(networkInterfaces()).some((addresses) => addresses?.some(({ address }) => address === '::1'));
