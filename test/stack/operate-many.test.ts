import { randomUUID } from 'node:crypto';
import { describe, vi } from 'vitest';
import { createAdminToken } from '../../src/store/admin/tokens.ts';
import { places } from '../../src/vault/place.ts';
import { createSeal } from '../../src/vault/seal.ts';
import { type Answer, Refusal } from '../kit/graphql.ts';
import type { TestService } from '../kit/service.ts';
import { stackTest } from './stack.ts';

const MANY = 500;
const PATIENT = { timeout: 200_000, interval: 100 };
/** All signals are with Temporal by then. How fast the tries follow is up to the worker and the provider's rate limit. */
const DELIVERED_WITHIN_MS = 30_000;

const test = stackTest({ adjustments: { PROVIDER_B_CALLS_PER_SECOND: '1000', LOG_LEVEL: 'warn' } });

/** Connections with a grant each, as if made by as many people. */
async function seedConnections({ app, database: { sql }, settings }: TestService): Promise<void> {
  const seal = await createSeal(JSON.parse(settings.keys.VAULT_GRANT_KEYS));
  const [registration] = await sql`
    select registration_id from registration join registration_app using (registration_id)
    where app_id = ${app.appId} and provider = 'PROVIDER_B'
  `;
  const people = await Promise.all(
    Array.from({ length: MANY }, async () => {
      const grantId = randomUUID();
      const tokens = JSON.stringify({ accessToken: `act.${randomUUID()}`, refreshToken: `rft.${randomUUID()}` });
      return { id: randomUUID(), grantId, sealed: await seal(tokens, places.tokens(grantId)) };
    }),
  );
  await sql`
    with person as (
      select * from jsonb_to_recordset(${sql.json(people)}) as p (id uuid, "grantId" uuid, sealed text)
    ),
    scopes as (
      insert into scope (scope_id, app_id, tenant_key, external_subject_id)
      select id, ${app.appId}, ${app.tenantKey}, id::text from person
    ),
    connections as (
      insert into connection (connection_id, scope_id, app_id, provider, registration_id, provider_account_id, status, capabilities)
      select id, id, ${app.appId}, 'PROVIDER_B', ${registration?.registrationId}, id::text, 'CONNECTED', '[]' from person
    )
    insert into account_grant (grant_id, attempt_id, scope_id, provider, registration_id, connection_id, status, permissions,
      sealed_tokens, obtained_at)
    select "grantId", id, id, 'PROVIDER_B', ${registration?.registrationId}, id, 'LIVE', '{}', sealed, business_now() from person
  `;
}

async function operator({ apiUrls, database }: TestService) {
  const expiresAt = new Date(Date.now() + 3_600_000);
  const { token } = await createAdminToken(database.sql, { label: 'test', role: 'ADMIN', expiresAt });
  return async (query: string, variables: object = {}): Promise<Answer> => {
    const response = await fetch(`${apiUrls[0]}/api/admin/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
      body: JSON.stringify({ query, variables }),
    });
    const { data, errors } = (await response.json()) as Answer;
    if (errors) throw new Refusal(errors[0]);
    return data;
  };
}

describe(`${MANY} revokes after an outage`, () => {
  test('are begun at once, pushed at once, and each is tried once more', { timeout: 480_000 }, async ({
    service,
    expect,
  }) => {
    const { database, sandbox } = service;
    const { control } = sandbox;
    const ask = await operator(service);
    const count = async (filter: string) => {
      const [row] = await database.sql`
        select count(*)::int as count from release_job where kind = 'REVOKE' and ${database.sql.unsafe(filter)}
      `;
      return Number(row?.count);
    };
    await seedConnections(service);
    const { id: fault } = control.addFault({
      provider: 'PROVIDER_B',
      route: 'revoke',
      what: { kind: 'status', status: 503, retryAfterSeconds: 3_000 },
      times: null,
    });
    const { appId, tenantKey } = service.app;
    await ask('mutation ($i: DisconnectAllInput!) { disconnectAll(input: $i) { run { id } } }', {
      i: { appId, tenantKey },
    });
    await vi.waitUntil(async () => (await count('next_retry_at > business_now()')) === MANY, PATIENT);
    const calls = () => control.calls({ route: 'revoke' }).length;
    const before = calls();
    control.removeFault(fault);

    const startedAt = performance.now();
    const elapsed = () => Math.round(performance.now() - startedAt);
    const retry = 'mutation ($d: Boolean) { retryJobs(filter: { stuck: true }, dryRun: $d) { count more } }';
    expect((await ask(retry, { d: true })).retryJobs).toEqual({ count: MANY, more: false });
    const [first, second] = await Promise.all([ask(retry), ask(retry)]);
    expect(first.retryJobs.count + second.retryJobs.count).toBe(MANY);
    const accepted = elapsed();
    await vi.waitUntil(() => calls() > before, { timeout: 10_000, interval: 5 });
    const firstCall = elapsed();
    const waiting = async () => Number((await database.sql`select from outbox where signal_name is not null`).length);
    await vi.waitUntil(async () => (await waiting()) === 0, PATIENT);
    const delivered = elapsed();
    await vi.waitUntil(async () => (await count("status = 'SUCCEEDED'")) === MANY, PATIENT);
    console.log(
      `${MANY} revokes: accepted after ${accepted} ms, first call after ${firstCall} ms, all signaled after ${delivered} ms, all settled after ${elapsed()} ms`,
    );
    expect(delivered).toBeLessThan(DELIVERED_WITHIN_MS);
    expect(calls() - before).toBe(MANY);
  });
});
