import { randomBytes } from 'node:crypto';
import { expect } from 'vitest';
import { listNamedConnections } from '../../src/store/erasures/platform-callbacks.ts';
import { businessNow } from '../kit/clock.ts';
import { test } from '../kit/postgres.ts';
import { seedApp, seedConnection } from '../kit/seed.ts';

test('a platform’s callback finds all connections of an account', async ({ sql }) => {
  const COUNT = 1_001; // Two full pages and one more.
  const seeded = await seedApp(sql);
  const accountMac = randomBytes(32);
  const connectionId = await seedConnection(sql, seeded, { scope: seeded.newScope() });
  await sql`update account_grant set account_macs = array[${accountMac}::bytea] where connection_id = ${connectionId}`;
  await sql`
    with member as (
      select gen_random_uuid() as scope_id, gen_random_uuid() as connection_id, n::text as subject
      from generate_series(2, ${COUNT}::int) as n
    ), scopes as (
      insert into scope (scope_id, app_id, tenant_key, external_subject_id)
      select scope_id, ${seeded.app.appId}, ${seeded.tenantKey}, subject from member
    ), connections as (
      insert into connection (connection_id, scope_id, app_id, provider, registration_id, provider_account_id, status,
        capabilities)
      select m.connection_id, m.scope_id, app_id, provider, registration_id, provider_account_id, status, capabilities
      from member m, connection c where c.connection_id = ${connectionId}
    )
    insert into account_grant (grant_id, attempt_id, scope_id, provider, registration_id, connection_id, status,
      account_macs, permissions, sealed_tokens, obtained_at)
    select gen_random_uuid(), gen_random_uuid(), m.scope_id, provider, registration_id, m.connection_id, status,
      account_macs, permissions, sealed_tokens, obtained_at
    from member m, account_grant g where g.connection_id = ${connectionId}
  `;
  const named = {
    registrationId: seeded.registrations.PROVIDER_B,
    accountMacs: [accountMac],
    happenedAt: await businessNow(sql),
  };
  const found: string[] = [];
  const sizes: number[] = [];
  for await (const page of listNamedConnections(sql, named)) {
    found.push(...page.map((one) => one.connectionId));
    sizes.push(page.length);
  }
  expect(new Set(found).size).toBe(COUNT);
  expect(found).toHaveLength(COUNT);
  expect(sizes).toEqual([500, 500, 1]);
});
