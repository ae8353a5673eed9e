import { randomUUID } from 'node:crypto';
import { Connection } from '@temporalio/client';
import { expect, inject, onTestFinished, test, vi } from 'vitest';
import { createLog } from '../../src/basics/log.ts';
import { createWorkerStartup } from '../../src/worker/startup.ts';

/** A worker that waits until it can use Temporal. */
function start(namespace: string) {
  vi.stubEnv('TEMPORAL_ADDRESS', inject('temporalAddress'));
  vi.stubEnv('TEMPORAL_NAMESPACE', namespace);
  const stopping = new AbortController();
  const { waitForTemporal, reasons } = createWorkerStartup(createLog('silent'), stopping.signal, 10);
  const connected = waitForTemporal({});
  onTestFinished(async () => {
    stopping.abort();
    await (await connected)?.close();
    vi.unstubAllEnvs();
  });
  return { connected, reasons };
}

test('a worker that finds no namespace says so', async () => {
  const { reasons } = start('nothere');
  const missing = ['Temporal cannot be used: it has no such namespace: see TEMPORAL_NAMESPACE'];
  await vi.waitFor(() => expect(reasons()).toEqual(missing));
});

test('a worker that finds no search attributes of the right type names them, and starts once they exist', async () => {
  const namespace = `bare-${randomUUID()}`;
  const connection = await Connection.connect({ address: inject('temporalAddress') });
  onTestFinished(() => connection.close());
  const { operatorService } = connection;
  await connection.workflowService.registerNamespace({
    namespace,
    workflowExecutionRetentionPeriod: { seconds: (24 * 3_600) as never }, // The type asks for a Long.
  });
  const KEYWORD = 2;
  const add = (searchAttributes: Record<string, number>) =>
    vi.waitFor(() => operatorService.addSearchAttributes({ namespace, searchAttributes }));
  const { connected, reasons } = start(namespace);
  const expectMissing = (names: string) =>
    vi.waitFor(() =>
      expect(reasons()).toEqual([
        `Temporal cannot be used: its namespace has no search attribute ${names} of the type Keyword: create those that docs/production.md lists`,
      ]),
    );
  await expectMissing('AppId, Provider, ConnectionId, JobKind, LastFailure');
  await add({ AppId: KEYWORD, Provider: KEYWORD, ConnectionId: KEYWORD });
  await expectMissing('JobKind, LastFailure');
  await add({ JobKind: KEYWORD, LastFailure: KEYWORD });
  expect(await connected).toBeDefined();
});
