import { describe } from 'vitest';
import { MINUTE_MS, moveClock } from '../kit/clock.ts';
import { refusalOf } from '../kit/graphql.ts';
import { lastDays, PERMISSIONS } from '../kit/person.ts';
import type { TestService } from '../kit/service.ts';
import { stackTest } from '../kit/stack.ts';
import { meeting, promptly } from '../kit/trouble.ts';

/** Longer than an aborted call blocks its grant for other calls. */
const LAPSED_MS = 2 * MINUTE_MS;

const test = stackTest({ apis: 2 });

describe.concurrent('a worker that is killed', () => {
  const workerKilled = meeting(3, async ({ workers, database }) => {
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

  test('during a code exchange: the code is not sent again, and the person is asked to remove the app', async ({
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
    // The service gives up this exchange after its time limit, so it begins last.
    await workerKilled.othersHere;
    const back = person.agree(await person.launch(session), account, PERMISSIONS.PROVIDER_C);
    await underWay.met();
    await workerKilled(service);
    underWay.end();

    expect((await back).url).toBe(`${service.app.returnUrl}?ss_session_id=${session.id}`);
    expect(await person.outcome(session.id)).toMatchObject({
      status: 'FAILED',
      resultCode: 'INTERNAL',
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
    expect((await person.ended(connectionId, receipts.revokeJobId)).status).toBe('SUCCEEDED');
    expect((await person.ended(connectionId, receipts.eraseJobId)).status).toBe('SUCCEEDED');
    await service.apis[1]?.start();
  });
});
