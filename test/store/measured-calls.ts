import type { Filled } from '../../bench/fill/fill.ts';
import { createConnectFlow } from '../../src/api/connect/connect-flow.ts';
import type { ConnectDeps } from '../../src/api/connect/flow.ts';
import { createRandomToken, sha256 } from '../../src/api/tokens.ts';
import { CONNECTION_STATUSES, PROVIDER_NAMES } from '../../src/basics/codes.ts';
import {
  type AppId,
  type BulkDisconnectId,
  type ConnectionId,
  newId,
  type RegistrationId,
  type WebhookEndpointId,
} from '../../src/basics/ids.ts';
import { type AttemptFilter, listAdminAttempts } from '../../src/store/attempts/admin-attempts.ts';
import { type ConnectionFilter, listAdminConnections } from '../../src/store/connections/admin-connections.ts';
import { findContentByCode } from '../../src/store/content/content.ts';
import type { Database } from '../../src/store/driver/sql.ts';
import { findById, findByName, findByPost } from '../../src/store/find.ts';
import { EVERY_JOB, getListedAt, listAdminJobs } from '../../src/store/jobs/admin-jobs.ts';
import { type AuditFilter, listAuditEntries } from '../../src/store/operators/audit-log.ts';
import type { SubjectScope } from '../../src/store/scopes.ts';
import { type DeliveryFilter, listWebhookDeliveries } from '../../src/store/webhooks/webhook-deliveries.ts';
import { callerOf, createDeps } from '../kit/caller.ts';
import type { TestDatabase } from '../kit/postgres.ts';
import { seedApp, seedConnection } from '../kit/seed.ts';
import { openExplained, type Statement } from './explained.ts';

const DAY_MS = 86_400_000;
const POSTS = 3_000;

/**
 * The jobs of each kind. They are a few hundredths of all jobs: where one connection has a larger share, Postgres may
 * walk all jobs, newest first, until it has a page of them, which is as cheap.
 */
const JOBS = 500;

/** A connection, and a caller's arguments to reach it. */
export interface Target {
  readonly connectionId: ConnectionId;
  readonly scope: SubjectScope;
}

/** The work of one call's statements. */
export interface MeasuredCall {
  readonly call: string;
  readonly statements: readonly Statement[];
  /** The list may pass over rows that do not match its filter, newest first. */
  readonly skips?: boolean;
}

/**
 * Gives one subject much more than others have: a connection with thousands of posts and jobs among hundreds of
 * connections. A statement that reads all of one owner's rows is seen there only.
 */
export async function addBusySubject(sql: Database, { appId, tenantKey }: Filled): Promise<Target> {
  const [row] = await sql`
    select connection_id, external_subject_id from connection c join scope s using (scope_id)
    where s.app_id = ${appId} and provider = 'PROVIDER_C' and status = 'CONNECTED' and sync_status = 'READY'
    order by c.created_at limit 1 offset 500
  `;
  const connectionId = row?.connectionId as ConnectionId;
  await sql`
    insert into content_item (content_item_id, connection_id, provider_content_id, kind, canonical_url, published_at,
      availability, observed_at)
    select gen_random_uuid(), ${connectionId}, 'busy-' || i, 'VIDEO', 'https://www.instagram.com/reel/code-' || i || '/',
      business_now() - i * interval '10 minutes', 'AVAILABLE', business_now()
    from generate_series(1, ${POSTS}) i
  `;
  await sql`
    insert into read_job (job_id, kind, connection_id, app_id, provider, requested_by, status, provider_content_id,
      correlation_id, created_at, started_at, finished_at)
    select gen_random_uuid(), 'METRICS', connection_id, app_id, provider, 'CALLER', 'SUCCEEDED', 'busy-' || i,
      gen_random_uuid(), business_now() - i * interval '1 minute', business_now(), business_now()
    from connection, generate_series(1, ${JOBS}) i where connection_id = ${connectionId}
  `;
  await sql`
    insert into read_job (job_id, kind, connection_id, app_id, provider, requested_by, status, published_after,
      published_before, max_items, correlation_id, created_at, started_at, finished_at)
    select gen_random_uuid(), 'SCAN', connection_id, app_id, provider, 'CALLER', 'SUCCEEDED',
      business_now() - interval '7 days', business_now(), 100, gen_random_uuid(),
      business_now() - i * interval '1 minute', business_now(), business_now()
    from connection, generate_series(1, ${JOBS}) i where connection_id = ${connectionId}
  `;
  await sql`
    insert into connection (connection_id, scope_id, app_id, provider, registration_id, provider_account_id, status,
      capabilities, created_at)
    select gen_random_uuid(), scope_id, app_id, provider, registration_id, 'busy-' || i, 'RECONNECT_REQUIRED', '[]',
      business_now() - i * interval '1 hour'
    from connection, generate_series(1, 500) i where connection_id = ${connectionId}
  `;
  await sql`vacuum analyze content_item`;
  await sql`vacuum analyze read_job`;
  await sql`vacuum analyze connection`;
  return { connectionId, scope: { tenantKey, externalSubjectId: String(row?.externalSubjectId) } };
}

/** So often that Postgres may keep a plan that suits no one's values in particular. */
export const OFTEN = 7;

/** Calls everything that an app's backend and a person's browser call, on connections that record how statements ran. */
export async function measureCalls(database: TestDatabase, filled: Filled, busy: Target): Promise<MeasuredCall[]> {
  // One connection runs each statement often enough.
  const { sql, statementsOf } = openExplained(database.url, { poolSize: 1 });
  try {
    const { deps } = await createDeps(database.sql, { suspendSiblings: true });
    const app = { appId: filled.appId, name: 'Filled', enabled: true, requestsPerSecond: 500 };
    const ask = callerOf({ deps: { ...deps, sql } }, { app });
    const others = await listTargets(database.sql, filled);
    const targets = [busy, ...others];
    const now = Date.now();
    const window = {
      publishedAfter: new Date(now - 30 * DAY_MS).toISOString(),
      publishedBefore: new Date(now).toISOString(),
    };
    const input = {
      provider: 'PROVIDER_B',
      capabilities: ['PROFILE', 'CONTENT_LIST'],
      returnUrl: 'https://caller.example/connected',
    };
    const measured: MeasuredCall[] = [];
    const measure = async <Item>(call: string, items: readonly Item[], work: (item: Item) => Promise<unknown>) => {
      const statements = await statementsOf(async () => {
        for (const item of items) await work(item);
      });
      measured.push({ call, statements });
    };
    const sessions: { id: string; launchToken: string; scope: SubjectScope }[] = [];
    const jobs: { id: string; target: Target }[] = [];

    await measure('integrationReadiness', targets, () => ask('integrationReadiness'));
    await measure('connection', targets, ({ connectionId: id, scope }) => ask('connection', { scope, id }));
    await measure('connections', targets, async ({ scope }) => {
      const { pageInfo } = await ask('connections', { scope, first: 20 }).catch(() => ({ pageInfo: {} }));
      if (pageInfo.hasNextPage) await ask('connections', { scope, first: 20, after: pageInfo.endCursor });
    });
    await measure('content', targets, async ({ connectionId, scope }) => {
      const first = { ...window, first: 50 };
      const { pageInfo } = await ask('content', { scope, connectionId, window: first });
      if (!pageInfo.hasNextPage) return;
      await ask('content', { scope, connectionId, window: { ...first, after: pageInfo.endCursor } });
    });
    await measure('contentItem', [1, 500, 1_000, 1_500, 2_000, 2_500, 3_000], (place) =>
      ask('contentItem', { ...busy, providerContentId: `busy-${place}` }),
    );
    await measure('requestRefresh', targets, async (target) => {
      jobs.push({ id: (await ask('requestRefresh', target)).id, target });
    });
    await measure('requestRefresh of one post', [1, 2, 3, 4, 5, 6], async (place) => {
      await ask('requestRefresh', { ...busy, providerContentId: `busy-${place}` });
    });
    await measure('requestContentLookup', [1, 2, 3, 4, 5, 6], async (place) => {
      await ask('requestContentLookup', { ...busy, url: `https://www.instagram.com/p/asked-${place}/` });
    });
    await measure('findContentByCode', [1, 500, 1_000, 1_500, 2_000, 3_000, 4_000], async (place) => {
      const found = await findContentByCode(sql, busy.connectionId, `code-${place}`);
      const expected = place > POSTS ? undefined : `busy-${place}`;
      if (found !== expected) throw new Error(`The code of ${expected} found ${found}.`);
    });
    await measure('syncJob', jobs, ({ id, target }) => ask('syncJob', { ...target, id }));
    await measure('createConnectSession', targets, async ({ scope }) => {
      const { id, launchToken } = await ask('createConnectSession', { input: { ...input, scope } });
      sessions.push({ id, launchToken, scope });
    });
    await measure('connectSessionResult', sessions, ({ id, scope }) => ask('connectSessionResult', { scope, id }));

    const flow = createConnectFlow({ ...deps, sql, connectUrl: deps.config.CONNECT_URL } as unknown as ConnectDeps);
    const states: string[] = [];
    await measure('launch', sessions, async ({ launchToken }) => {
      const attempt = await flow.findByLaunchToken(sha256(launchToken));
      if (!attempt) throw new Error('The launch token finds no attempt.');
      const url = new URL(await flow.launch(attempt, createRandomToken()));
      states.push(url.searchParams.get('state') ?? '');
    });
    await measure('callback', states, async (state) => {
      const attempt = await flow.findByState(sha256(state));
      if (!attempt) throw new Error('The state finds no attempt.');
      const { outcome } = await flow.takeCallback(attempt, new URLSearchParams({ code: 'a-code', scopes: '', state }));
      if (outcome !== 'accepted') throw new Error(`The callback was ${outcome}.`);
      await flow.find(attempt.attemptId);
    });
    const receipts: { id: string; target: Target }[] = [];
    await measure('disconnectConnection', targets, async (target) => {
      receipts.push({ id: (await ask('disconnectConnection', target)).revokeJobId, target });
    });
    await measure('syncJob of a receipt', receipts, ({ id, target }) => ask('syncJob', { ...target, id }));
    return measured;
  } finally {
    await sql.end({ timeout: 5 });
  }
}

const ANY_CONNECTION: ConnectionFilter = {
  ...{ appId: null, provider: null, registrationId: null, statuses: null, tenantKey: null, externalSubjectId: null },
};
const ANY_ATTEMPT: AttemptFilter = {
  appId: null,
  provider: null,
  registrationId: null,
  statuses: null,
  connectionId: null,
};
const ANY_ENTRY: AuditFilter = { actor: null, action: null, outcome: null, targets: null };
const ANY_DELIVERY: DeliveryFilter = {
  ...{ appId: null, endpointId: null, status: null, eventType: null, connectionId: null, since: null },
};
/** Lists by these filters may read the newest rows until they have a page of matching ones. A reason within a period may not. */
const SKIPPING =
  /^(?!.*"(?:endedBefore|before)".*"(?:lastFailure|resultCode)").*(?:"(?:provider|statuses|kinds|lastFailure|neverFailed)"|"tenantKey":"[^"]*"})/;
/** One more than a page. */
const FIRST = 21;

/** Reads two pages of the admin API's lists, by all filters but the status of attempts and whether jobs are stuck. */
export async function measureAdminLists(
  database: TestDatabase,
  filled: Filled,
  { connectionId, scope }: Target,
): Promise<MeasuredCall[]> {
  const { sql, statementsOf } = openExplained(database.url, { poolSize: 1 });
  const small = await addSmallApp(database.sql);
  const appIds = [filled.appId, small];
  const [row] = await database.sql`
    select registration_id, provider_account_id from connection where connection_id = ${connectionId}
  `;
  const registrationId = row?.registrationId as RegistrationId;
  // Of one with hundreds of connections, a search sorts all of them, up to its bound.
  const [usual] = await database.sql`
    select external_subject_id from scope join connection using (scope_id) group by 1 having count(*) < ${FIRST} limit 1
  `;
  const measured: MeasuredCall[] = [];
  type Key = { at: Date; id: string };
  /** Measures the first two pages of a list by each filter. */
  const measure = async <Filter extends object, Row>(
    name: string,
    any: Filter,
    filters: readonly Partial<Filter>[],
    list: (filter: Filter, page: { limit: number; after: Key | null }) => Promise<Row[]>,
    keyOf: (row: Row, filter: Filter) => Key,
  ) => {
    for (const one of filters) {
      const filter = { ...any, ...one };
      const statements = await statementsOf(async () => {
        const last = (await list(filter, { limit: FIRST, after: null })).at(-1);
        if (last !== undefined) await list(filter, { limit: FIRST, after: keyOf(last, filter) });
      });
      const call = `${name} ${JSON.stringify(one)}`;
      measured.push({ call, statements, skips: SKIPPING.test(call) });
    }
  };
  try {
    const [now, lately] = [new Date(), new Date(Date.now() - DAY_MS)];
    await measure(
      'connections',
      ANY_CONNECTION,
      [
        {},
        ...appIds.map((appId) => ({ appId })),
        ...PROVIDER_NAMES.map((provider) => ({ provider })),
        { registrationId },
        ...CONNECTION_STATUSES.map((status) => ({ statuses: [status] })),
        { appId: filled.appId, tenantKey: filled.tenantKey },
        { appId: filled.appId, ...scope },
        { appId: filled.appId, ...scope, externalSubjectId: 'nobody' },
        { oldestFirst: true },
        { since: lately },
        { search: String(usual?.externalSubjectId) },
        { search: String(row?.providerAccountId) },
        { search: 'nobody' },
      ],
      (filter, page) => listAdminConnections(sql, filter, page),
      ({ createdAt, connectionId: id }) => ({ at: createdAt, id }),
    );
    const [post] = await database.sql`
      select content_item_id, provider_content_id from content_item where connection_id = ${connectionId} limit 1
    `;
    const finds: readonly (readonly [call: string, find: () => Promise<unknown>])[] = [
      ['find by an id', () => findById(sql, { low: String(post?.contentItemId), high: String(post?.contentItemId) })],
      ['find by a subject', () => findByName(sql, scope.externalSubjectId)],
      ['find by nothing', () => findByName(sql, 'nobody')],
      ['find by a post', () => findByPost(sql, { id: String(post?.providerContentId) })],
      ['find by a code', () => findByPost(sql, { code: 'C-nothing' })],
    ];
    for (const [call, find] of finds) measured.push({ call, statements: await statementsOf(find), skips: false });
    await measure(
      'attempts',
      ANY_ATTEMPT,
      [
        {},
        { appId: filled.appId },
        { registrationId },
        { connectionId },
        { appId: filled.appId, ...scope },
        { since: lately, before: now, resultCode: 'MISSING_PERMISSION' },
      ],
      (filter, page) => listAdminAttempts(sql, filter, page),
      ({ createdAt, attemptId: id }) => ({ at: createdAt, id }),
    );
    const ended = { endedSince: lately, endedBefore: now };
    await measure(
      'jobs',
      EVERY_JOB,
      [
        {},
        { appId: filled.appId },
        { connectionId },
        { statuses: ['SUCCEEDED'] },
        { statuses: ['QUEUED', 'RUNNING'] },
        { kinds: ['SCAN', 'METRICS'] },
        { lastFailure: 'PROVIDER_UNAVAILABLE' },
        { bulkDisconnectId: newId<BulkDisconnectId>() },
        { neverFailed: true },
        ended,
        { ...ended, kinds: ['SCAN', 'METRICS', 'LOOKUP'], lastFailure: 'PROVIDER_UNAVAILABLE' },
        { ...ended, kinds: ['REVOKE', 'COMPENSATION'], statuses: ['SUCCEEDED'] },
      ],
      (filter, page) => listAdminJobs(sql, filter, page),
      (job, filter) => ({ at: getListedAt(filter, job), id: job.jobId }),
    );
    const [entry] = await database.sql`select target from audit_log where target is not null limit 1`;
    const hoursAgo = (hours: number) => new Date(now.getTime() - hours * 3_600_000);
    await measure(
      'audit',
      ANY_ENTRY,
      [
        {},
        { actor: 'cli' },
        { action: 'retryJob' },
        { targets: [String(entry?.target)] },
        { since: hoursAgo(2), before: hoursAgo(1), actor: 'cli' },
      ],
      (filter, { limit, after }) => listAuditEntries(sql, filter, { limit, position: after?.id ?? null }),
      ({ happenedAt, auditId: id }) => ({ at: happenedAt, id }),
    );
    const [endpoint] = await database.sql`select endpoint_id from webhook_endpoint limit 1`;
    const endpointId = endpoint?.endpointId as WebhookEndpointId;
    await measure(
      'deliveries',
      ANY_DELIVERY,
      [
        {},
        ...appIds.map((appId) => ({ appId })),
        { endpointId },
        { endpointId, status: 'FAILED' },
        { status: 'PENDING' },
        { connectionId },
        { since: lately, before: now, lastFailure: 'TIMEOUT' },
      ],
      (filter, page) => listWebhookDeliveries(sql, filter, page),
      ({ occurredAt, deliveryId: id }) => ({ at: occurredAt, id }),
    );
    return measured;
  } finally {
    await sql.end({ timeout: 5 });
  }
}

/** An app with three connections, the oldest of all. */
async function addSmallApp(sql: Database): Promise<AppId> {
  const seeded = await seedApp(sql);
  for (let index = 0; index < 3; index += 1) await seedConnection(sql, seeded, { scope: seeded.newScope() });
  await sql`
    update connection set created_at = business_now() - interval '2 years' where app_id = ${seeded.app.appId}
  `;
  await sql`analyze connection`;
  return seeded.app.appId;
}

/** Connections of persons with one account, in good order. */
async function listTargets(sql: Database, { appId, tenantKey }: Filled): Promise<Target[]> {
  const rows = await sql`
    select c.connection_id, s.external_subject_id from connection c join scope s using (scope_id)
    where s.app_id = ${appId} and c.provider = 'PROVIDER_C' and c.status = 'CONNECTED' and c.sync_status = 'READY'
      and c.profile_observed_at > business_now() - interval '25 days'
      and c.scope_id in (select scope_id from connection group by scope_id having count(*) = 1)
    order by c.created_at limit ${OFTEN} offset 1000
  `;
  return rows.map(({ connectionId, externalSubjectId }) => ({
    connectionId,
    scope: { tenantKey, externalSubjectId },
  }));
}
