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

test('a port in use is an error', async () => {
  await get('/healthz');
  const port = health?.port ?? 0;
  await expect(startHealthServer({ host: LOOPBACK, port }, async () => [])).rejects.toMatchObject({
    code: 'EADDRINUSE',
  });
});
