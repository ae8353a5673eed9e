import { execFile } from 'node:child_process';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import { describe, expect, test, vi } from 'vitest';
import { createWorkerService } from '../../local/src/services.ts';
import { PROGRAM } from '../kit/built.ts';
import { type Answer, Refusal } from '../kit/graphql.ts';
import { type Member, open, retry, type Stage } from './stage.ts';

/** A busy machine takes its time. */
const PATIENCE = { timeout: 90_000, interval: 200 };
/** An installation that lost lines of its journal serves again so soon: it has noticed, and a worker has repeated them. */
const REPEATED_SECONDS = 10;
/** Reads have stopped by then, as in docs/failover.md. */
const STOPPED_SECONDS = 5;
/** The platform had confirmed it before. */
const REVOKED = { status: 'SUCCEEDED', creatorAction: null };
const SETTLED = ['SUCCEEDED', 'FAILED', 'CANCELED'];

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
  promisify(execFile)(process.execPath, [PROGRAM, 'restore', 'replay'], {
    env: createWorkerService(service.settings).env,
  });

/** Polls the connection as a disconnected person's app sees it. */
function watchConnection({ person, connectionId }: Member) {
  /** When each answer was seen last, by `performance.now()`. */
  const seen = new Map<string, number>();
  const over = new AbortController();
  const watching = (async () => {
    while (!over.signal.aborted) {
      const answer = await person.connection(connectionId).catch((error: unknown) => error);
      seen.set(answer instanceof Refusal ? answer.code : String((answer as Answer).status), performance.now());
      await delay(100);
    }
  })();
  return {
    seen,
    async stop() {
      over.abort();
      await watching;
    },
  };
}

/** The job once it has ended, also if the service is dark meanwhile. */
const settled = ({ person, connectionId }: Member, id: string): Promise<Answer> =>
  vi.waitUntil(async () => {
    const job = await person.ask('syncJob', { connectionId, id }).catch(() => undefined);
    return job !== undefined && SETTLED.includes(job.status) && job;
  }, PATIENCE);

const eventsAbout = ({ receiver }: Stage, connectionId: string): Answer[] =>
  receiver.received.map(({ body }) => JSON.parse(body)).filter(({ data }) => data.connectionId === connectionId);
const corrections = (stage: Stage, connectionId: string) =>
  eventsAbout(stage, connectionId).filter(({ type }) => type === 'connection.corrected');

describe('an asynchronous standby that lacks the last commits', () => {
  test('of a disconnect in the journal: soon no one sees the account again, and a worker repeats it', async () => {
    const stage = await open({ withJournal: true });
    const leaver = await stage.connect('PROVIDER_A', /^\d+ posts/);
    await startLosing(stage);
    const { person, connectionId } = leaver;
    const accepted = await person.ask('disconnectConnection', { connectionId });
    expect(await settled(leaver, accepted.eraseJobId)).toMatchObject({ status: 'SUCCEEDED' });
    const takenOverAt = await failOver(stage);
    const watch = watchConnection(leaver);
    const { read } = await stage.measure(takenOverAt);
    expect.soft(read).toBeLessThan(REPEATED_SECONDS);
    expect(await settled(leaver, accepted.revokeJobId)).toMatchObject(REVOKED);
    expect(await settled(leaver, accepted.eraseJobId)).toMatchObject({ status: 'SUCCEEDED' });
    await vi.waitUntil(() => watch.seen.has('NOT_FOUND'), PATIENCE);
    await watch.stop();
    expect((watch.seen.get('CONNECTED') ?? takenOverAt) - takenOverAt).toBeLessThan(1_000 * STOPPED_SECONDS);
    const { reader } = stage;
    expect(await retry(() => reader.person.connection(reader.connectionId))).toMatchObject({ status: 'CONNECTED' });
  });

  test('of a disconnect in the journal, met by processes that have just started: nothing is served until the replay', async () => {
    const stage = await open({ withJournal: true });
    const leaver = await stage.connect('PROVIDER_A', /^\d+ posts/);
    await stage.probes.stop();
    await startLosing(stage);
    const { connectionId, person } = leaver;
    const { erase } = await person.disconnect(connectionId);
    expect(erase.status).toBe('SUCCEEDED');
    const [worker] = stage.service.workers;
    if (worker === undefined) throw new Error('There is no worker.');
    await worker.kill();
    const takenOverAt = await failOver(stage);
    const { reader } = stage;
    const ask = () => reader.person.connection(reader.connectionId).catch((error: unknown) => String(error));
    await vi.waitUntil(async () => String(await ask()).includes('does not answer in time'), PATIENCE);
    await expect(worker.start()).rejects.toThrow('restore replay'); // It refuses the database.
    expect(await person.connection(connectionId).catch((error: unknown) => String(error))).toContain('UPSTREAM');
    await replay(stage);
    await worker.start();
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
    const takenOverAt = await failOver(stage);
    worker?.resume();
    expect(await settled(leaver, accepted.revokeJobId)).toMatchObject(REVOKED);
    expect(await settled(leaver, accepted.eraseJobId)).toMatchObject({ status: 'SUCCEEDED' });
    expect(person.liveGrants(account)).toEqual([]);
    await stage.measure(takenOverAt);
    const { reader } = stage;
    expect(await retry(() => reader.person.connection(reader.connectionId))).toMatchObject({ status: 'CONNECTED' });
    expect(reader.person.liveGrants(reader.account)).toHaveLength(1);
  });

  test('of a disconnect that has ended, without a journal: it is carried out again under the accepted receipts', async () => {
    const stage = await open({});
    const leaver = await stage.connect('PROVIDER_A', /^\d+ posts/);
    await startLosing(stage);
    const { person, connectionId, account } = leaver;
    const accepted = await person.ask('disconnectConnection', { connectionId });
    expect(await settled(leaver, accepted.eraseJobId)).toMatchObject({ status: 'SUCCEEDED' });
    const takenOverAt = await failOver(stage);
    await stage.measure(takenOverAt);
    expect(await settled(leaver, accepted.eraseJobId)).toMatchObject({ status: 'SUCCEEDED' });
    expect(await settled(leaver, accepted.revokeJobId)).toMatchObject(REVOKED);
    await vi.waitUntil(async () => (await retry(() => person.connection(connectionId))) === 'NOT_FOUND', PATIENCE);
    expect(person.liveGrants(account)).toEqual([]);
    const { reader } = stage;
    expect(await retry(() => reader.person.connection(reader.connectionId))).toMatchObject({ status: 'CONNECTED' });
  });

  test('of facts that webhooks have sent: each connection is corrected, and no other', async () => {
    const stage = await open({});
    const { reader } = stage;
    const stays = await stage.connect('PROVIDER_A', /^\d+ posts/);
    await vi.waitUntil(() => eventsAbout(stage, stays.connectionId).length > 0, PATIENCE);
    await startLosing(stage);
    const newcomer = await stage.connect('PROVIDER_B', /^40 posts/);
    const job = await reader.person.ask('requestRefresh', { connectionId: reader.connectionId });
    await reader.person.ended(reader.connectionId, job.id);
    const isTold = (connectionId: string, type: string) =>
      eventsAbout(stage, connectionId).some((event) => event.type === type);
    await vi.waitUntil(() => isTold(newcomer.connectionId, 'connection.connected'), PATIENCE);
    await vi.waitUntil(
      () => eventsAbout(stage, reader.connectionId).some(({ data }) => data.jobId === job.id),
      PATIENCE,
    );
    const takenOverAt = await failOver(stage);
    await stage.measure(takenOverAt);
    expect(await retry(() => newcomer.person.connection(newcomer.connectionId))).toBe('NOT_FOUND');
    await vi.waitUntil(() => corrections(stage, newcomer.connectionId).length > 0, PATIENCE);
    await vi.waitUntil(() => corrections(stage, reader.connectionId).length > 0, PATIENCE);
    expect(corrections(stage, newcomer.connectionId)).toMatchObject([{ data: { provider: null, status: null } }]);
    expect(corrections(stage, reader.connectionId)).toMatchObject([
      { data: { provider: 'PROVIDER_B', status: 'CONNECTED' } },
    ]);
    for (const { connectionId } of [newcomer, reader]) {
      const events = eventsAbout(stage, connectionId);
      const [correction] = events.filter(({ type }) => type === 'connection.corrected');
      expect(Math.max(...events.map(({ data }) => data.sequence))).toBe(correction?.data.sequence);
    }
    expect(corrections(stage, stays.connectionId)).toEqual([]);
  });

  test('of a rotated token: the receipt reports that the grant may live at the platform', async () => {
    const stage = await open({});
    await stage.probes.stop();
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
      return typeof job === 'string' ? job : await settled(stage.reader, job.id);
    };
    await startLosing(stage);
    expect(await refresh()).toMatchObject({ status: 'SUCCEEDED' });
    await failOver(stage);
    expect(await refresh()).toMatchObject({ status: 'FAILED', errorCode: 'RECONNECT_REQUIRED' });
    expect(person.liveGrants(account)).toHaveLength(1);
    const { revoke } = await person.disconnect(connectionId);
    expect(revoke.creatorAction).toBe('REMOVE_APP_AT_PROVIDER');
  });
});
