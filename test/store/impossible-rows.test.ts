import { randomBytes, randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import type { Database } from '../../src/store/driver/sql.ts';
import { test } from '../kit/postgres.ts';
import { seedApp, seedConnection, seedContent, seedLookups } from '../kit/seed.ts';

type Try = (sql: Database, world: World) => Promise<unknown>;

/** Two of everything: each statement changes only the first. */
async function seedTwo(sql: Database) {
  const [app, otherApp] = [await seedApp(sql), await seedApp(sql)];
  const [scope, other] = [app.newScope(), app.newScope()];
  const [connectionId, otherId] = [
    await seedConnection(sql, app, { scope }),
    await seedConnection(sql, app, { scope: other }),
  ];
  for (const id of [connectionId, otherId]) {
    await seedLookups(sql, app, id, 1);
    await seedContent(sql, id, { publishedAt: new Date() });
    for (const kind of ['REVOKE', 'ERASE']) {
      await sql`
        insert into disconnect_job (job_id, kind, connection_id, app_id, provider, registration_id, correlation_id)
        values (${randomUUID()}, ${kind}, ${id}, ${app.app.appId}, 'PROVIDER_B', ${app.registrations.PROVIDER_B}, ${randomUUID()})
      `;
    }
  }
  await sql`
    insert into connect_attempt (attempt_id, scope_id, app_id, provider, registration_id, capabilities, return_url, status,
      launch_token_sha256, sealed_code, correlation_id, created_at, expires_at, result_expires_at)
    select gen_random_uuid(), scope_id, app_id, provider, registration_id, '{PROFILE}', 'https://caller.example', 'EXCHANGING',
      sha256(connection_id::text::bytea), 'sealed', gen_random_uuid(), business_now(), business_now(), business_now()
    from connection where app_id = ${app.app.appId}
  `;
  await sql`
    insert into identity_attempt (attempt_id, app_id, tenant_key, issuer_id, return_url, launch_token_sha256, result_proof_sha256,
      correlation_id, created_at, expires_at, result_expires_at)
    values (${randomUUID()}, ${app.app.appId}, ${app.tenantKey}, ${app.issuerId}, 'https://caller.example', ${randomBytes(32)},
      ${randomBytes(32)}, ${randomUUID()}, business_now(), business_now(), business_now())
  `;
  await sql`
    insert into registration_usage (registration_id, day, app_id, units)
    values (${app.registrations.PROVIDER_B}, (business_now() at time zone 'UTC')::date, ${app.app.appId}, 1)
  `;
  return { app, otherApp, connectionId, otherId };
}
type World = Awaited<ReturnType<typeof seedTwo>>;

const FORBIDDEN: readonly (readonly [what: string, constraint: string, act: Try])[] = [
  [
    'a dead grant with tokens',
    'account_grant_dead_without_tokens',
    (sql, { connectionId }) => sql`update account_grant set status = 'DEAD' where connection_id = ${connectionId}`,
  ],
  [
    'a live grant without a connection',
    'account_grant_live_with_connection',
    (sql, { connectionId }) => sql`update account_grant set connection_id = null where connection_id = ${connectionId}`,
  ],
  [
    'a name beside a grant that waits for its revoke',
    'account_grant_given_up_without_name',
    (sql, { connectionId }) => sql`
      update account_grant set status = 'REVOKING', provider_account_id = 'someone' where connection_id = ${connectionId}
    `,
  ],
  [
    'a read job that has succeeded and not finished',
    'read_job_finished',
    (sql, { connectionId }) => sql`update read_job set status = 'SUCCEEDED' where connection_id = ${connectionId}`,
  ],
  [
    'a read job that has finished and runs',
    'read_job_finished',
    (sql, { connectionId }) =>
      sql`update read_job set finished_at = business_now() where connection_id = ${connectionId}`,
  ],
  [
    'a receipt that has succeeded and not finished',
    'disconnect_job_finished',
    (sql, { connectionId }) =>
      sql`update disconnect_job set status = 'SUCCEEDED' where connection_id = ${connectionId}`,
  ],
  [
    'a revoke that has succeeded and keeps tokens',
    'disconnect_job_settled_without_tokens',
    (sql, { connectionId }) => sql`
      update disconnect_job set status = 'SUCCEEDED', finished_at = business_now(), sealed_tokens = 'sealed'
      where connection_id = ${connectionId} and kind = 'REVOKE'
    `,
  ],
  [
    'two revoke receipts of one connection',
    'disconnect_job_receipt',
    (sql, { connectionId, otherId }) => sql`
      update disconnect_job set connection_id = ${otherId} where connection_id = ${connectionId} and kind = 'REVOKE'
    `,
  ],
  [
    'two erase receipts of one connection',
    'disconnect_job_receipt',
    (sql, { connectionId, otherId }) => sql`
      update disconnect_job set connection_id = ${otherId} where connection_id = ${connectionId} and kind = 'ERASE'
    `,
  ],
  [
    "a connection of another app than its scope's",
    'connection_of_scope',
    (sql, { connectionId, otherApp }) => sql`
      update connection set app_id = ${otherApp.app.appId} where connection_id = ${connectionId}
    `,
  ],
  [
    "a connection of another provider than its registration's",
    'connection_of_registration',
    (sql, { connectionId }) => sql`update connection set provider = 'PROVIDER_A' where connection_id = ${connectionId}`,
  ],
  [
    "an attempt of another app than its scope's",
    'connect_attempt_of_scope',
    (sql, { otherApp, connectionId }) => sql`
      update connect_attempt set app_id = ${otherApp.app.appId}
      where scope_id = (select scope_id from connection where connection_id = ${connectionId})
    `,
  ],
  [
    "an attempt of another provider than its registration's",
    'connect_attempt_of_registration',
    (sql, { connectionId }) => sql`
      update connect_attempt set provider = 'PROVIDER_A'
      where scope_id = (select scope_id from connection where connection_id = ${connectionId})
    `,
  ],
  [
    "a grant of another provider than its registration's",
    'account_grant_of_registration',
    (sql, { connectionId }) =>
      sql`update account_grant set provider = 'PROVIDER_A' where connection_id = ${connectionId}`,
  ],
  [
    'an attempt that is complete without a connection',
    'connect_attempt_completed_with_connection',
    (sql, { connectionId }) => sql`
      update connect_attempt set status = 'COMPLETED', sealed_code = null
      where scope_id = (select scope_id from connection where connection_id = ${connectionId})
    `,
  ],
  [
    'an attempt that has ended and keeps its code',
    'connect_attempt_ended_without_code',
    (sql, { connectionId }) => sql`
      update connect_attempt set status = 'FAILED'
      where scope_id = (select scope_id from connection where connection_id = ${connectionId})
    `,
  ],
  [
    'claims of a sign-in that is not complete',
    'identity_attempt_claims',
    (sql, { app }) => sql`update identity_attempt set sealed_claims = 'sealed' where app_id = ${app.app.appId}`,
  ],
  [
    'a blanked post with its title',
    'content_item_blanked',
    (sql, { connectionId }) => sql`
      update content_item set kind = 'UNKNOWN', canonical_url = null, thumbnail_url = null, description = null, published_at = null,
        metrics = '[]', blanked_at = business_now() where connection_id = ${connectionId}
    `,
  ],
  [
    'more used by refreshes than used',
    'registration_usage_counts',
    (sql, { app }) => sql`update registration_usage set refresh_units = 2 where app_id = ${app.app.appId}`,
  ],
];

for (const [what, constraint, act] of FORBIDDEN) {
  test(`the rows cannot hold ${what}`, async ({ sql }) => {
    const world = await seedTwo(sql);
    await expect(act(sql, world)).rejects.toMatchObject({ constraint_name: constraint });
  });
}
