import { execFile } from 'node:child_process';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { createWorkerService, ROOT } from '../../src/local/services.ts';
import type { Answer } from '../kit/graphql.ts';
import { openStage, retry, type Stage, type StageOptions } from './stage.ts';

/** A process that finds its database older than the journal stops so soon. A busy machine takes its time. */
const STOP_SECONDS = 5;
const PATIENCE = { timeout: 90_000, interval: 200 };

async function open(options: StageOptions): Promise<Stage> {
  const stage = await openStage(options);
  onTestFinished(({ task }) => stage.close({ hasFailed: task.result?.state === 'fail' }));
  await stage.probes.stop();
  return stage;
}

/** From now on the primary's commits do not reach the standby. */
async function startLosing({ nodes }: Stage): Promise<void> {
  await nodes.catchUp();
  nodes.stream.refuse();
  nodes.stream.cut();
}

async function failOver({ nodes, failOver: takeOver }: Stage): Promise<number> {
  await nodes.killPrimary();
  return await takeOver();
}

const readyOf = async (url: string) => {
  const response = await fetch(`${url}/readyz`).catch(() => undefined);
  return { status: response?.status ?? 0, text: (await response?.text()) ?? '' };
};
const workerUrl = ({ service }: Stage) => `http://127.0.0.1:${service.settings.ports.workerHealth}`;

const replay = ({ service }: Stage) =>
  promisify(execFile)(process.execPath, [path.join(ROOT, 'dist', 'main.js'), 'restore', 'replay'], {
    env: createWorkerService(service.settings).env,
  });

describe('an asynchronous standby that lacks the last commits', () => {
  test('of a disconnect in the journal: nothing is served until the replay, and then it is gone again', async () => {
    const stage = await open({ withJournal: true });
    const leaver = await stage.connect('PROVIDER_A', /^\d+ posts/);
    await startLosing(stage);
    const { connectionId, person } = leaver;
    const { erase } = await person.disconnect(connectionId);
    expect(erase.status).toBe('SUCCEEDED');
    const takenOverAt = await failOver(stage);
    const worker = await vi.waitUntil(async () => {
      const ready = await readyOf(workerUrl(stage));
      return ready.status === 503 && ready.text.includes('older than the erasure journal') && ready;
    }, PATIENCE);
    const { reader } = stage;
    const ask = () => reader.person.connection(reader.connectionId).catch((error: unknown) => String(error));
    await vi.waitUntil(async () => String(await ask()).includes('does not answer in time'), PATIENCE);
    const seconds = (performance.now() - takenOverAt) / 1_000;
    console.log(JSON.stringify({ name: 'older than the journal', stoppedAfter: seconds }));
    expect(seconds).toBeLessThan(STOP_SECONDS + 5);
    expect(worker.text).toContain('restore replay');
    expect(await ask()).toContain('UPSTREAM_UNAVAILABLE');
    expect(await person.connection(connectionId).catch((error: unknown) => String(error))).toContain('UPSTREAM');
    await replay(stage);
    await vi.waitUntil(async () => (await readyOf(workerUrl(stage))).status === 200, PATIENCE);
    expect(await retry(() => reader.person.connection(reader.connectionId))).toMatchObject({ status: 'CONNECTED' });
    await vi.waitUntil(async () => (await retry(() => person.connection(connectionId))) === 'NOT_FOUND', PATIENCE);
  });

  test('of a disconnect that is not in the journal yet: it is carried out under the accepted receipts', async () => {
    const stage = await open({ withJournal: true });
    const leaver = await stage.connect('PROVIDER_A', /^\d+ posts/);
    await startLosing(stage);
    const [worker] = stage.service.workers;
    worker?.pause();
    const { person, connectionId, account } = leaver;
    const accepted = await person.ask('disconnectConnection', { connectionId });
    const { workflow } = stage.service.temporalClient;
    await vi.waitUntil(
      () =>
        workflow
          .getHandle(`disconnect/${connectionId}`)
          .describe()
          .then(
            () => true,
            () => false,
          ),
      PATIENCE,
    );
    await failOver(stage);
    worker?.resume();
    const ended = async (id: string): Promise<Answer> =>
      await vi.waitUntil(async () => {
        const job = await person.ask('syncJob', { connectionId, id }).catch(() => undefined);
        return job !== undefined && !['QUEUED', 'RUNNING'].includes(job.status) && job;
      }, PATIENCE);
    expect(await ended(accepted.revokeJobId)).toMatchObject({ status: 'SUCCEEDED', creatorAction: null });
    expect(await ended(accepted.eraseJobId)).toMatchObject({ status: 'SUCCEEDED' });
    expect(person.liveGrants(account)).toEqual([]);
    const { reader } = stage;
    expect(await retry(() => reader.person.connection(reader.connectionId))).toMatchObject({ status: 'CONNECTED' });
    expect(reader.person.liveGrants(reader.account)).toHaveLength(1);
  });

  test('of a rotated token: the receipt says that the grant may live at the platform', async () => {
    const stage = await open({});
    const { person, connectionId, account } = stage.reader;
    const refresh = async () => {
      const { sql } = stage.service.database;
      const expire = () =>
        sql`update account_grant set access_expires_at = now() where connection_id = ${connectionId}`;
      await vi.waitUntil(
        () =>
          expire().then(
            () => true,
            () => false,
          ),
        PATIENCE,
      );
      const job = await retry(() => person.ask('requestRefresh', { connectionId }));
      return typeof job === 'string' ? job : await person.ended(connectionId, job.id);
    };
    await startLosing(stage);
    expect(await refresh()).toMatchObject({ status: 'SUCCEEDED' });
    await failOver(stage);
    expect(await refresh()).toMatchObject({ status: 'FAILED', errorCode: 'RECONNECT_REQUIRED' });
    await delay(1_000);
    expect(person.liveGrants(account)).toHaveLength(1);
    const { revoke } = await person.disconnect(connectionId);
    expect(revoke.creatorAction).toBe('REMOVE_APP_AT_PROVIDER');
  });
});
