import { randomUUID } from 'node:crypto';
import path from 'node:path';
import { Client, Connection } from '@temporalio/client';
import { NativeConnection } from '@temporalio/worker';
import { expect, inject, onTestFinished, test } from 'vitest';
import { makeKeys } from '../../local/src/development-keys.ts';
import { readConfig } from '../../src/config/config.ts';
import { createWorkers } from '../../src/worker/workers.ts';
import { DIST } from '../kit/built.ts';
import { temporalEnvironment } from '../kit/conformance.ts';
import { newDisconnect, quiet } from '../kit/fake-activities.ts';
import { runUntil } from '../kit/temporal.ts';

const PER_SECOND = 5;
/** More than the server's initial burst, and more than one worker requests at once. */
const CALLS = 20;
/** The server allows one second's worth at the start, and may have saved the same amount. */
const LEAST_MS = ((CALLS - 2 * PER_SECOND) / PER_SECOND) * 1_000;

test('several workers together call a platform no faster than its rate', async () => {
  Object.assign(process.env, temporalEnvironment());
  const taskQueue = `test-${randomUUID()}`;
  const config = readConfig('worker', {
    ...(await makeKeys()),
    DEPLOYMENT: 'development',
    DATABASE_URL: 'postgres://nobody@localhost/nothing',
    CONNECT_URL: 'http://localhost:4000',
    TASK_QUEUE: taskQueue,
    WORKFLOW_BUNDLE: path.join(DIST, 'workflow-bundles', 'index.js'),
    PROVIDER_B_CALLS_PER_SECOND: String(PER_SECOND),
  });
  const calls: { worker: number; atMs: number }[] = [];
  const activitiesOf = (worker: number) => {
    const tryRevoke = async () => void calls.push({ worker, atMs: performance.now() });
    return { store: quiet, issuer: quiet, webhook: quiet, inlineSteps: quiet, provider: { ...quiet, tryRevoke } };
  };
  const address = inject('temporalAddress');
  const client = new Client({ connection: await Connection.connect({ address }) });
  // Like two processes: the library accepts one worker for each queue of a connection.
  const natives = await Promise.all([1, 2].map(() => NativeConnection.connect({ address })));
  onTestFinished(async () => void (await Promise.all(natives.map((native) => native.close()))));
  onTestFinished(() => client.connection.close());
  const workers = await Promise.all(natives.map((native, index) => createWorkers(config, native, activitiesOf(index))));
  // Starts before the first call, so that a late report does not shorten the duration.
  const beginMs = performance.now();
  await runUntil(workers.flat(), async () => {
    const disconnect = () =>
      client.workflow.execute('disconnect', { taskQueue, workflowId: randomUUID(), args: [newDisconnect()] });
    await Promise.all(Array.from({ length: CALLS }, disconnect));
  });
  expect(calls).toHaveLength(CALLS);
  expect(new Set(calls.map(({ worker }) => worker)).size).toBe(2);
  expect((calls.at(-1)?.atMs ?? 0) - beginMs).toBeGreaterThan(LEAST_MS);
});
