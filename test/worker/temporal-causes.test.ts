import { randomUUID } from 'node:crypto';
import { createServer, type Http2Server } from 'node:http2';
import type { AddressInfo } from 'node:net';
import { Connection } from '@temporalio/client';
import { expect, inject, onTestFinished, test, vi } from 'vitest';
import { LOOPBACK } from '../../local/src/ports.ts';
import { createLog } from '../../src/basics/log.ts';
import { createWorkerStartup } from '../../src/worker/startup.ts';

/** A server that answers every gRPC call with a status. @returns its address. */
async function answerWith(status: number): Promise<string> {
  const server: Http2Server = createServer();
  server.on('stream', (stream) =>
    stream.respond(
      { ':status': 200, 'content-type': 'application/grpc', 'grpc-status': `${status}` },
      { endStream: true },
    ),
  );
  server.on('sessionError', () => undefined);
  await new Promise<void>((resolve) => server.listen(0, LOOPBACK, resolve));
  onTestFinished(() => void server.close());
  return `${LOOPBACK}:${(server.address() as AddressInfo).port}`;
}

/** A worker's reason and log while it waits for a Temporal that it cannot use. */
async function listReasons(environment: Record<string, string>) {
  const before = { ...process.env };
  Object.assign(process.env, { TEMPORAL_NAMESPACE: 'default', ...environment });
  const lines: string[] = [];
  const stopping = new AbortController();
  const startup = createWorkerStartup(
    createLog('info', { write: (line) => void lines.push(line) }),
    stopping.signal,
    10,
  );
  const connected = startup.waitForTemporal({});
  try {
    await vi.waitUntil(() => lines.length > 0);
    const logged = JSON.parse(lines[0] ?? '{}') as { message: string; reason: string };
    return { reasons: startup.reasons(), logged };
  } finally {
    stopping.abort();
    await (await connected)?.close();
    for (const name of Object.keys(process.env)) if (!(name in before)) delete process.env[name];
    Object.assign(process.env, before);
  }
}

test.for([
  [
    'a refused key',
    async () => ({ TEMPORAL_ADDRESS: await answerWith(16) }),
    'it refuses our API key: see TEMPORAL_API_KEY',
  ],
  [
    'TLS where there is none',
    async () => ({ TEMPORAL_ADDRESS: await answerWith(0), TEMPORAL_TLS: 'true' }),
    'it speaks no TLS at its address: see TEMPORAL_TLS',
  ],
  [
    'a missing namespace',
    async () => ({ TEMPORAL_ADDRESS: inject('temporalAddress'), TEMPORAL_NAMESPACE: 'nothere' }),
    'it has no such namespace: see TEMPORAL_NAMESPACE',
  ],
] as const)('a worker that cannot use Temporal says why: %s', async ([, open, cause]) => {
  const { reasons, logged } = await listReasons(await open());
  expect(reasons).toEqual([`Temporal cannot be used: ${cause}`]);
  expect(logged).toMatchObject({ message: 'Temporal not reachable yet', reason: reasons[0] });
});

test('a worker that finds no search attributes of the right type names them, and starts once they exist', async () => {
  const address = inject('temporalAddress');
  const namespace = `bare-${randomUUID()}`;
  const connection = await Connection.connect({ address });
  onTestFinished(() => connection.close());
  const { operatorService } = connection;
  await connection.workflowService.registerNamespace({
    namespace,
    workflowExecutionRetentionPeriod: { seconds: (24 * 3_600) as never }, // The type asks for a Long.
  });
  const KEYWORD = 2;
  const add = (searchAttributes: Record<string, number>) =>
    vi.waitFor(() => operatorService.addSearchAttributes({ namespace, searchAttributes }));
  vi.stubEnv('TEMPORAL_ADDRESS', address);
  vi.stubEnv('TEMPORAL_NAMESPACE', namespace);
  onTestFinished(() => void vi.unstubAllEnvs());
  const stopping = new AbortController();
  onTestFinished(() => stopping.abort());
  const startup = createWorkerStartup(createLog('silent'), stopping.signal, 10);
  const connected = startup.waitForTemporal({});
  const expectMissing = (names: string) =>
    vi.waitFor(() =>
      expect(startup.reasons()).toEqual([
        `Temporal cannot be used: its namespace has no search attribute ${names} of the type Keyword: create those that docs/production.md lists`,
      ]),
    );
  await expectMissing('AppId, Provider, ConnectionId, JobKind, LastFailure');
  await add({ AppId: KEYWORD, Provider: KEYWORD, ConnectionId: KEYWORD });
  await expectMissing('JobKind, LastFailure');
  await add({ JobKind: KEYWORD, LastFailure: KEYWORD });
  const usable = await connected;
  expect(usable).toBeDefined();
  await usable?.close();
});
