import { randomBytes, randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import type { Database } from '../../src/store/driver/sql.ts';
import { test } from '../kit/postgres.ts';
import { seedApp, seedConnection, seedContent, seedLookups } from '../kit/seed.ts';

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
/** What the rows cannot hold, the constraint that refuses it, and a statement that would write it. */
const FORBIDDEN: readonly (readonly [what: string, constraint: string, statement: string])[] = [
  [
    'a dead grant with tokens',
    'account_grant_dead_without_tokens',
    "update account_grant set status = 'DEAD' where {own}",
  ],
  [
    'a live grant alone',
    'account_grant_live_with_connection',
    'update account_grant set connection_id = null where {own}',
  ],
  [
    'a name beside a grant that waits for its revoke',
    'account_grant_given_up_without_name',
    "update account_grant set status = 'REVOKING', provider_account_id = 'someone' where {own}",
  ],
  ['a read that has succeeded unfinished', 'read_job_finished', "update read_job set status = 'SUCCEEDED' where {own}"],
  ['a read that has finished and runs', 'read_job_finished', 'update read_job set finished_at = now() where {own}'],
  [
    'a receipt that has succeeded unfinished',
    'disconnect_job_finished',
    "update disconnect_job set status = 'SUCCEEDED' where {own}",
  ],
  [
    'a revoke that has succeeded and keeps tokens',
    'disconnect_job_settled_without_tokens',
    "update disconnect_job set status = 'SUCCEEDED', finished_at = now(), sealed_tokens = 'sealed' where {own} and kind = 'REVOKE'",
  ],
  ...['REVOKE', 'ERASE'].map(
    (kind) =>
      [
        `two ${kind} receipts of one connection`,
        'disconnect_job_receipt',
        `update disconnect_job set connection_id = {other} where {own} and kind = '${kind}'`,
      ] as const,
  ),
  [
    "a connection of another app than its scope's",
    'connection_of_scope',
    'update connection set app_id = {otherApp} where {own}',
  ],
  [
    "a connection of another provider than its registration's",
    'connection_of_registration',
    "update connection set provider = 'PROVIDER_A' where {own}",
  ],
  [
    "an attempt of another app than its scope's",
    'connect_attempt_of_scope',
    'update connect_attempt set app_id = {otherApp} where {ofScope}',
  ],
  [
    "an attempt of another provider than its registration's",
    'connect_attempt_of_registration',
    "update connect_attempt set provider = 'PROVIDER_A' where {ofScope}",
  ],
  [
    "a grant of another provider than its registration's",
    'account_grant_of_registration',
    "update account_grant set provider = 'PROVIDER_A' where {own}",
  ],
  [
    'a complete attempt without a connection',
    'connect_attempt_completed_with_connection',
    "update connect_attempt set status = 'COMPLETED', sealed_code = null where {ofScope}",
  ],
  [
    'an ended attempt with its code',
    'connect_attempt_ended_without_code',
    "update connect_attempt set status = 'FAILED' where {ofScope}",
  ],
  [
    'claims of a sign-in that is not complete',
    'identity_attempt_claims',
    "update identity_attempt set sealed_claims = 'sealed' where {ofApp}",
  ],
  [
    'a blanked post with a detail',
    'content_item_blanked',
    `update content_item set kind = 'UNKNOWN', canonical_url = null, details = '{"of a later version": "kept"}',
      published_at = null, metrics = '[]', blanked_at = now() where {own}`,
  ],
  ...['[]', '{"title": 5}', '{"title": null}', '{"title": {}}'].map(
    (details) =>
      [
        `a post whose details are ${details}`,
        'content_item_details',
        `update content_item set details = '${details}' where {own}`,
      ] as const,
  ),
  [
    'a post with longer details than any answer has',
    'content_item_details',
    "update content_item set details = jsonb_build_object('title', repeat('a', 262144)) where {own}",
  ],
  [
    'more used by refreshes than used',
    'registration_usage_counts',
    'update registration_usage set refresh_units = 2 where {ofApp}',
  ],
];

test('the rows cannot contradict each other', async ({ sql }) => {
  const { app, otherApp, connectionId, otherId } = await seedTwo(sql);
  const meanings = {
    own: `connection_id = '${connectionId}'`,
    ofScope: `scope_id = (select scope_id from connection where connection_id = '${connectionId}')`,
    ofApp: `app_id = '${app.app.appId}'`,
    other: `'${otherId}'`,
    otherApp: `'${otherApp.app.appId}'`,
  };
  for (const [what, constraint, statement] of FORBIDDEN) {
    const meant = statement.replaceAll(/\{(\w+)\}/g, (_, name: keyof typeof meanings) => meanings[name]);
    await expect(sql.unsafe(meant), what).rejects.toMatchObject({ constraint_name: constraint });
  }
});
