import { randomUUID } from 'node:crypto';
import { describe, vi } from 'vitest';
import { places } from '../../src/vault/place.ts';
import { createSeal } from '../../src/vault/seal.ts';
import type { TestService } from '../kit/service.ts';
import { operator } from './operator.ts';
import { stackTest } from './stack.ts';

/** Of either sort: waiting for a next try that is most of an hour away, and failed for good. */
const MANY = 250;
const PATIENT = { timeout: 100_000, interval: 50 };
/** From the push to the try of the last: some 5 s on two cores with nothing else to do. A single job is held to 2 s elsewhere. */
const BEGUN_WITHIN_MS = 60_000;

const test = stackTest({ adjustments: { PROVIDER_B_CALLS_PER_SECOND: '1000', LOG_LEVEL: 'warn' } });

interface Person {
  readonly id: string;
  readonly grantId: string;
  readonly jobId: string;
  /** In the grant's place, or in that of the job which has failed. */
  readonly sealed: string;
}

async function makePeople({ settings }: TestService, keptBy: 'grant' | 'job'): Promise<Person[]> {
  const seal = await createSeal(JSON.parse(settings.keys.VAULT_GRANT_KEYS));
  return await Promise.all(
    Array.from({ length: MANY }, async () => {
      const [id, grantId, jobId] = [randomUUID(), randomUUID(), randomUUID()];
      const tokens = JSON.stringify({ accessToken: `act.${randomUUID()}`, refreshToken: `rft.${randomUUID()}` });
      const place = keptBy === 'grant' ? places.tokens(grantId) : places.releaseTokens(jobId);
      return { id, grantId, jobId, sealed: await seal(tokens, place) };
    }),
  );
}

const people = ({ database: { sql } }: TestService, those: readonly Person[]) => sql`
  person as (
    select * from jsonb_to_recordset(${sql.json(those.map((one) => ({ ...one })))})
      as p (id uuid, "grantId" uuid, "jobId" uuid, sealed text)
  ),
  client as (select registration_id from registration where provider = 'PROVIDER_B')
`;

/** Connections with a grant each, as if made by as many people. */
async function seedConnections(service: TestService): Promise<void> {
  const { app, database } = service;
  await database.sql`
    with ${people(service, await makePeople(service, 'grant'))},
    scopes as (
      insert into scope (scope_id, app_id, tenant_key, external_subject_id)
      select id, ${app.appId}, ${app.tenantKey}, id::text from person
    ),
    connections as (
      insert into connection (connection_id, scope_id, app_id, provider, registration_id, provider_account_id, status, capabilities)
      select id, id, ${app.appId}, 'PROVIDER_B', registration_id, id::text, 'CONNECTED', '[]' from person, client
    )
    insert into account_grant (grant_id, attempt_id, scope_id, provider, registration_id, connection_id, status, permissions,
      sealed_tokens, obtained_at)
    select "grantId", id, id, 'PROVIDER_B', registration_id, id, 'LIVE', '{}', sealed, business_now() from person, client
  `;
}

/** What is left of connections when their revokes have failed for good: the jobs, each with its tokens. */
async function seedFailed(service: TestService): Promise<void> {
  await service.database.sql`
    with ${people(service, await makePeople(service, 'job'))}
    insert into release_job (job_id, kind, status, connection_id, grant_id, app_id, provider, registration_id, sealed_tokens,
      creator_action, error_code, tries, last_failure, first_failed_at, finished_at, correlation_id)
    select "jobId", 'REVOKE', 'FAILED', id, "grantId", ${service.app.appId}, 'PROVIDER_B', registration_id, sealed,
      'REMOVE_APP_AT_PROVIDER', 'PROVIDER_UNAVAILABLE', 80, 'PROVIDER_UNAVAILABLE', business_now(), business_now(), id
    from person, client
  `;
}

describe(`${2 * MANY} revokes after an outage`, () => {
  test('are pushed at once, by two operators at the same time, and each is tried once more', async ({
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
    await seedFailed(service);
    control.removeFault(fault);
    control.clearCalls();

    const retry =
      'mutation ($d: Boolean) { retryJobs(filter: { stuck: true }, dryRun: $d) { count failedCount more } }';
    expect((await ask(retry, { d: true })).retryJobs).toEqual({ count: 2 * MANY, failedCount: MANY, more: false });
    const pushedAt = Date.now();
    const [first, second] = await Promise.all([ask(retry), ask(retry)]);
    expect(first.retryJobs.count + second.retryJobs.count).toBe(2 * MANY);
    const accepted = Date.now() - pushedAt;
    const triedAt = () => control.calls({ route: 'revoke' }).map(({ at }) => at - pushedAt);
    await vi.waitUntil(() => triedAt().length >= 2 * MANY, PATIENT);
    await vi.waitUntil(async () => (await count("status = 'SUCCEEDED'")) === 2 * MANY, PATIENT);
    const settled = Date.now() - pushedAt;
    const tries = triedAt().sort((a, b) => a - b);
    const [middle, late, last = Number.NaN] = [0.5, 0.95, 1].map((part) => tries[Math.ceil(part * tries.length) - 1]);
    console.log(
      `${2 * MANY} revokes: accepted after ${accepted} ms; tried after ${tries[0]} (first), ${middle} (half), ${late} (95 %) and ${last} ms (last); settled after ${settled} ms`,
    );
    expect(last).toBeLessThan(BEGUN_WITHIN_MS);
    expect(tries.length).toBe(2 * MANY);
  });
});
