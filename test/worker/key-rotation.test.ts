import { expect } from 'vitest';
import { makeKeys } from '../../local/src/development-keys.ts';
import { reseal } from '../../src/cli/reseal.ts';
import { type Running, serviceTest, type User } from '../kit/at-work.ts';
import { lastDays } from '../kit/person.ts';
import { asMaintenance } from '../kit/postgres.ts';
import { combineKeys, KEY_SETS } from './rotate-keys.ts';

const test = serviceTest({ SHUTDOWN_GRACE_SECONDS: '10' });

/** People who use the service without a pause. Counts their answers, and keeps each failure. */
class Load {
  readonly done: Record<string, number> = {};
  readonly wrong: string[] = [];
  #isOver = false;
  #running: Promise<unknown>[] = [];

  start(name: string, act: () => Promise<string | undefined>): void {
    this.done[name] = 0;
    const repeat = async () => {
      while (!this.#isOver) {
        const tryOnce = async () => await act().catch((error: unknown) => String(error));
        let fault = await tryOnce();
        // A process that starts again, its scan that still runs, or a slow machine: a key that does not open a value never ends like this.
        while (
          /does not answer in time|fetch failed|terminated|ECONN|other side closed|Interrupted|WINDOW_BUSY/.test(
            fault ?? '',
          )
        )
          fault = await tryOnce();
        if (fault !== undefined) this.wrong.push(`${name}: ${fault}`);
        this.done[name] = (this.done[name] ?? 0) + 1;
      }
    };
    this.#running.push(repeat());
  }

  /** Waits until each of them has done something more, so that each step of the rotation met all of them. */
  async goOn(): Promise<void> {
    const before = { ...this.done };
    await expect
      .poll(() => Object.entries(this.done).filter(([name, count]) => count < (before[name] ?? 0) + 2))
      .toEqual([]);
  }

  async end(): Promise<void> {
    this.#isOver = true;
    await Promise.all(this.#running);
  }
}

const wrongUnless = (isRight: boolean, seen: unknown) => (isRight ? undefined : JSON.stringify(seen));

/** A person connects, reads and leaves, with a browser: the code, the tokens and the receipts pass every vault. */
async function connectAndLeave(service: Running, of: User): Promise<string | undefined> {
  const user = await service.newUser(of);
  const { status, connectionId, ...rest } = await user.attempt('PROVIDER_C', user.account('PROVIDER_C', /^No posts/));
  if (status !== 'COMPLETED') return JSON.stringify({ status, ...rest });
  const scan = await user.refresh(connectionId, { window: lastDays(3) });
  const { revoke, erase } = await user.disconnect(connectionId);
  const ends = [scan, revoke, erase].map((job) => job.status);
  return wrongUnless(
    ends.every((end) => end === 'SUCCEEDED'),
    { scan, revoke, erase },
  );
}

/** Signs in: the nonce, the code and the claims are sealed on the way. */
async function signIn(service: Running, of: User): Promise<string | undefined> {
  const user = await service.newUser(of);
  const { id, launchUrl, launchToken, resultProof } = await user.createSignIn();
  const page = await user.browser.launch({ launchUrl, launchToken }, user.seeded.returnUrl);
  const [person] = service.control.people();
  const back = await user.agree(page, person?.sub ?? '', ['email', 'profile']);
  if (!back.url.includes('ss_session_id')) return `${back.status} ${back.url}`;
  const { tenantKey } = user.scope;
  const redeem = () => user.ask('redeemIdpIdentityResult', { id, tenantKey, resultProof });
  let result = await redeem();
  while (result.status === 'PENDING') result = await redeem();
  return wrongUnless(result.idpSub === person?.sub, result);
}

test('every key is replaced under load, and no process meets a value that it cannot open', async ({ service }) => {
  const user = await service.newUser();
  const account = user.account('PROVIDER_B', /right to left/);
  const connectionId = await user.connect('PROVIDER_B', account);
  const receipts = await (async () => {
    const other = await service.newUser(user);
    const id = await other.connect('PROVIDER_C', other.account('PROVIDER_C', /^No posts/));
    return { other, id, ...(await other.disconnect(id)) };
  })();
  await user.connect('PROVIDER_C', user.account('PROVIDER_C', /^No posts/));
  const { pageInfo } = await user.ask('connections', { first: 1 });
  const [old, fresh] = [service.keys, await makeKeys()];

  const load = new Load();
  load.start('read', async () => wrongUnless((await user.connection(connectionId)).status === 'CONNECTED', 'status'));
  load.start('page', async () => {
    // The cursor is from before the rotation: callers may keep it for as long as they like.
    const { items } = await user.ask('connections', { first: 1, after: pageInfo.endCursor });
    return wrongUnless(items.length === 1, items);
  });
  load.start('receipt', async () => {
    const { status } = await receipts.other.job(receipts.id, receipts.revoke.id);
    return wrongUnless(status === 'SUCCEEDED', status);
  });
  load.start('scan', async () => {
    const job = await user.refresh(connectionId, { window: lastDays(5) });
    return wrongUnless(job.status === 'SUCCEEDED', job);
  });
  load.start('connect and leave', () => connectAndLeave(service, user));
  load.start('sign in', () => signIn(service, user));
  await load.goOn();

  // As in docs/configuration.md: all processes can open with the new key before any seals with it.
  await service.replace(combineKeys(old, fresh, '2', (_set, one, two) => [...one, two]));
  await load.goOn();
  const both = combineKeys(old, fresh, '2', (_set, one, two) => [two, ...one]);
  await service.replace(both);
  await load.goOn();
  const keySets = Object.fromEntries(KEY_SETS.map((name) => [name, JSON.parse(both[name])]));
  await reseal(asMaintenance(service.sql), keySets as never, { dryRun: false });
  const without = combineKeys(old, fresh, '2', (set, one, two) => (set === 'VAULT_MAC_KEYS' ? [two, ...one] : [two]));
  await service.replace(without);
  await load.goOn();
  await load.end();
  expect(load.wrong).toEqual([]);
  expect(Object.values(load.done).every((count) => count >= 6)).toBe(true);

  // The grants from before and after the rotation are still known to be of one person: the new one survives.
  service.control.clearCalls();
  const again = await user.attempt('PROVIDER_B', account);
  expect(again).toMatchObject({ status: 'COMPLETED', connectionId });
  await user.synced(connectionId);
  expect(service.control.calls({ route: 'revoke', account })).toEqual([]);
  expect(await user.refresh(connectionId, { window: lastDays(9) })).toMatchObject({ status: 'SUCCEEDED' });
});
