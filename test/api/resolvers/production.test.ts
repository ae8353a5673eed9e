import { expect } from 'vitest';
import { callerOf, createDeps, refusalOf } from '../../kit/caller.ts';
import { type Database, test } from '../../kit/postgres.ts';
import { seedApp } from '../../kit/seed.ts';

const HTTP = 'http://localhost:3000/back';

/** An app whose return URLs are plain http, and the service in a deployment. */
async function open(sql: Database) {
  const seeded = await seedApp(sql);
  const { appId } = seeded.app;
  await sql`update return_url set url = ${HTTP} where app_id = ${appId}`;
  await sql`update app_identity set return_url = ${HTTP} where app_id = ${appId}`;
  const callIn = async (deployment: 'development' | 'production') =>
    callerOf(await createDeps(sql, { deployment }), seeded);
  return { seeded, callIn };
}

test('production refuses a return URL over plain http, which development accepts for an attempt and a sign-in', async ({
  sql,
}) => {
  const { seeded, callIn } = await open(sql);
  const { tenantKey } = seeded;
  const connect = { scope: seeded.newScope(), provider: 'PROVIDER_B', capabilities: ['PROFILE'], returnUrl: HTTP };
  for (const deployment of ['development', 'production'] as const) {
    const call = await callIn(deployment);
    for (const asked of [
      call('createConnectSession', { input: connect }),
      call('createIdpIdentitySession', { input: { tenantKey, returnUrl: HTTP } }),
    ]) {
      if (deployment === 'development') await expect(asked).resolves.toBeDefined();
      else
        expect((await refusalOf(asked)).message).toBe(
          'BAD_USER_INPUT: input.returnUrl must begin with https:// in production.',
        );
    }
  }
});
