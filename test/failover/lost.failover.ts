import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, test, vi } from 'vitest';
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
});
