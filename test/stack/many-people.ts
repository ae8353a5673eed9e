import { randomUUID } from 'node:crypto';
import { associatedData } from '../../src/vault/associated-data.ts';
import { createSeal } from '../../src/vault/seal.ts';
import type { TestService } from '../kit/service.ts';

interface Person {
  readonly id: string;
  readonly grantId: string;
  readonly jobId: string;
  /** Sealed for the grant, or for the failed job. */
  readonly sealed: string;
}

const accessTokenOf = (id: string): string => `act.${id}`;

async function makePeople({ settings }: TestService, count: number, keptBy: 'grant' | 'job'): Promise<Person[]> {
  const seal = await createSeal(JSON.parse(settings.keys.VAULT_GRANT_KEYS));
  return await Promise.all(
    Array.from({ length: count }, async () => {
      const [id, grantId, jobId] = [randomUUID(), randomUUID(), randomUUID()];
      const tokens = JSON.stringify({ accessToken: accessTokenOf(id), refreshToken: `rft.${randomUUID()}` });
      const place = keptBy === 'grant' ? associatedData.tokens(grantId) : associatedData.keptTokens(jobId);
      return { id, grantId, jobId, sealed: await seal(tokens, place) };
    }),
  );
}

const people = ({ app, database: { sql } }: TestService, those: readonly Person[]) => sql`
  person as (
    select * from jsonb_to_recordset(${sql.json(those.map((one) => ({ ...one })))})
      as p (id uuid, "grantId" uuid, "jobId" uuid, sealed text)
  ),
  client as (
    select registration_id from registration join registration_app using (registration_id)
    where provider = 'PROVIDER_B' and app_id = ${app.appId}
  )
`;

/**
 * Inserts connections with one grant each, each of another known person, so that a revoke verifies no others.
 * @returns their ids, which are also the subjects.
 */
export async function seedConnections(service: TestService, count: number): Promise<string[]> {
  const { app, database } = service;
  const persons = await makePeople(service, count, 'grant');
  await database.sql`
    with ${people(service, persons)},
    scopes as (
      insert into scope (scope_id, app_id, tenant_key, external_subject_id)
      select id, ${app.appId}, ${app.tenantKey}, id::text from person
    ),
    connections as (
      insert into connection (connection_id, scope_id, app_id, provider, registration_id, provider_account_id, status, capabilities)
      select id, id, ${app.appId}, 'PROVIDER_B', registration_id, id::text, 'CONNECTED', '[]' from person, client
    )
    insert into account_grant (grant_id, attempt_id, scope_id, provider, registration_id, connection_id, status, permissions,
      principal_mac, sealed_tokens, obtained_at)
    select "grantId", id, id, 'PROVIDER_B', registration_id, id, 'LIVE', '{}', sha256(id::text::bytea), sealed, business_now()
    from person, client
  `;
  return persons.map(({ id }) => id);
}

/** The same, with tokens that the sandbox accepts. Clears the sandbox's faults and calls. */
export async function seedGrantedConnections(service: TestService, count: number): Promise<string[]> {
  const { app, database, sandbox } = service;
  const ids = await seedConnections(service, count);
  const [registration] = await database.sql`
    select client_id from registration join registration_app using (registration_id)
    where provider = 'PROVIDER_B' and app_id = ${app.appId}
  `;
  const grants = ids.map((id) => ({
    id,
    platform: 'PROVIDER_B' as const,
    clientId: String(registration?.clientId),
    accountId: id,
    principal: id,
    grantedAt: Date.now(),
    permissions: [],
    endedAt: null,
  }));
  const tokens = ids.map((id) => ({
    value: accessTokenOf(id),
    kind: 'access' as const,
    grantId: id,
    issuedAt: Date.now(),
    expiresAt: null,
    isSpent: false,
  }));
  const { world, idp } = sandbox.control.snapshot();
  sandbox.control.restore({
    world: { ...world, grants: [...world.grants, ...grants], tokens: [...world.tokens, ...tokens] },
    idp,
  });
  return ids;
}

/** Inserts the remains of connections whose revokes have failed permanently: the jobs with their tokens. */
export async function seedFailed(service: TestService, count: number): Promise<void> {
  await service.database.sql`
    with ${people(service, await makePeople(service, count, 'job'))}
    insert into disconnect_job (job_id, kind, status, connection_id, grant_id, app_id, provider, registration_id, sealed_tokens,
      creator_action, error_code, tries, last_failure, first_failed_at, finished_at, correlation_id)
    select "jobId", 'REVOKE', 'FAILED', id, "grantId", ${service.app.appId}, 'PROVIDER_B', registration_id, sealed,
      'REMOVE_APP_AT_PROVIDER', 'PROVIDER_UNAVAILABLE', 80, 'PROVIDER_UNAVAILABLE', business_now(), business_now(), id
    from person, client
  `;
}
