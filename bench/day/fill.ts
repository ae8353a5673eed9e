import { CAPABILITIES, PROVIDER_NAMES } from '../../src/basics/codes.ts';
import type { Database } from '../../src/store/driver/sql.ts';
import { dropIndexes } from '../fill/copy.ts';
import type { Plan } from './plan.ts';

/** Rows of one statement. */
const TOGETHER = 1_000_000;
/** From so many connections, the indexes are built after the rows. */
const REBUILD_FROM = 200_000;
const TENANT = 'day';

/** A part of 1 that is fixed for a number, and another one for each salt. */
const share = (salt: number) => `((hashint8extended(n, ${salt}) & 1048575) / 1048576.0)`;

/**
 * Fills a database with the connections of a plan, as the service leaves them after months: the age of each one's profile
 * is anything up to the 22 to 27 days between two upkeeps, and refreshes are due at any instant of their interval. Behind
 * them lie a week of read jobs, a month of coverage, and posts. Rows are lean: no tokens, short profiles.
 */
export async function fillDay(sql: Database, plan: Plan, say: (line: string) => void): Promise<void> {
  await insertApps(sql, plan);
  const connection = await sql.reserve();
  const own = connection as unknown as Database;
  try {
    await connection`set statement_timeout = 0`;
    await connection`set session_replication_role = replica`; // Generated rows need no checks of their references.
    await connection.unsafe(`
      create unlogged table day_registration as select * from jsonb_to_recordset('${JSON.stringify(toRows(plan))}')
        as each (registration_id uuid, provider provider_name, place integer, apps uuid[], minutes jsonb)
    `);
    const bounds = `'{${firstNumbers(plan).join(',')}}'::bigint[]`;
    for (const [table, { columns, select, rows }] of Object.entries(TABLES)) {
      const startedAtMs = performance.now();
      const makeAnew = plan.connections >= REBUILD_FROM ? await dropIndexes(own, table) : [];
      const count = rows(plan.connections);
      for (let from = 0; from < count; from += TOGETHER)
        await connection.unsafe(`
          insert into ${table} (${columns})
          ${select
            .replace('NUMBERS', `generate_series(${from}::bigint, ${Math.min(count, from + TOGETHER) - 1}) n`)
            .replaceAll('COUNT', String(plan.connections))
            .replace('BOUNDS', bounds)
            .replaceAll('PACE', String(plan.upkeepPace))}
        `);
      for (const statement of makeAnew) await connection.unsafe(statement);
      await connection.unsafe(`vacuum (analyze) ${table}`);
      say(`${table}: ${count} rows in ${((performance.now() - startedAtMs) / 1_000).toFixed(1)} s`);
    }
    await connection`delete from connection_count`; // A trigger maintains it.
    await connection`
      insert into connection_count (provider, status, change)
      select provider, status, count(*) from connection group by provider, status
    `;
  } finally {
    await connection`reset all`;
    connection.release();
  }
}

const toRows = ({ registrations, policies }: Plan) =>
  registrations.map(({ id, provider, apps }, index) => ({
    registration_id: id,
    provider,
    place: index + 1,
    apps,
    minutes: Object.fromEntries(
      policies.filter((one) => one.provider === provider).map(({ appId, minutes }) => [appId, minutes]),
    ),
  }));

/** Where the numbers of each registration's connections begin. */
function firstNumbers({ registrations }: Plan): number[] {
  let next = 0;
  return registrations.map(({ connections }) => {
    next += connections;
    return next - connections;
  });
}

async function insertApps(sql: Database, { apps, registrations, policies }: Plan): Promise<void> {
  for (const [place, appId] of apps.entries()) {
    await sql`insert into app (app_id, name) values (${appId}, ${`App ${place}`})`;
    await sql`insert into tenant (app_id, tenant_key) values (${appId}, ${TENANT})`;
    for (const provider of PROVIDER_NAMES) {
      const policy = policies.find((one) => one.appId === appId && one.provider === provider);
      await sql`
        insert into app_policy (app_id, provider, capabilities, refresh_minutes)
        values (${appId}, ${provider}, ${[...CAPABILITIES]}, ${policy?.minutes ?? null})
      `;
    }
  }
  for (const { id, provider, name, units, refreshPercent, apps: served } of registrations) {
    await sql`
      insert into registration (registration_id, provider, label, client_id, sealed_client_secret, daily_quota, refresh_percent)
      values (${id}, ${provider}, ${name}, ${name}, 'sealed', ${units}, ${refreshPercent})
    `;
    for (const appId of served)
      await sql`insert into registration_app (registration_id, app_id) values (${id}, ${appId})`;
  }
}

/** The scope, connection and grant of a number have ids that follow from it. */
const id = (kind: string) => `md5('${kind}' || n)::uuid`;
/** The factor scatters the connections of a registration over all numbers. */
const OF_REGISTRATION = `
  NUMBERS join day_registration r on r.place = width_bucket((n * 7919) % COUNT, BOUNDS)
    cross join lateral (select r.apps[1 + n % cardinality(r.apps)] as app_id) a
`;
/** As `scheduleUpkeep` spreads it. */
const UPKEEP_DAYS = `(22 + 5 * (abs(hashtext(${id('connection')}::text)::bigint) % 10000) / 10000.0)`;
const CAPABILITY = `'[{ "capability": "PROFILE", "availability": "AVAILABLE", "reason": null }, { "capability": "CONTENT_LIST", "availability": "AVAILABLE", "reason": null }]'`;

interface Table {
  readonly columns: string;
  readonly select: string;
  readonly rows: (connections: number) => number;
}

/** What a day of ten million connections leaves of each kind, for a connection. */
const JOBS_A_DAY = 0.02;
const DAYS = { jobs: 7, coverage: 30 };

const TABLES: Readonly<Record<string, Table>> = {
  scope: {
    columns: 'scope_id, app_id, tenant_key, external_subject_id',
    select: `select ${id('scope')}, a.app_id, '${TENANT}', 'person-' || n from ${OF_REGISTRATION}`,
    rows: (connections) => connections,
  },
  connection: {
    columns: `connection_id, scope_id, app_id, provider, registration_id, provider_account_id, status, sync_status, capabilities,
      profile, profile_observed_at, last_successful_sync_at, upkeep_due_at, refresh_due_at, created_at, changed_at`,
    select: `
      select ${id('connection')}, ${id('scope')}, a.app_id, r.provider, r.registration_id, 'account-' || n, 'CONNECTED', 'READY',
        ${CAPABILITY}, '{ "displayName": "A person", "handle": null, "avatarUrl": null, "profileUrl": null, "description": null }', business_now() - (1 - ${share(1)}) * ${UPKEEP_DAYS} * interval '1 day',
        business_now() - ${share(2)} * interval '1 day', business_now() + ${share(1)} * ${UPKEEP_DAYS} * interval '1 day' / PACE,
        business_now() + ${share(3)} * make_interval(mins => (r.minutes ->> a.app_id::text)::int),
        business_now() - (1 - n::float8 / COUNT) * interval '365 days', business_now() - interval '30 days'
      from ${OF_REGISTRATION}
    `,
    rows: (connections) => connections,
  },
  account_grant: {
    columns: `grant_id, attempt_id, scope_id, provider, registration_id, connection_id, status, permissions, access_expires_at,
      refresh_expires_at, obtained_at`,
    select: `
      select ${id('grant')}, ${id('attempt')}, ${id('scope')}, r.provider, r.registration_id, ${id('connection')}, 'LIVE',
        '{profile.read,content.read}', business_now() - interval '1 hour',
        case r.provider when 'PROVIDER_B' then business_now() + interval '340 days' when 'PROVIDER_C' then business_now() + interval '58 days' end,
        business_now() - (1 - n::float8 / COUNT) * interval '365 days'
      from ${OF_REGISTRATION}
    `,
    rows: (connections) => connections,
  },
  read_job: {
    columns: `job_id, connection_id, app_id, provider, kind, status, requested_by, is_refresh, published_after, published_before,
      max_items, correlation_id, created_at, started_at, finished_at`,
    select: `
      select ${id('job')}, c.connection_id, c.app_id, c.provider, 'SCAN', 'SUCCEEDED', 'SERVICE', true, at - interval '7 days', at, 100,
        ${id('correlation')}, at, at, at
      from (select n, md5('connection' || (n * 31) % COUNT)::uuid as connection_id,
          business_now() - ${share(4)} * interval '${DAYS.jobs} days' as at from NUMBERS) j
        join connection c using (connection_id)
    `,
    rows: (connections) => Math.round(connections * JOBS_A_DAY * DAYS.jobs),
  },
  coverage: {
    columns: 'coverage_id, connection_id, published, scanned_at',
    select: `
      select ${id('coverage')}, md5('connection' || (n * 31) % COUNT)::uuid, tstzrange(at - interval '7 days', at), at
      from (select n, business_now() - ${share(5)} * interval '${DAYS.coverage} days' as at from NUMBERS) c
    `,
    rows: (connections) => Math.round(connections * JOBS_A_DAY * DAYS.coverage),
  },
  content_item: {
    columns: `content_item_id, connection_id, provider_content_id, kind, canonical_url, title, description, published_at,
      availability, metrics, metrics_observed_at, observed_at`,
    select: `
      select ${id('post')}, md5('connection' || (n * 31) % COUNT)::uuid, 'post-' || n, 'VIDEO', 'https://platform.example/posts/' || n,
        'A boat in the harbour, number ' || n, 'Seen from the pier this morning.', at - interval '3 days', 'AVAILABLE',
        '[{ "name": "VIEWS", "value": "4711", "availability": "AVAILABLE", "reason": null, "sourceField": "viewCount" }]', at, at
      from (select n, business_now() - ${share(6)} * interval '30 days' as at from NUMBERS) p
    `,
    rows: (connections) => Math.round(connections / 5),
  },
};
