import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import { callerOf, createDeps } from '../../kit/caller.ts';
import { openCountedPool } from '../../kit/counted-pool.ts';
import type { RootField } from '../../kit/graphql.ts';
import { test } from '../../kit/postgres.ts';
import { seedApp, seedConnection, seedContent } from '../../kit/seed.ts';

/** The round trips to Postgres, one after another, of an accepted request whose key is known: see D-530. */
const TRIPS = [
  ['requestRefresh', 4, 'begin, connection, what is in flight, job and commit'],
  ['requestRefresh of a post', 4, 'the same'],
  ['requestContentLookup', 4, 'the same'],
  ['createConnectSession', 5, 'begin, rules and scope, counts, attempt and limit of the app, commit'],
  ['createIdpIdentitySession', 3, 'begin, settings and count, attempt and commit'],
  [
    'disconnectConnection',
    8,
    'connection, begin, scope and reach, principal, siblings, connection, changes, receipts and commit',
  ],
] as const;

test('an accepted request waits for Postgres as often as it must', async ({ sql, database }) => {
  const kit = await createDeps(sql, { suspendSiblings: true });
  const seeded = await seedApp(sql);
  const counted = await openCountedPool(database.urls.api);
  const call = callerOf({ ...kit, deps: { ...kit.deps, sql: counted.sql } }, seeded);
  const { returnUrl, identityReturnUrl, tenantKey } = seeded;
  const connect = { provider: 'PROVIDER_B', capabilities: ['PROFILE'], returnUrl };
  async function ask(name: (typeof TRIPS)[number][0]): Promise<number> {
    const scope = seeded.newScope();
    const connectionId = await seedConnection(sql, seeded, { scope });
    const providerContentId = await seedContent(sql, connectionId, { publishedAt: new Date() });
    const args: Readonly<Record<(typeof TRIPS)[number][0], object>> = {
      createConnectSession: { input: { ...connect, scope } },
      createIdpIdentitySession: { input: { tenantKey, returnUrl: identityReturnUrl } },
      requestRefresh: { scope, connectionId },
      'requestRefresh of a post': { scope, connectionId, providerContentId },
      requestContentLookup: { scope, connectionId, url: `https://platform.example/${randomUUID()}` },
      disconnectConnection: { scope, connectionId },
    };
    const before = counted.countTrips();
    await call(name.split(' ')[0] as RootField, args[name]);
    return counted.countTrips() - before;
  }
  for (const [name, trips, which] of TRIPS) {
    await ask(name); // The driver asks Postgres once about each statement.
    expect(await ask(name), `${name}: ${which}`).toBe(trips);
  }
});
