import { type CorrelationId, newId } from '../../../src/basics/ids.ts';
import { reseal } from '../../../src/cli/reseal.ts';
import { handleNotification } from '../../../src/domain/disconnecting/handle-notification.ts';
import type { Facts } from '../facts.ts';
import { flowOf } from '../recorder.ts';
import { deleteAccount, noteDeletion } from '../states.ts';
import type { World } from '../world.ts';
import { always, hasConnection, hasPost, type Operation } from './operation.ts';

/** An action of a person at a platform, in one step. */
const person = (what: string, fits: Operation['fits'], act: (world: World, facts: Facts) => void): Operation => ({
  name: `person: ${what}`,
  fits,
  run: async (world, facts) => world.atPlatform(() => act(world, facts)),
});

const connectedAt =
  (...providers: readonly string[]) =>
  (facts: Facts) =>
    hasConnection(facts) && providers.includes(facts.provider);

/** Actions of a person at a platform, and calls from a platform. */
export const OUTSIDERS: readonly Operation[] = [
  person('removes the app at the platform, unnoticed', hasConnection, ({ control, recorder }, facts) => {
    const { app, account, removed } = facts;
    recorder.add({ type: 'platform', change: 'appRemoved', account }, flowOf(app.app, facts));
    removed.add(account);
    control.removeApp(account, { notify: false });
  }),
  person('deletes a post', hasPost, ({ control }, { post }) => control.deletePost(post?.id ?? '')),
  {
    name: "platform: ends the access token's life",
    fits: hasConnection,
    run: async (world, facts) =>
      world.atPlatform(() => {
        const { app, account } = facts;
        world.recorder.add({ type: 'platform', change: 'accessExpired', account }, flowOf(app.app, facts));
        world.control.expireTokens(account, 'access');
      }),
  },
  {
    name: 'platform: says that the person has removed the app',
    fits: connectedAt('PROVIDER_B', 'PROVIDER_C'),
    isTwice: true,
    run: (world, facts) => notice(world, facts, 'removal'),
  },
  {
    name: 'platform: asks to delete',
    fits: connectedAt('PROVIDER_C'),
    isTwice: true,
    run: (world, facts) => notice(world, facts, 'deletion'),
  },
];

async function notice(world: World, facts: Facts, kind: 'removal' | 'deletion'): Promise<unknown> {
  const { app, provider, account, removed } = facts;
  if (kind === 'deletion') noteDeletion(world, facts);
  if (kind === 'removal') {
    world.recorder.add({ type: 'platform', change: 'appRemoved', account }, flowOf(app.app, facts));
    await world.atPlatform(() => {
      removed.add(account);
      world.control.removeApp(account, { notify: false });
    });
  }
  const handled = await handleNotification(
    world.apiDeps,
    { registrationId: app.registrations[provider], provider } as never,
    { kind, accountId: account, happenedAt: new Date(), byUs: false },
    newId<CorrelationId>(),
  );
  removed.delete(account); // Now we know.
  return handled;
}

/** Commands that an operator runs. The commands over the admin API are among the operators' mutations. */
export const COMMANDS: readonly Operation[] = [
  {
    name: 'command line: import connections',
    fits: ({ imported }) => imported !== undefined,
    isTwice: true,
    run: (world, facts) => {
      world.recorder.add({ type: 'operator', act: 'import', accepted: true }, flowOf(facts.app.app, facts));
      return world.importToken(facts);
    },
  },
  {
    name: 'command line: erase platform-users',
    fits: hasConnection,
    isTwice: true,
    run: (world, facts) => deleteAccount(world, world.apiDeps, facts),
  },
  {
    name: 'command line: secrets reseal',
    fits: always,
    isTwice: true,
    run: (world) => reseal(world.commandSql, world.newerKeys, { dryRun: false }),
  },
];
