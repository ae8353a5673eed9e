import { rmSync } from 'node:fs';
import { describe } from 'vitest';
import { MINUTE_MS, moveClock } from '../kit/clock.ts';
import { refusalOf } from '../kit/graphql.ts';
import type { TestService } from '../kit/service.ts';
import { lastDays, PERMISSIONS } from './person.ts';
import { stackTest } from './stack.ts';
import { endByHand, meeting, promptly, sweepNow } from './trouble.ts';
import { collectSecrets, readWritings } from './writings.ts';

/** Longer than an aborted call blocks its grant for other calls. */
const LAPSED_MS = 2 * MINUTE_MS;
/** Longer than reconciliation leaves work in progress alone. */
const OVERDUE_MS = 15 * MINUTE_MS;

const test = stackTest({ apis: 2 });

describe.concurrent('a worker that is killed', () => {
  const workerKilled = meeting(4, async ({ workers, database }) => {
    await workers[0]?.kill();
    await moveClock(database.sql, LAPSED_MS);
    await workers[0]?.start();
  });

  test('during a scan: the scan continues and stores every post once', async ({
    service,
    newPerson,
    newTrouble,
    expect,
  }) => {
    const person = newPerson();
    const { control } = service.sandbox;
    const account = person.account('PROVIDER_B', /^250 posts/);
    const { connectionId } = await person.connect('PROVIDER_B', account);
    await person.synced(connectionId);
    const window = lastDays(80);
    const inTheMiddle = newTrouble({
      provider: 'PROVIDER_B',
      route: 'videoList',
      account,
      what: { kind: 'hang' },
      skip: 2,
    });
    const { id } = await person.ask('requestRefresh', { connectionId, window });
    await inTheMiddle.met();
    await workerKilled(service);
    inTheMiddle.end();

    let job = await person.ended(connectionId, id);
    expect(job).toMatchObject({ status: 'SUCCEEDED', incompleteReason: 'MAX_ITEMS', errorCode: null });
    while (job.continuationCursor !== null) {
      const { continuationCursor } = job;
      const next = await person.ask('requestRefresh', { connectionId, continuationCursor });
      job = await person.ended(connectionId, next.id);
    }
    const posts = control
      .posts(account)
      .filter(({ isPublic, publishedAt }) => isPublic && (publishedAt ?? 0) >= Date.parse(window.publishedAfter));
    const stored = await person.posts(connectionId, window);
    expect(stored.map((post) => post.providerContentId)).toEqual(posts.map((post) => post.id));
  });

  test('between two tries of a revoke: the next try settles it', async ({ service, newPerson, newTrouble, expect }) => {
    const person = newPerson();
    const account = person.account('PROVIDER_B', /right to left/);
    const { connectionId } = await person.connect('PROVIDER_B', account);
    const failing = newTrouble({
      provider: 'PROVIDER_B',
      route: 'revoke',
      account,
      what: { kind: 'status', status: 503 },
    });
    const { revokeJobId, eraseJobId } = await person.ask('disconnectConnection', { connectionId });
    await failing.met();
    await workerKilled(service);
    failing.end();

    expect(await person.ended(connectionId, revokeJobId)).toMatchObject({ status: 'SUCCEEDED', creatorAction: null });
    expect((await person.ended(connectionId, eraseJobId)).status).toBe('SUCCEEDED');
    const revokes = service.sandbox.control.calls({ route: 'revoke', account });
    expect(revokes.filter(({ status }) => status === 200)).toHaveLength(1);
  });

  test('before the answer to a revoke: the revoke is repeated and found done', async ({
    service,
    newPerson,
    newTrouble,
    expect,
  }) => {
    const person = newPerson();
    const account = person.account('PROVIDER_B', /short pages/);
    const { connectionId } = await person.connect('PROVIDER_B', account);
    const underWay = newTrouble({
      provider: 'PROVIDER_B',
      route: 'revoke',
      account,
      what: { kind: 'trickle', intervalMs: 10_000 },
    });
    const { revokeJobId, eraseJobId } = await person.ask('disconnectConnection', { connectionId });
    await underWay.met();
    await workerKilled(service);
    underWay.end();

    expect(await person.ended(connectionId, revokeJobId)).toMatchObject({ status: 'SUCCEEDED', creatorAction: null });
    expect((await person.ended(connectionId, eraseJobId)).status).toBe('SUCCEEDED');
    expect(person.liveGrants(account)).toEqual([]);
  });

  test('during a code exchange: the code is not sent again, and the person is told what to do', async ({
    service,
    newPerson,
    newTrouble,
    expect,
  }) => {
    const person = newPerson();
    const account = person.account('PROVIDER_C', /^250 posts/);
    const underWay = newTrouble({
      provider: 'PROVIDER_C',
      route: 'token',
      account,
      what: { kind: 'trickle', intervalMs: 10_000 },
    });
    const session = await person.createSession('PROVIDER_C');
    const back = person.agree(await person.launch(session), account, PERMISSIONS.PROVIDER_C);
    await underWay.met();
    await workerKilled(service);
    underWay.end();

    expect((await back).url).toBe(`${service.app.returnUrl}?ss_session_id=${session.id}`);
    expect(await person.outcome(session.id)).toMatchObject({
      status: 'FAILED',
      resultCode: 'EXCHANGE_FAILED',
      creatorAction: 'REMOVE_APP_AT_PROVIDER',
      connectionId: null,
    });
    expect(service.sandbox.control.calls({ route: 'token', account })).toHaveLength(1);
  });
});

describe('Temporal unavailable', () => {
  test.for([
    {
      how: 'killed',
      leave: (service: TestService) => service.temporal.kill(),
      back: (service: TestService) => service.temporal.start(),
    },
    {
      how: 'hanging',
      leave: async (service: TestService) => service.temporal.pause(),
      back: async (service: TestService) => service.temporal.resume(),
    },
  ])(
    '($how) all that is accepted meanwhile comes to its right end',
    async ({ leave, back }, { service, newPerson, expect }) => {
      const [starting, returning, leaving] = [newPerson(), newPerson(), newPerson()];
      const account = leaving.account('PROVIDER_B', /short pages/);
      const { connectionId } = await leaving.connect('PROVIDER_B', account);
      await leaving.synced(connectionId);
      const launched = await returning.createSession('PROVIDER_A');
      const consent = await returning.launch(launched);

      await leave(service);
      const created = await promptly(() => starting.createSession('PROVIDER_C'));
      const page = await returning.agree(
        consent,
        returning.account('PROVIDER_A', /^250 posts/),
        PERMISSIONS.PROVIDER_A,
      );
      expect(page.url).toBe(`${service.app.returnUrl}?ss_session_id=${launched.id}`);
      const waiting = await promptly(() => returning.ask('connectSessionResult', { id: launched.id }));
      expect(waiting.status).toBe('EXCHANGING');
      const receipts = await promptly(() => leaving.ask('disconnectConnection', { connectionId }));
      expect(receipts).toMatchObject({ accepted: true, upstreamRevocationPending: true });
      expect(await promptly(() => leaving.connection(connectionId))).toMatchObject({
        status: 'DISCONNECTED',
        profile: null,
      });
      const refusal = await refusalOf(leaving.posts(connectionId, lastDays(6)));
      expect(refusal.code).toBe('DISCONNECT_IN_PROGRESS');
      await back(service);

      expect((await returning.outcome(launched.id)).status).toBe('COMPLETED');
      for (const id of [receipts.revokeJobId, receipts.eraseJobId]) {
        expect((await leaving.ended(connectionId, id)).status).toBe('SUCCEEDED');
      }
      expect(leaving.liveGrants(account)).toEqual([]);
      expect((await refusalOf(leaving.connection(connectionId))).code).toBe('NOT_FOUND');
      const consentLater = await starting.launch(created);
      await starting.agree(consentLater, starting.account('PROVIDER_C', /^250 posts/), PERMISSIONS.PROVIDER_C);
      expect((await starting.outcome(created.id)).status).toBe('COMPLETED');
    },
  );

  test('and the api killed before delivery: the sweep delivers the accepted requests', async ({
    service,
    newPerson,
    expect,
  }) => {
    const person = newPerson();
    const account = person.account('PROVIDER_C', /^40 posts/);
    const { connectionId } = await person.connect('PROVIDER_C', account);
    await person.synced(connectionId);
    service.temporal.pause();
    const receipts = await person.ask('disconnectConnection', { connectionId }, { api: 1 });
    await service.apis[1]?.kill();
    service.temporal.resume();
    await moveClock(service.database.sql, MINUTE_MS); // After the lease of the aborted delivery.
    await sweepNow(service, 'outbox');
    expect((await person.ended(connectionId, receipts.revokeJobId)).status).toBe('SUCCEEDED');
    expect((await person.ended(connectionId, receipts.eraseJobId)).status).toBe('SUCCEEDED');
    await service.apis[1]?.start();
  });
});

describe('workflows terminated by an operator', () => {
  test('a disconnect restarts; a scan and an attempt end with a true result', async ({
    service,
    newPerson,
    newTrouble,
    expect,
  }) => {
    const [leaving, scanning, connecting] = [newPerson(), newPerson(), newPerson()];
    const account = leaving.account('PROVIDER_B', /right to left/);
    const scanned = scanning.account('PROVIDER_B', /^250 posts/);
    const [left, kept] = await Promise.all([
      leaving.connect('PROVIDER_B', account),
      scanning.connect('PROVIDER_B', scanned),
    ]);
    await Promise.all([leaving.synced(left.connectionId), scanning.synced(kept.connectionId)]);
    const failing = newTrouble({
      provider: 'PROVIDER_B',
      route: 'revoke',
      account,
      what: { kind: 'status', status: 503 },
    });
    const held = newTrouble({ provider: 'PROVIDER_B', route: 'videoList', account: scanned, what: { kind: 'hang' } });
    const attempt = await connecting.createSession('PROVIDER_A');
    const scan = await scanning.ask('requestRefresh', { connectionId: kept.connectionId, window: lastDays(30) });
    const receipts = await leaving.ask('disconnectConnection', { connectionId: left.connectionId });
    await Promise.all([failing.met(), held.met()]);
    for (const id of [`disconnect/${left.connectionId}`, `scan/${scan.id}`, `connect/${attempt.id}`]) {
      await endByHand(service, id);
    }
    failing.end();
    held.end();
    await moveClock(service.database.sql, OVERDUE_MS);
    await sweepNow(service, 'reconcile');

    expect((await leaving.ended(left.connectionId, receipts.revokeJobId)).status).toBe('SUCCEEDED');
    expect((await leaving.ended(left.connectionId, receipts.eraseJobId)).status).toBe('SUCCEEDED');
    expect(leaving.liveGrants(account)).toEqual([]);
    expect(await scanning.ended(kept.connectionId, scan.id)).toMatchObject({ status: 'FAILED', errorCode: 'INTERNAL' });
    const again = await scanning.ask('requestRefresh', { connectionId: kept.connectionId, window: lastDays(30) });
    expect((await scanning.ended(kept.connectionId, again.id)).status).toBe('SUCCEEDED');
    await expect
      .poll(
        () => service.database.sql`select status, result_code from connect_attempt where attempt_id = ${attempt.id}`,
        { timeout: 20_000 },
      )
      .toEqual([{ status: 'EXPIRED', resultCode: 'EXPIRED' }]);
  });
});

describe('after all tests', () => {
  test('no history and no log contains a secret or personal data', async ({ service, people, expect }) => {
    const writings = await readWritings(service);
    expect(writings.length).toBeGreaterThan(20);
    expect(collectSecrets(service, people).findIn(writings)).toEqual([]);
  });
});

describe('Temporal’s data is lost', () => {
  test('a disconnect and a scan in progress restart', async ({ service, newPerson, newTrouble, expect }) => {
    const [leaving, scanning] = [newPerson(), newPerson()];
    const account = leaving.account('PROVIDER_B', /right to left/);
    const scanned = scanning.account('PROVIDER_B', /short pages/);
    const [left, kept] = await Promise.all([
      leaving.connect('PROVIDER_B', account),
      scanning.connect('PROVIDER_B', scanned),
    ]);
    await Promise.all([leaving.synced(left.connectionId), scanning.synced(kept.connectionId)]);
    const away = { kind: 'status', status: 503 } as const;
    const troubles = [
      newTrouble({ provider: 'PROVIDER_B', route: 'revoke', account, what: away }),
      newTrouble({ provider: 'PROVIDER_B', route: 'videoList', account: scanned, what: away }),
    ];
    const scan = await scanning.ask('requestRefresh', { connectionId: kept.connectionId, window: lastDays(80) });
    const receipts = await leaving.ask('disconnectConnection', { connectionId: left.connectionId });
    await Promise.all(troubles.map((trouble) => trouble.met()));

    await Promise.all([service.temporal.kill(), ...service.workers.map((worker) => worker.kill())]);
    for (const ending of ['', '-shm', '-wal']) rmSync(`${service.temporalFile}${ending}`, { force: true });
    for (const trouble of troubles) trouble.end();
    await service.temporal.start();
    await Promise.all(service.workers.map((worker) => worker.start()));
    await moveClock(service.database.sql, OVERDUE_MS);
    await sweepNow(service, 'reconcile');

    for (const id of [receipts.revokeJobId, receipts.eraseJobId]) {
      expect((await leaving.ended(left.connectionId, id)).status).toBe('SUCCEEDED');
    }
    expect((await scanning.ended(kept.connectionId, scan.id)).status).toBe('SUCCEEDED');
  });
});
