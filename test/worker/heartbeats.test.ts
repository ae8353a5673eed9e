import { randomUUID } from 'node:crypto';
import path from 'node:path';
import { Client, Connection } from '@temporalio/client';
import { NativeConnection } from '@temporalio/worker';
import { expect, inject, test } from 'vitest';
import { makeKeys } from '../../local/src/development-keys.ts';
import { sendHeartbeats } from '../../src/activities/provider-activity.ts';
import { readConfig } from '../../src/config/config.ts';
import { createWorkers } from '../../src/worker/workers.ts';
import { DIST } from '../kit/built.ts';
import { stretch } from '../kit/busy.ts';
import { temporalEnvironment } from '../kit/conformance.ts';
import { gate, newDisconnect, quiet } from '../kit/fake-activities.ts';
import { runUntil } from '../kit/temporal.ts';

/** Heartbeats time out after 15 s. By default the library sends one every 12 s. */
const SEVERAL_IN_A_TIMEOUT_MS = 8_000;

test('a platform call sends several heartbeats within their timeout, so that one lost request ends nothing', async () => {
  Object.assign(process.env, temporalEnvironment());
  const taskQueue = `test-${randomUUID()}`;
  const config = readConfig('worker', {
    ...(await makeKeys()),
    DEPLOYMENT: 'development',
    DATABASE_URL: 'postgres://nobody@localhost/nothing',
    CONNECT_URL: 'http://localhost:4000',
    TASK_QUEUE: taskQueue,
    WORKFLOW_BUNDLE: path.join(DIST, 'workflow-bundles', 'index.js'),
  });
  const call = gate();
  const tryRevoke = sendHeartbeats(async () => {
    await call.opened;
    return quiet.tryRevoke({} as never);
  });
  const address = inject('temporalAddress');
  const client = new Client({ connection: await Connection.connect({ address }) });
  const native = await NativeConnection.connect({ address });
  try {
    const activities = {
      store: quiet,
      issuer: quiet,
      webhook: quiet,
      inlineSteps: quiet,
      provider: { ...quiet, tryRevoke },
    };
    const workers = await createWorkers(config, native, activities);
    await runUntil(workers, async () => {
      const run = await client.workflow.start('disconnect', {
        taskQueue,
        workflowId: randomUUID(),
        args: [newDisconnect()],
      });
      const beatsMs = new Set<number>();
      const hasThree = async () => {
        const { raw } = await run.describe();
        const beat = raw.pendingActivities?.[0]?.lastHeartbeatTime;
        if (beat?.seconds) beatsMs.add(Number(beat.seconds) * 1_000 + (beat.nanos ?? 0) / 1e6);
        return beatsMs.size >= 3;
      };
      await expect.poll(hasThree, { interval: 200 }).toBe(true);
      call.open();
      await run.result();
      const inOrder = [...beatsMs].sort((one, other) => one - other);
      const gapsMs = inOrder.slice(1).map((beat, index) => beat - (inOrder[index] ?? 0));
      expect(Math.min(...gapsMs)).toBeLessThan(stretch(SEVERAL_IN_A_TIMEOUT_MS));
    });
  } finally {
    await client.connection.close();
    await native.close();
  }
});
