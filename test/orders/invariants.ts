/**
 * What the specification promises, whatever the order. Triggers note each change of a row that it forbids, at the moment of
 * the change; the rest is looked at when all is quiet. Nothing here knows how the service keeps a promise.
 */
import { buildReceiptParts } from '../../src/domain/disconnecting/receipts.ts';
import type { Facts } from './states.ts';
import { findActivity } from './temporal.ts';
import type { World } from './world.ts';

type Sql = World['sql'];

/** Installs the triggers that note violations. */
export async function watchRows(sql: Sql): Promise<void> {
  await sql.unsafe(`
    create table orders_violation (text text not null, noted_at timestamptz not null default clock_timestamp());
    create table orders_seen (connection_id uuid, status text, place bigint generated always as identity);
    create function orders_note(broken boolean, text text) returns void language sql security definer as $$
      insert into orders_violation select $2 where $1
    $$;

    -- Whether app, tenant, policy, registration and status allow to use a connection's account now.
    create function orders_allows(connection) returns boolean language sql stable security definer as $$
      select $1.status in ('CONNECTED', 'SUSPENDED')
        and exists (select from app a where a.app_id = $1.app_id and a.enabled)
        and exists (select from tenant t join scope s using (app_id, tenant_key) where s.scope_id = $1.scope_id)
        and exists (select from app_policy p where p.app_id = $1.app_id and p.provider = $1.provider
          and p.capabilities @> array(select c ->> 'capability' from jsonb_array_elements($1.capabilities) c))
        and exists (select from registration_app r where r.app_id = $1.app_id and r.registration_id = $1.registration_id)
        and exists (select from registration r where r.registration_id = $1.registration_id and r.paused_at is null)
    $$;
    create function orders_allows(connect_attempt) returns boolean language sql stable security definer as $$
      select exists (select from app a where a.app_id = $1.app_id and a.enabled)
        and exists (select from tenant t join scope s using (app_id, tenant_key) where s.scope_id = $1.scope_id)
        and exists (select from app_policy p where p.app_id = $1.app_id and p.provider = $1.provider
          and p.capabilities @> $1.capabilities)
        and exists (select from registration_app r where r.app_id = $1.app_id and r.registration_id = $1.registration_id)
        and exists (select from registration r where r.registration_id = $1.registration_id and r.paused_at is null)
    $$;
    create function orders_allows(identity_attempt) returns boolean language sql stable security definer as $$
      select exists (select from app a where a.app_id = $1.app_id and a.enabled)
        and exists (select from tenant t where t.app_id = $1.app_id and t.tenant_key = $1.tenant_key)
        and exists (select from app_identity i where i.app_id = $1.app_id and i.enabled and i.issuer_id = $1.issuer_id
          and i.return_url = $1.return_url)
    $$;

    create function orders_attempt() returns trigger language plpgsql security definer as $$
    declare ends constant text[] := '{COMPLETED,DENIED,FAILED,EXPIRED,CANCELED}';
    begin
      perform orders_note(old.status = any(ends) and ((old.status, old.result_code, old.connection_id)
        is distinct from (new.status, new.result_code, new.connection_id)
        or old.creator_action is not null and new.creator_action is null),
        'An attempt that a caller may have read as ' || old.status || ' changed to ' || new.status);
      perform orders_note(old.status <> all(ends) and new.status = 'EXPIRED' and new.expires_at > business_now(),
        'An attempt reads EXPIRED before its expiresAt');
      perform orders_note(old.status <> all(ends) and new.status = any(ends) and new.status <> 'EXPIRED'
        and new.expires_at <= business_now(), 'An attempt ends ' || new.status || ' after its expiresAt');
      return null;
    end $$;
    create trigger orders_attempt after update on connect_attempt for each row execute function orders_attempt();

    create function orders_sign_in() returns trigger language plpgsql security definer as $$
    begin
      perform orders_note(old.status <> 'PENDING' and old.status <> new.status,
        'A sign-in that a caller may have read as ' || old.status || ' changed to ' || new.status);
      perform orders_note(old.status = 'PENDING' and new.status = 'EXPIRED' and new.expires_at > business_now(),
        'A sign-in reads EXPIRED before its expiresAt');
      perform orders_note(old.status = 'PENDING' and new.status not in ('PENDING', 'EXPIRED')
        and new.expires_at <= business_now(), 'A sign-in ends ' || new.status || ' after its expiresAt');
      perform orders_note(new.sealed_claims is not null and old.sealed_claims is null and not orders_allows(new),
        'The claims of a sign-in are stored although app, tenant or identity settings do not allow it');
      return null;
    end $$;
    create trigger orders_sign_in after update on identity_attempt for each row execute function orders_sign_in();

    create function orders_job() returns trigger language plpgsql security definer as $$
    begin
      perform orders_note(old.status in ('SUCCEEDED', 'FAILED', 'CANCELED') and old.status <> new.status
        and not (tg_table_name = 'disconnect_job' and old.status = 'FAILED' and new.status = 'QUEUED'),
        'A job that a caller may have read as ' || old.status || ' changed to ' || new.status);
      return null;
    end $$;
    create trigger orders_job after update of status on read_job for each row execute function orders_job();
    create trigger orders_job after update of status on disconnect_job for each row execute function orders_job();

    create function orders_connection() returns trigger language plpgsql security definer as $$
    begin
      if tg_op = 'INSERT' or new.status <> old.status then
        insert into orders_seen (connection_id, status) values (new.connection_id, new.status);
      end if;
      perform orders_note(new.profile is not null and not orders_allows(new)
        and (tg_op = 'INSERT' or new.profile_observed_at is distinct from old.profile_observed_at),
        'A profile is stored although app, tenant, policy, registration or status does not allow it');
      return null;
    end $$;
    create trigger orders_connection after insert or update on connection for each row execute function orders_connection();

    create function orders_content() returns trigger language plpgsql security definer as $$
    declare owner connection;
    begin
      select * into owner from connection c where c.connection_id = new.connection_id;
      perform orders_note(new.title is not null and not orders_allows(owner)
        and (tg_op = 'INSERT' or new.observed_at <> old.observed_at),
        'A post is stored although app, tenant, policy, registration or status does not allow it');
      return null;
    end $$;
    create trigger orders_content after insert or update on content_item for each row execute function orders_content();

    create function orders_grant_stored() returns trigger language plpgsql security definer as $$
    declare attempt connect_attempt;
    begin
      select * into attempt from connect_attempt a where a.attempt_id = new.attempt_id;
      perform orders_note(new.profile is not null and (tg_op = 'INSERT' or old.profile is null)
        and attempt.attempt_id is not null and not (attempt.status = 'EXCHANGING' and attempt.expires_at > business_now()
        and orders_allows(attempt)), 'A profile is stored for an attempt that is over or no longer allowed');
      return null;
    end $$;
    create trigger orders_grant_stored after insert or update on account_grant for each row execute function orders_grant_stored();

    create function orders_grant() returns trigger language plpgsql security definer as $$
    declare now_row account_grant;
    begin
      select * into now_row from account_grant g where g.grant_id = new.grant_id;
      perform orders_note(now_row.status in ('REVOKING', 'DEAD')
        and (now_row.profile is not null or now_row.provider_account_id is not null),
        'A name and an account id stay beside a grant that is ' || now_row.status);
      return null;
    end $$;
    create constraint trigger orders_grant after insert or update on account_grant deferrable initially deferred
      for each row execute function orders_grant();
  `);
}

/** Whether a call to a platform is allowed at this moment: right after the caller's last statement. */
export async function findForbiddenCall(
  world: World,
  call: { readonly where: string; readonly body: string },
): Promise<string | undefined> {
  const { sql } = world;
  const activity = findActivity();
  if (activity === undefined) return undefined;
  const { name, input } = activity;
  const isRefresh = /refresh/.test(call.where);
  const told = `${call.where} by ${name}`;
  if (name === 'obtainGrant') {
    const [row] = await sql`
      select orders_allows(a) and a.status = 'EXCHANGING' and a.expires_at > business_now() as allowed
      from connect_attempt a where attempt_id = ${input.attemptId ?? null}
    `;
    return row?.allowed ? undefined : `A platform is called for an attempt that is over or no longer allowed: ${told}`;
  }
  if (name === 'exchangeIdentityCode') {
    const [row] = await sql`
      select orders_allows(a) and a.status = 'PENDING' and a.expires_at > business_now() as allowed
      from identity_attempt a where attempt_id = ${input.attemptId ?? null}
    `;
    return row?.allowed ? undefined : `An issuer is called for a sign-in that is over or no longer allowed: ${told}`;
  }
  if (name === 'checkGrant' || /Step$/.test(name)) {
    const [row] = await sql`
      select orders_allows(c) and coalesce(j.status, 'RUNNING') = 'RUNNING' as allowed,
        c.status in ('CONNECTED', 'SUSPENDED', 'RECONNECT_REQUIRED') as lives
      from connection c left join read_job j on j.job_id = ${input.jobId ?? null}
      where c.connection_id = coalesce(${input.connectionId ?? null}::uuid, j.connection_id)
    `;
    const isAllowed = isRefresh ? row?.lives : row?.allowed;
    return isAllowed ? undefined : `A platform is called for a connection that may not be used: ${told}`;
  }
  if (name === 'tryRevoke') {
    const [job] = await sql`select kind, status, grant_id from disconnect_job where job_id = ${input.jobId ?? null}`;
    if (job?.kind !== 'COMPENSATION' || !/revoke/.test(call.where)) return undefined;
    const reached = await listReached(world, job.grantId);
    const rows = reached.filter(({ status }) => status === 'LIVE' || status === 'PENDING');
    return rows.length === 0 ? undefined : 'A compensating revoke is sent that ends another grant in use';
  }
  return undefined;
}

type Consent = ReturnType<World['control']['grants']>[number];

interface GrantRow {
  readonly grantId: string;
  readonly status: string;
  readonly connectionId: string | null;
  readonly sealedTokens: string;
}

/** All rows with tokens, each with its consent at the platform. */
async function listGrants(world: World) {
  const rows = await world.sql<GrantRow[]>`
    select grant_id, status, connection_id, sealed_tokens from account_grant where sealed_tokens is not null
  `;
  const atPlatform = world.control.grants();
  return await Promise.all(
    rows.map(async (row) => {
      const { accessToken, refreshToken } = await world.openTokensOf(row);
      const held = [accessToken, refreshToken];
      return { ...row, consent: atPlatform.find(({ tokens }) => tokens.some(({ value }) => held.includes(value))) };
    }),
  );
}

/** The other rows whose consents a revoke of this one ends: the same person in the same project, or at the same client. */
async function listReached(world: World, grantId: string) {
  const all = await listGrants(world);
  const own = all.find((row) => row.grantId === grantId)?.consent;
  if (own === undefined) return [];
  const clients = world.control.clients();
  const projectOf = (clientId: string) => clients.find((one) => one.clientId === clientId)?.project;
  return all.filter(({ grantId: id, consent }) => {
    if (id === grantId || consent === undefined || consent.endedAt !== null) return false;
    if (consent.platform !== own.platform || consent.principal !== own.principal) return false;
    return own.platform === 'PROVIDER_A'
      ? projectOf(consent.clientId) === projectOf(own.clientId)
      : consent.clientId === own.clientId;
  });
}

/** Looks before time passes: what must hold at every moment. */
export async function checkNow({ sql }: World): Promise<string[]> {
  const [row] = await sql`
    select max(count)::int as most from (
      select count(*) from connect_attempt where status in ('CREATED', 'AUTHORIZING', 'EXCHANGING')
        and expires_at > business_now() and return_url <> '' group by scope_id, provider
    ) as counted
  `;
  return (row?.most ?? 0) > 5 ? [`A subject has ${row?.most} unfinished Connect attempts`] : [];
}

/** Looks when all is quiet. */
export async function checkQuiet(world: World, facts: Facts, did: ReadonlySet<string>): Promise<string[]> {
  const { sql } = world;
  const broken: string[] = [];
  const noted = await sql`select distinct text from orders_violation`;
  broken.push(...noted.map((row) => String(row.text)));
  for (const { type, failure } of world.engine.runs.filter(({ status }) => status === 'FAILED'))
    broken.push(`A workflow has failed: ${type} (${describe(failure)})`);

  const [open] = await sql`
    select (select count(*) from connect_attempt where status in ('CREATED', 'AUTHORIZING', 'EXCHANGING') and expires_at <= business_now())::int as attempts,
      (select count(*) from identity_attempt where status = 'PENDING' and expires_at <= business_now())::int as sign_ins,
      (select count(*) from disconnect_job where status in ('QUEUED', 'RUNNING'))::int as disconnects,
      (select count(*) from account_grant where status in ('PENDING', 'REVOKING'))::int as grants,
      (select count(*) from connection where status in ('SUSPENDED', 'DISCONNECTED', 'DELETING'))::int as connections
  `;
  for (const [what, count] of Object.entries(open ?? {}))
    if (count > 0) broken.push(`Something accepted never ends: ${what}`);

  broken.push(...(await checkGrants(world, facts)), ...(await checkOrderOfConsents(sql, did)));
  broken.push(...(await checkHolds(world)), ...(await checkEvents(sql)), ...(await checkErased(world, facts, did)));
  return [...new Set(broken)];
}

const describe = (failure: unknown): string => {
  const cause = (failure as { cause?: Error } | undefined)?.cause ?? failure;
  return String((cause as Error | undefined)?.message ?? cause).slice(0, 120);
};

/** CONNECTED means a grant that lives; a grant that lives is a connection's, or somebody was told. */
async function checkGrants(world: World, { removed }: Facts): Promise<string[]> {
  const broken: string[] = [];
  const rows = await listGrants(world);
  const connections = await world.sql`select connection_id, status, capabilities, provider_account_id from connection`;
  for (const { connectionId, status, capabilities, providerAccountId } of connections) {
    if (status !== 'CONNECTED') continue;
    const live = rows.find((row) => row.connectionId === connectionId && row.status === 'LIVE');
    if (live === undefined) broken.push('A connection is CONNECTED without a live grant');
    else if (live.consent?.endedAt !== null && !removed.has(providerAccountId))
      broken.push('A connection is CONNECTED, and its grant has ended at the platform');
    const says = (capabilities as { capability: string; availability: string }[]).find(
      (one) => one.capability === 'PROFILE',
    );
    const isGranted =
      live?.consent && world.facts[live.consent.platform].isGranted('PROFILE', live.consent.permissions);
    if (isGranted === false && says?.availability === 'AVAILABLE')
      broken.push('PROFILE is AVAILABLE although the person has withdrawn it at the platform');
  }
  const told = await world.sql`
    select 1 from connect_attempt where creator_action is not null
    union all select 1 from disconnect_job where creator_action is not null
  `;
  const clients = world.control.clients();
  const reachOf = ({ platform, principal, clientId }: Consent) => {
    const project = clients.find((one) => one.clientId === clientId)?.project;
    return [platform, principal, platform === 'PROVIDER_A' ? project : clientId].join(' ');
  };
  const kept = rows.flatMap(({ status, consent }) => (status === 'LIVE' && consent ? [consent] : []));
  const held = new Set(kept.map(({ id }) => id));
  // A revoke of what is left over would end one in use.
  const spared = new Set(kept.map(reachOf));
  const strays = world.control
    .grants()
    .filter((one) => one.endedAt === null && one.tokens.length > 0 && !held.has(one.id) && !spared.has(reachOf(one)));
  if (strays.length > 0 && told.length === 0) broken.push('A grant lives on at the platform, and nobody was told');
  return broken;
}

/** The newest consent wins, by the creation of its attempt. */
async function checkOrderOfConsents(sql: Sql, did: ReadonlySet<string>): Promise<string[]> {
  const broken: string[] = [];
  const [older] = await sql`
    select from account_grant g join connect_attempt mine using (attempt_id)
      join connect_attempt newer on newer.connection_id = g.connection_id and newer.status = 'COMPLETED'
    where g.status = 'LIVE' and newer.created_at > mine.created_at limit 1
  `;
  if (older) broken.push('A connection has an older consent than the newest that was completed');
  const stops = ['cancelAttempt', 'disconnect', 'eraseSubject', 'delete'];
  if ([...did].some((name) => stops.some((stop) => name.includes(stop)))) return broken;
  const [lost] = await sql`
    select from connect_attempt lost
    where lost.status = 'CANCELED' and not exists (
      select from connect_attempt newer where newer.status = 'COMPLETED' and newer.scope_id = lost.scope_id
        and newer.created_at > lost.created_at
    ) limit 1
  `;
  if (lost) broken.push('An attempt was CANCELED although no newer one has completed');
  return broken;
}

/** While a revoke of the subject is unsettled, nothing begins for that subject and provider. */
async function checkHolds({ sql, mac, facts }: World): Promise<string[]> {
  const attempts = await sql`
    select a.provider, a.created_at, s.app_id, s.tenant_key, s.external_subject_id
    from connect_attempt a join scope s using (scope_id) where s.erasure_id is null and a.return_url <> ''
  `;
  const revokes =
    await sql`select provider, scope_mac, created_at, finished_at from disconnect_job where kind = 'REVOKE'`;
  const begunMeanwhile = attempts.some((attempt) => {
    const own = mac.of(...buildReceiptParts(attempt.appId, attempt as never));
    return revokes.some(
      ({ provider, scopeMac, createdAt, finishedAt }) =>
        provider === attempt.provider &&
        facts[attempt.provider as 'PROVIDER_A'].holdsSiblingsOnDisconnect &&
        own.equals(scopeMac) &&
        attempt.createdAt > createdAt &&
        (finishedAt === null || attempt.createdAt < finishedAt),
    );
  });
  return begunMeanwhile ? ['An attempt begins for a subject whose revoke is not settled'] : [];
}

/** Each status is told once, in sequence. */
async function checkEvents(sql: Sql): Promise<string[]> {
  const broken: string[] = [];
  const [wrong] = await sql`
    with told as (
      select connection_id, array_agg(data ->> 'status' order by sequence) as statuses
      from webhook_event where type like 'connection.%' and type <> 'connection.erased' and connection_id is not null group by 1
    ), seen as (
      select connection_id, array_agg(status order by place) filter (where status <> 'DELETING') as statuses
      from orders_seen group by 1
    )
    select seen.connection_id from seen left join told using (connection_id)
    where not coalesce(told.statuses[cardinality(told.statuses) - cardinality(seen.statuses) + 1:] = seen.statuses, seen.statuses is null)
    limit 1
  `;
  if (wrong) broken.push('The webhooks of a connection do not say what its rows say');
  const [twice] = await sql`
    select from webhook_event where type in ('connect_session.finished', 'identity_session.finished')
      and data ->> 'creatorAction' is null
    group by data ->> 'sessionId' having count(*) > 1 limit 1
  `;
  if (twice) broken.push('The end of an attempt is told twice');
  return broken;
}

/** After an erase nothing of the person is anywhere, and nothing but a new consent brings them back. */
async function checkErased({ sql }: World, { scope }: Facts, did: ReadonlySet<string>): Promise<string[]> {
  const broken: string[] = [];
  const names = [...did];
  const erased = names.some((name) => name.includes('eraseSubject'));
  const isBack = names.some((name) => name.includes('createConnectSession') || name.includes('import'));
  const [stays] =
    await sql`select from scope where external_subject_id = ${scope.externalSubjectId} and erasure_id is null`;
  if (erased && !isBack && stays) broken.push("An erased subject's id is still here");
  const [imported] = await sql`
    select from connection c join account_grant g using (connection_id) join disconnect_job j on j.kind = 'ERASE' and j.status = 'SUCCEEDED'
    where g.import_mac is not null and c.created_at > j.created_at limit 1
  `;
  if (imported) broken.push('An import connects a person again who had disconnected');
  return broken;
}
