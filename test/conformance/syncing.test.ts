import { describe, expect } from 'vitest';
import { type Service, scanWorkflow, type User, until, workTest } from '../kit/at-work.ts';
import { DAY, HOUR, iso, MINUTE, SECOND } from '../kit/conformance.ts';
import { booksOf, connectAt, DOWN, LATER, takeNow } from './usual.ts';

const test = workTest();

const NOW = takeNow();
const connected = connectAt(NOW);
const WINDOW = { publishedAfter: iso(NOW - 30 * DAY), publishedBefore: iso(NOW - 25 * DAY) };
const away = ({ control }: Service, what: Parameters<typeof control.addFault>[0]['what'] = DOWN) => {
  control.addFault({ provider: 'PROVIDER_B', route: 'videoList', what, times: null });
};

const shown = async (user: User, id: string) => {
  const { syncStatus, lastSuccessfulSyncAt, nextRetryAt } = await user.connection(id);
  return { syncStatus, lastSuccessfulSyncAt, nextRetryAt };
};

describe('a first scan', () => {
  test('D first scan + D sync status: a first scan reads 7 days without a request', async ({ user, service }) => {
    const account = user.account('PROVIDER_B', /^No posts/);
    await service.at(NOW);
    const [newest, oldest, tooOld] = [NOW - SECOND, NOW - 7 * DAY, NOW - 7 * DAY - SECOND].map(
      (publishedAt) => service.control.addPost(account, { publishedAt }).id,
    );
    const connectionId = await user.connect('PROVIDER_B', account);
    expect(await shown(user, connectionId)).toEqual({
      syncStatus: 'READY',
      lastSuccessfulSyncAt: iso(NOW),
      nextRetryAt: null,
    });
    expect((await user.connection(connectionId)).profile).toMatchObject({ observedAt: iso(NOW) });
    const window = { publishedAfter: iso(NOW - 30 * DAY), publishedBefore: iso(NOW + DAY), first: 50 };
    const { items } = await user.ask('content', { connectionId, window });
    expect(items.map((item: { providerContentId: string }) => item.providerContentId)).toEqual([newest, oldest]);
    for (const id of [newest, oldest, tooOld]) service.control.deletePost(id ?? '');
  });

  test('D sync status: a connection without CONTENT_LIST is READY at once', async ({ user, service }) => {
    await service.at(NOW);
    const options = { capabilities: ['PROFILE'] } as const;
    const { connectionId } = await user.attempt('PROVIDER_B', booksOf(user), options);
    expect(await shown(user, connectionId)).toMatchObject({ syncStatus: 'READY', nextRetryAt: null });
    expect(service.control.calls({ route: 'videoList' })).toEqual([]);
    await service.at(NOW + 29 * DAY);
    expect((await user.ask('connections')).items).toMatchObject([{ syncStatus: 'READY', nextRetryAt: null }]);
  });
});

describe('the status after a scan', () => {
  test('D sync status: RUNNING during a scan, then READY as of its first request', async ({ user, service }) => {
    const connectionId = await connected(user, service);
    away(service);
    await service.at(NOW + HOUR);
    const { id } = await user.ask('requestRefresh', { connectionId, window: WINDOW });
    await user.waiting(connectionId, id);
    expect(await shown(user, connectionId)).toMatchObject({ syncStatus: 'RUNNING', lastSuccessfulSyncAt: iso(NOW) });
    service.control.clearFaults();
    await service.retryNow(scanWorkflow(id));
    await user.ended(connectionId, id);
    expect(await shown(user, connectionId)).toEqual({
      syncStatus: 'READY',
      lastSuccessfulSyncAt: iso(NOW + HOUR),
      nextRetryAt: null,
    });
  });

  test('D sync status: FAILED with the time of the last success, READY after the next', async ({ user, service }) => {
    const connectionId = await connected(user, service);
    away(service, LATER);
    await service.at(NOW + HOUR);
    await user.refresh(connectionId);
    const failed = { syncStatus: 'FAILED', lastSuccessfulSyncAt: iso(NOW), nextRetryAt: null };
    expect(await shown(user, connectionId)).toEqual(failed);
    await service.at(NOW + 2 * DAY);
    expect(await shown(user, connectionId)).toEqual(failed);
    service.control.clearFaults();
    await user.refresh(connectionId);
    expect(await shown(user, connectionId)).toMatchObject({ syncStatus: 'READY' });
  });

  for (const [status, maxItems] of [
    ['READY', 100],
    ['PARTIAL', 1],
  ] as const) {
    test(`D sync status: ${status} becomes STALE 24 hours after the last success, and a scan restores it`, async ({
      user,
      service,
    }) => {
      const connectionId = await connected(user, service);
      await user.refresh(connectionId, { window: { ...WINDOW, maxItems } });
      await service.at(NOW + DAY - 1);
      expect(await shown(user, connectionId)).toMatchObject({ syncStatus: status });
      await service.at(NOW + DAY);
      expect(await shown(user, connectionId)).toMatchObject({ syncStatus: 'STALE', lastSuccessfulSyncAt: iso(NOW) });
      const [listed] = (await user.ask('connections')).items;
      expect(listed).toMatchObject({ syncStatus: 'STALE' });
      await user.refresh(connectionId);
      expect(await shown(user, connectionId)).toMatchObject({ syncStatus: 'READY' });
    });
  }
});

/** A scan that waits for its next try, and its connection. */
async function waiting(user: User, service: Service) {
  const connectionId = await connected(user, service);
  away(service);
  const { id } = await user.ask('requestRefresh', { connectionId, window: WINDOW });
  const job = await user.waiting(connectionId, id);
  expect(job.nextRetryAt).toBe(iso(NOW + 5 * SECOND));
  expect(await shown(user, connectionId)).toMatchObject({ nextRetryAt: job.nextRetryAt });
  return { connectionId, id };
}

test("2 field rule 5: each failed try sets nextRetryAt: 5 seconds doubled, or the platform's wait", async ({
  user,
  service,
}) => {
  const { connectionId, id } = await waiting(user, service);
  await service.at(NOW + 5 * SECOND - 1);
  expect(await shown(user, connectionId)).toMatchObject({ nextRetryAt: iso(NOW + 5 * SECOND) });
  await service.at(NOW + 5 * SECOND);
  expect(await shown(user, connectionId)).toMatchObject({ nextRetryAt: null });
  for (const [after, wait] of [
    [5 * SECOND, 10 * SECOND],
    [15 * SECOND, 20 * SECOND],
  ] as const) {
    await service.at(NOW + after);
    await service.retryNow(scanWorkflow(id));
    const nextRetryAt = iso(NOW + after + wait);
    await until(async () => (await user.job(connectionId, id)).nextRetryAt === nextRetryAt);
    expect(await shown(user, connectionId)).toMatchObject({ nextRetryAt });
  }
  service.control.clearFaults();
  away(service, { kind: 'status', status: 429, retryAfterSeconds: 900 });
  await service.at(NOW + MINUTE);
  await service.retryNow(scanWorkflow(id));
  await until(async () => (await shown(user, connectionId)).nextRetryAt === iso(NOW + 16 * MINUTE));
});

const ENDS: Readonly<Record<string, (user: User, service: Service, id: string) => Promise<void>>> = {
  'a failure': async (_, service, id) => {
    service.control.clearFaults();
    away(service, LATER);
    await service.retryNow(scanWorkflow(id));
  },
  'the loss of its workflow': async (_, service, id) => {
    await service.terminate(scanWorkflow(id));
    await service.at(NOW + 3 * MINUTE);
    await service.sweep('reconcile');
  },
};
for (const [what, end] of Object.entries(ENDS)) {
  test(`2 field rule 5: ${what} clears nextRetryAt`, async ({ user, service }) => {
    const { connectionId, id } = await waiting(user, service);
    await end(user, service, id);
    expect(await user.ended(connectionId, id)).toMatchObject({ nextRetryAt: null });
    expect(await shown(user, connectionId)).toMatchObject({ nextRetryAt: null });
  });
}
