import { randomUUID } from 'node:crypto';
import { Client, Connection } from '@temporalio/client';
import { ApplicationFailure } from '@temporalio/common';
import { describe, expect } from 'vitest';
import { createWorkflowAsker } from '../../src/temporal/ask-workflow.ts';
import { disconnect } from '../../src/workflows/disconnect.ts';
import { stretch } from '../kit/busy.ts';
import { newDisconnect, quiet, until } from '../kit/fake-activities.ts';
import { gate } from '../kit/gate.ts';
import { test } from '../kit/temporal.ts';

/** The promise is kept within a second; the rest is for a busy machine. */
const WITHIN_MS = 2_500;

async function timed<T>(work: () => Promise<T>): Promise<{ answer: T; ms: number }> {
  const startedAt = performance.now();
  return { answer: await work(), ms: performance.now() - startedAt };
}

describe('asking a workflow', () => {
  test('answers its progress, its pending activities, its history and its worker', async ({ temporal }) => {
    const { ask } = createWorkflowAsker(temporal.env.client, 'nobody');
    const repaired = gate();
    let calls = 0;
    // A failure that Temporal itself retries: the activity stays pending between its attempts.
    const tryRevoke = async () => {
      calls += 1;
      if (calls === 1) throw ApplicationFailure.create({ type: 'Crashed', message: 'No text of this is shown.' });
      await repaired.opened;
      return undefined;
    };
    await temporal.run({ ...quiet, tryRevoke }, async (start) => {
      const run = await start(disconnect, newDisconnect());
      await until(async () => (await run.describe()).raw.pendingActivities?.[0]?.attempt === 2);
      const answer = await ask(run.workflowId);
      expect(answer).toMatchObject({
        state: 'RUNNING',
        progress: { step: 'REVOKE', tries: 0, lastCode: null, waitingFor: null },
        pendingActivities: [{ name: 'tryRevoke', attempt: 2, lastFailureType: 'Crashed' }],
        historyLength: expect.any(Number),
      });
      expect(JSON.stringify(answer)).not.toContain('No text of this');
      repaired.open();
      await run.result();
      expect(await ask(run.workflowId)).toMatchObject({ state: 'CLOSED', progress: null, pendingActivities: [] });
    });
    expect(await ask(`disconnect/${randomUUID()}`)).toEqual({ state: 'MISSING' });
  });

  test('answers without progress within a second if no worker runs', async ({ temporal }) => {
    const { client } = temporal.env;
    const workflowId = randomUUID();
    await client.workflow.start(disconnect, { workflowId, taskQueue: `nobody-${workflowId}`, args: [newDisconnect()] });
    const { answer, ms } = await timed(() => createWorkflowAsker(client, 'nobody').ask(workflowId));
    expect(answer).toMatchObject({ state: 'RUNNING', progress: null, pendingActivities: [] });
    expect(ms).toBeLessThan(stretch(WITHIN_MS));
    await client.workflow.getHandle(workflowId).terminate();
  });

  test('answers "not known" within a second if Temporal is away, and at once beyond 16 at a time', async () => {
    const connection = Connection.lazy({ address: '127.0.0.1:9' }); // The port of "discard".
    const { ask, askWorkers, countFailing, close } = createWorkflowAsker(new Client({ connection }), 'nobody');
    const { answer: answers, ms } = await timed(async () => {
      const asked = Array.from({ length: 16 }, () => timed(() => ask(randomUUID())));
      const beyond = await timed(() => ask(randomUUID()));
      expect(beyond.ms).toBeLessThan(stretch(100));
      return [beyond, ...(await Promise.all(asked))].map(({ answer }) => answer.state);
    });
    expect(new Set(answers)).toEqual(new Set(['NOT_KNOWN']));
    expect(ms).toBeLessThan(stretch(WITHIN_MS));
    const { answer: count, ms: countedIn } = await timed(countFailing);
    expect(count).toBeNull();
    expect(countedIn).toBeLessThan(stretch(WITHIN_MS));
    expect(await askWorkers()).toEqual({ state: 'NOT_KNOWN', seenAt: null });
    await close(); // Without it, the SDK would retry on a closed connection, and end the process.
    await connection.close();
  });
});
