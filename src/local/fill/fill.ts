import { buildReceiptParts } from '../../domain/disconnecting/receipts.ts';
import type { AppId, RegistrationId } from '../../ids.ts';
import { CAPABILITIES, PROVIDER_NAMES, type ProviderName } from '../../providers/provider.ts';
import {
  insertApp,
  insertRegistration,
  insertRegistrationApp,
  insertReturnUrl,
  insertTenant,
  issueKey,
  updatePolicy,
} from '../../store/setup.ts';
import type { Database } from '../../store/sql.ts';
import { associatedData } from '../../vault/associated-data.ts';
import type { Mac } from '../../vault/mac.ts';
import type { Seal } from '../../vault/seal.ts';
import { type Cell, copyRows } from './copy.ts';
import { type MadeUp, makeUp, scattered } from './made-up.ts';

/** The number of rows of each kind. */
export interface FillSizes {
  readonly connections: number;
  readonly posts: number;
  /** Open read jobs that are not overdue. */
  readonly jobs: number;
  /** Due rows of each kind for the sweeps, and as many that are not due yet; at most a tenth of the connections. */
  readonly due: number;
  readonly seed: number;
}

export interface FillKeys {
  readonly sealGrant: Seal;
  readonly sealInbox: Seal;
  readonly mac: Mac;
}

/** The app that owns the rows, and the number of rows by table. */
export interface Filled {
  readonly appId: AppId;
  readonly key: string;
  readonly tenantKey: string;
  readonly rows: Readonly<Record<string, number>>;
}

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const YEAR = 365 * DAY;

/** A large fill rebuilds the indexes of these tables; no foreign key refers to them. */
const REBUILT = ['content_item', 'account_grant', 'read_job', 'coverage'];
const REBUILD_FROM = 500_000;

const TENANT = 'fill';
const RETURN_URL = 'https://caller.example/connected';

/**
 * Fills a database as a year of use would: rows are in the order of time, those of one connection far apart. The given keys
 * seal the tokens, and every kind of row that a sweep lists exists, due and not yet due. The same sizes and seed produce the
 * same rows, except for the app, its clients and the clock.
 */
export async function fill(
  sql: Database,
  sizes: FillSizes,
  keys: FillKeys,
  say: (line: string) => void = () => undefined,
): Promise<Filled> {
  const world = await openWorld(sql, sizes, keys);
  const rows: Record<string, number> = {};
  for (const [name, { columns, made }] of Object.entries(TABLES)) {
    const startedAtMs = performance.now();
    const [table = name] = name.split('/');
    const isLarge = world.posts >= REBUILD_FROM && REBUILT.includes(table);
    const count = await copyRows(sql, table, columns, made(world), { isLarge });
    rows[table] = (rows[table] ?? 0) + count;
    const seconds = (performance.now() - startedAtMs) / SECOND;
    say(`${name}: ${count} rows in ${seconds.toFixed(1)} s`);
  }
  // A trigger maintains the counts, and the fill disables triggers.
  await sql`delete from connection_count`;
  await sql`
    insert into connection_count (provider, status, change)
    select provider, status, count(*) from connection group by provider, status
  `;
  const connection = await sql.reserve();
  try {
    await connection`set statement_timeout = 0`;
    for (const table of Object.keys(rows)) await connection`vacuum (analyze) ${connection(table)}`;
  } finally {
    await connection`reset statement_timeout`;
    connection.release();
  }
  const { appId, key } = world;
  return { appId, key, tenantKey: TENANT, rows };
}

/** The input from which all rows are generated. */
interface World extends FillSizes {
  readonly keys: FillKeys;
  readonly madeUp: MadeUp;
  readonly nowMs: number;
  readonly appId: AppId;
  readonly key: string;
  readonly registrations: Readonly<Record<ProviderName, RegistrationId>>;
  readonly connection: (index: number) => MadeConnection;
  /** The index of the connection that the `index`-th row belongs to, in rounds over all connections. */
  readonly turn: (index: number) => number;
}

async function openWorld(sql: Database, sizes: FillSizes, keys: FillKeys): Promise<World> {
  const appId = await insertApp(sql, `Filled with ${sizes.connections} connections`);
  await insertTenant(sql, appId, TENANT);
  await insertReturnUrl(sql, appId, RETURN_URL);
  const registrations = {} as Record<ProviderName, RegistrationId>;
  for (const provider of PROVIDER_NAMES) {
    const registration = { provider, label: `Filled ${provider}`, clientId: `fill-${provider.toLowerCase()}` };
    registrations[provider] = await insertRegistration(sql, registration, (id) =>
      keys.sealInbox('client-secret', associatedData.clientSecret(id)),
    );
    await insertRegistrationApp(sql, registrations[provider], appId);
    await updatePolicy(sql, appId, provider, { capabilities: CAPABILITIES });
  }
  const { key } = await issueKey(sql, appId, null);
  const [row] = await sql`select business_now() as now`;
  // Each fill of one database has ids of its own.
  const [fills] = await sql`select count(*)::int as count from app`;
  const madeUp = makeUp(sizes.seed * 1_000 + Number(fills?.count));
  const due = Math.min(sizes.due, Math.floor(sizes.connections / 10));
  const turn = scattered(sizes.connections);
  const base = { ...sizes, due, keys, madeUp, nowMs: new Date(row?.now).getTime(), appId, key, registrations };
  return {
    ...base,
    turn: (index) => turn(index % sizes.connections),
    connection: (index) => makeConnection({ ...base, role: roleOf(turn(index), due) }, index),
  };
}

/** The state of a connection. Each of the first six has as many connections as `due` says. */
const ROLES = ['LOST', 'REVOKING', 'HELD', 'TENDED', 'OLD_PROFILE', 'RECONNECTING'] as const;
type Role = (typeof ROLES)[number] | 'USED';

const roleOf = (place: number, due: number): Role => (due === 0 ? 'USED' : (ROLES[Math.floor(place / due)] ?? 'USED'));

interface MadeConnection {
  readonly index: number;
  readonly id: string;
  readonly scopeId: string;
  readonly subject: string;
  readonly provider: ProviderName;
  readonly registrationId: RegistrationId;
  readonly role: Role;
  readonly status: string;
  readonly createdMs: number;
  readonly principal: string;
}

const STATUS: Readonly<Record<Role, string>> = {
  LOST: 'DISCONNECTED',
  REVOKING: 'DISCONNECTED',
  HELD: 'SUSPENDED',
  TENDED: 'CONNECTED',
  OLD_PROFILE: 'CONNECTED',
  RECONNECTING: 'RECONNECT_REQUIRED',
  USED: 'CONNECTED',
};

function makeConnection(world: Omit<World, 'connection' | 'turn'> & { role: Role }, index: number): MadeConnection {
  const { madeUp, connections, nowMs, registrations, role } = world;
  // Every other person has accounts at two providers, except if a revoke would affect siblings.
  const person = role === 'USED' ? index - (index % 4 === 3 ? 1 : 0) : index;
  const provider = PROVIDER_NAMES[index % PROVIDER_NAMES.length] ?? 'PROVIDER_A';
  return {
    index,
    id: madeUp.id('connection', index),
    scopeId: madeUp.id('scope', person),
    subject: `person-${person}`,
    provider,
    registrationId: registrations[provider],
    role,
    status: STATUS[role],
    createdMs: Math.floor(nowMs - YEAR + (index / connections) * (YEAR - 2 * DAY)),
    principal: `account-${index}`,
  };
}

function* connectionsOf(world: World): Generator<MadeConnection> {
  for (let index = 0; index < world.connections; index += 1) yield world.connection(index);
}

function* indexes(count: number): Generator<number> {
  for (let index = 0; index < count; index += 1) yield index;
}

const at = (ms: number) => new Date(ms);
/** Spreads instants between `now - toMs` and `now - fromMs`, in order of time. */
const over = (world: World, index: number, count: number, fromMs: number, toMs: number) =>
  at(world.nowMs - toMs + Math.floor((index / Math.max(1, count)) * (toMs - fromMs)));
const correlation = (world: World, kind: string, index: number) => world.madeUp.id(`correlation ${kind}`, index);
const some = (values: readonly string[]) => `{${values.join(',')}}`;

interface Table {
  readonly columns: readonly string[];
  made(world: World): Iterable<readonly Cell[]> | AsyncIterable<readonly Cell[]>;
}

const scopes: Table = {
  columns: ['scope_id', 'app_id', 'tenant_key', 'external_subject_id'],
  *made(world) {
    let last = '';
    for (const { scopeId, subject } of connectionsOf(world)) {
      if (scopeId !== last) yield [scopeId, world.appId, TENANT, subject];
      last = scopeId;
    }
    for (const index of indexes(attemptsOf(world)))
      yield [attemptScope(world, index), world.appId, TENANT, `visitor-${index}`];
    for (const index of indexes(world.due)) yield [deadScope(world, index), world.appId, TENANT, `left-${index}`];
  },
};

const CAPABILITY_STATES = CAPABILITIES.map((capability) => ({ capability, availability: 'AVAILABLE', reason: null }));

const connections: Table = {
  columns: [
    'connection_id',
    'scope_id',
    'app_id',
    'provider',
    'registration_id',
    'provider_account_id',
    'status',
    'sync_status',
    'capabilities',
    'profile',
    'profile_observed_at',
    'last_successful_sync_at',
    'upkeep_due_at',
    'created_at',
    'changed_at',
  ],
  *made(world) {
    const { nowMs, madeUp } = world;
    for (const one of connectionsOf(world)) {
      const { index, role } = one;
      const isGone = role === 'LOST' || role === 'REVOKING';
      const profileMs = nowMs - (role === 'OLD_PROFILE' ? 31 * DAY : HOUR + madeUp.number('profile', index, 22 * DAY));
      const upkeepMs = role === 'TENDED' ? nowMs - MINUTE - madeUp.number('upkeep', index, HOUR) : profileMs + 32 * DAY;
      const changedMs =
        role === 'HELD' ? nowMs - HOUR - madeUp.number('held', index, HOUR) : Math.max(one.createdMs, nowMs - 9 * DAY);
      yield [
        one.id,
        one.scopeId,
        world.appId,
        one.provider,
        one.registrationId,
        one.principal,
        one.status,
        isGone ? 'READY' : (['READY', 'READY', 'READY', 'PARTIAL', 'FAILED'][index % 5] ?? 'READY'),
        { json: CAPABILITY_STATES },
        isGone
          ? null
          : {
              json: {
                displayName: `Person ${index}`,
                handle: `person${index}`,
                avatarUrl: `https://platform.example/avatars/${index}.jpg`,
                profileUrl: `https://platform.example/person${index}`,
                description: 'Boats, mostly small ones, and what the harbour looks like in the morning.',
              },
            },
        isGone ? null : at(profileMs),
        isGone ? null : at(nowMs - madeUp.number('synced', index, 26 * HOUR)),
        isGone ? null : at(upkeepMs),
        at(one.createdMs),
        at(changedMs),
      ];
    }
  },
};

const GRANT_COLUMNS = [
  'grant_id',
  'attempt_id',
  'scope_id',
  'provider',
  'registration_id',
  'connection_id',
  'status',
  'principal_mac',
  'account_macs',
  'permissions',
  'sealed_tokens',
  'access_expires_at',
  'refresh_expires_at',
  'generation',
  'obtained_at',
];

/** How many tokens it seals concurrently. */
const SEALED_AT_ONCE = 200;

const grants: Table = {
  columns: GRANT_COLUMNS,
  async *made(world) {
    const { nowMs, madeUp, keys } = world;
    for (let from = 0; from < world.connections; from += SEALED_AT_ONCE) {
      const part = [...indexes(Math.min(SEALED_AT_ONCE, world.connections - from))].map((offset) =>
        world.connection(from + offset),
      );
      const sealed = await Promise.all(
        part.map(({ index, role }) =>
          role === 'RECONNECTING'
            ? null
            : keys.sealGrant(tokensOf(index), associatedData.tokens(madeUp.id('grant', index))),
        ),
      );
      for (const [offset, one] of part.entries()) {
        const { index, role } = one;
        const isDead = role === 'RECONNECTING';
        const isGone = role === 'LOST' || role === 'REVOKING';
        const principal = keys.mac.of('principal', one.registrationId, one.principal).toString('hex');
        const account = keys.mac.of('account', one.registrationId, one.principal).toString('hex');
        yield [
          madeUp.id('grant', index),
          madeUp.id('grant attempt', index),
          one.scopeId,
          one.provider,
          one.registrationId,
          one.id,
          isDead ? 'DEAD' : isGone ? 'REVOKING' : 'LIVE',
          { hex: principal },
          `{"\\\\x${account}"}`,
          some(['profile.read', 'content.read']),
          sealed[offset] ?? null,
          at(nowMs + madeUp.number('access', index, 2 * HOUR)),
          at(nowMs + 60 * DAY + madeUp.number('refresh', index, 200 * DAY)),
          1 + madeUp.number('generation', index, 300),
          at(one.createdMs),
        ];
      }
    }
    for (const index of indexes(world.due)) {
      const { provider, registrationId } = world.connection(index);
      yield [
        madeUp.id('dead grant', index),
        madeUp.id('dead grant attempt', index),
        deadScope(world, index),
        provider,
        registrationId,
        null,
        'DEAD',
        null,
        '{}',
        some(['profile.read']),
        null,
        null,
        null,
        1,
        over(world, index, world.due, 8 * DAY, 9 * DAY),
      ];
    }
  },
};

const tokensOf = (index: number) =>
  JSON.stringify({ accessToken: `access-${index}`, refreshToken: `refresh-${index}` });
const deadScope = (world: World, index: number) => world.madeUp.id('dead scope', index);

/** The attempts of the last day, with readable results, and older ones to delete. */
const attemptsOf = ({ connections, due }: FillSizes) => Math.ceil(connections / 100) + 2 * due;
const attemptScope = (world: World, index: number) => world.madeUp.id('attempt scope', index);

const attempts: Table = {
  columns: [
    'attempt_id',
    'scope_id',
    'app_id',
    'provider',
    'registration_id',
    'capabilities',
    'return_url',
    'status',
    'result_code',
    'launch_token_sha256',
    'state_sha256',
    'browser_sha256',
    'correlation_id',
    'created_at',
    'expires_at',
    'result_expires_at',
    'finished_at',
  ],
  *made(world) {
    const { due, madeUp } = world;
    const count = attemptsOf(world);
    for (const index of indexes(count)) {
      const { provider, registrationId } = world.connection(index % world.connections);
      // First the attempts with unreadable results, then those that lost their workflows, then the others of the last day.
      const created =
        index < due
          ? over(world, index, due, 25 * HOUR, 26 * HOUR)
          : index < 2 * due
            ? over(world, index - due, due, HOUR, 20 * HOUR)
            : over(world, index - 2 * due, count - 2 * due, MINUTE, 23 * HOUR);
      const isLost = index >= due && index < 2 * due;
      const status = isLost ? 'AUTHORIZING' : (['DENIED', 'FAILED', 'EXPIRED', 'CANCELED'][index % 4] ?? 'FAILED');
      const launched = isLost || index % 4 !== 2;
      yield [
        madeUp.id('attempt', index),
        attemptScope(world, index),
        world.appId,
        provider,
        registrationId,
        some(['PROFILE', 'CONTENT_LIST']),
        RETURN_URL,
        status,
        isLost
          ? null
          : ({ DENIED: 'ACCESS_DENIED', FAILED: 'EXCHANGE_FAILED', EXPIRED: 'EXPIRED' }[status] ?? 'CANCELED'),
        { hex: madeUp.bytes('launch', index, 32) },
        launched ? { hex: madeUp.bytes('state', index, 32) } : null,
        launched ? { hex: madeUp.bytes('browser', index, 32) } : null,
        correlation(world, 'attempt', index),
        created,
        at(created.getTime() + 10 * MINUTE),
        at(created.getTime() + DAY),
        isLost ? null : at(created.getTime() + 5 * MINUTE),
      ];
    }
  },
};

const KINDS = ['VIDEO', 'IMAGE', 'CAROUSEL'] as const;

const posts: Table = {
  columns: [
    'content_item_id',
    'connection_id',
    'provider_content_id',
    'kind',
    'canonical_url',
    'thumbnail_url',
    'title',
    'description',
    'published_at',
    'availability',
    'reason',
    'metrics',
    'metrics_observed_at',
    'observed_at',
    'blanked_at',
  ],
  *made(world) {
    const { nowMs, madeUp, due } = world;
    for (const index of indexes(world.posts)) {
      const owner = world.turn(index);
      const connectionId = madeUp.id('connection', owner);
      const publishedMs = Math.floor(nowMs - YEAR + (index / world.posts) * YEAR);
      const id = madeUp.id('post', index);
      // Posts of the last half year have all their data; older posts have only their ids.
      if (publishedMs < nowMs - YEAR / 2) {
        const observedMs = publishedMs + 10 * DAY;
        yield [
          id,
          connectionId,
          `post-${index}`,
          'UNKNOWN',
          null,
          null,
          null,
          null,
          null,
          'UNAVAILABLE',
          'EXPIRED',
          '[]',
          null,
          at(observedMs),
          at(observedMs + 30 * DAY),
        ];
        continue;
      }
      const isDue = index - Math.ceil(world.posts / 2) < due;
      const observed = at(
        isDue
          ? nowMs - 30 * DAY - HOUR - madeUp.number('due post', index, DAY)
          : nowMs - madeUp.number('observed', index, 29 * DAY),
      );
      yield [
        id,
        connectionId,
        `post-${index}`,
        KINDS[index % 3] ?? 'VIDEO',
        `https://platform.example/posts/${index}`,
        `https://platform.example/posts/${index}/thumbnail.jpg`,
        `A boat in the harbour, number ${index}`,
        'Seen from the pier this morning: small boats, big gulls, and somebody who has to paint a hull before it rains.',
        at(publishedMs),
        'AVAILABLE',
        null,
        { json: metricsOf(madeUp, index) },
        observed,
        observed,
        null,
      ];
    }
  },
};

const metricsOf = (madeUp: MadeUp, index: number) =>
  (['VIEWS', 'LIKES', 'COMMENTS', 'SHARES'] as const).map((name, place) => ({
    name,
    value: name === 'SHARES' ? null : String(madeUp.number(name, index, 10 ** (6 - place))),
    availability: name === 'SHARES' ? 'UNSUPPORTED' : 'AVAILABLE',
    reason: name === 'SHARES' ? 'NOT_OFFERED' : null,
    sourceField: name === 'SHARES' ? null : `${name.toLowerCase()}Count`,
  }));

const coverage: Table = {
  columns: ['coverage_id', 'connection_id', 'published', 'scanned_at'],
  *made(world) {
    const { madeUp, due } = world;
    const range = (fromMs: number, toMs: number) => `[${at(fromMs).toISOString()},${at(toMs).toISOString()})`;
    for (const index of indexes(due)) {
      const scannedMs = over(world, index, due, 30 * DAY + HOUR, 32 * DAY).getTime();
      const { id } = world.connection(world.turn(index));
      yield [madeUp.id('old coverage', index), id, range(scannedMs - 7 * DAY, scannedMs), at(scannedMs)];
    }
    for (const index of indexes(world.connections)) {
      const { id, role } = world.connection(world.turn(index));
      if (role === 'LOST' || role === 'REVOKING') continue;
      const scannedMs = over(world, index, world.connections, MINUTE, 26 * HOUR).getTime();
      yield [madeUp.id('coverage', index), id, range(scannedMs - 7 * DAY, scannedMs), at(scannedMs)];
    }
  },
};

const readJobs: Table = {
  columns: [
    'job_id',
    'kind',
    'connection_id',
    'app_id',
    'provider',
    'requested_by',
    'status',
    'published_after',
    'published_before',
    'window_omitted',
    'max_items',
    'provider_content_id',
    'item_count',
    'reached_end',
    'tries',
    'last_failure',
    'first_failed_at',
    'next_retry_at',
    'error_code',
    'correlation_id',
    'created_at',
    'started_at',
    'finished_at',
  ],
  *made(world) {
    const { nowMs, madeUp, due, jobs } = world;
    const live = (index: number) => {
      for (let turn = index; ; turn += 1) {
        const one = world.connection(world.turn(turn));
        if (one.status !== 'DISCONNECTED') return one;
      }
    };
    const finished = world.connections + due;
    for (const index of indexes(finished)) {
      // First the jobs past their retention, then those of a week, one in ten of them failed.
      const ended =
        index < due
          ? over(world, index, due, 7 * DAY + HOUR, 8 * DAY)
          : over(world, index - due, world.connections, MINUTE, 7 * DAY);
      const one = live(index);
      const hasFailed = index % 10 === 9;
      const createdMs = ended.getTime() - 20 * SECOND;
      yield [
        madeUp.id('job', index),
        'SCAN',
        one.id,
        world.appId,
        one.provider,
        index % 3 === 0 ? 'SERVICE' : 'CALLER',
        hasFailed ? 'FAILED' : 'SUCCEEDED',
        at(createdMs - 7 * DAY),
        at(createdMs),
        true,
        100,
        null,
        hasFailed ? 0 : 3,
        !hasFailed,
        0,
        null,
        null,
        null,
        hasFailed ? 'PROVIDER_UNAVAILABLE' : null,
        correlation(world, 'job', index),
        at(createdMs),
        at(createdMs + SECOND),
        ended,
      ];
    }
    for (const index of indexes(jobs + due)) {
      const isLost = index < due;
      const one = live(index);
      const created = isLost ? over(world, index, due, HOUR, 5 * HOUR) : over(world, index - due, jobs, 0, 50 * MINUTE);
      const isWaiting = !isLost && index % 4 !== 0;
      const [retryMs, isNew] = [nowMs + MINUTE + madeUp.number('retry', index, 14 * MINUTE), !isLost && !isWaiting];
      yield [
        madeUp.id('open job', index),
        'METRICS',
        one.id,
        world.appId,
        one.provider,
        'SERVICE',
        isNew ? 'QUEUED' : 'RUNNING',
        null,
        null,
        false,
        null,
        `post-${index}`,
        0,
        false,
        isWaiting ? 3 : 0,
        isWaiting ? 'PROVIDER_UNAVAILABLE' : null,
        isWaiting ? created : null,
        isWaiting ? at(retryMs) : null,
        null,
        correlation(world, 'open job', index),
        isNew ? at(nowMs) : created,
        isNew ? null : created,
        null,
      ];
    }
  },
};

const disconnectJobs: Table = {
  columns: [
    'job_id',
    'kind',
    'status',
    'connection_id',
    'grant_id',
    'app_id',
    'provider',
    'registration_id',
    'scope_mac',
    'scope_id',
    'principal_mac',
    'tries',
    'last_failure',
    'first_failed_at',
    'next_retry_at',
    'give_up_at',
    'awaits_revoke',
    'correlation_id',
    'created_at',
    'started_at',
    'finished_at',
  ],
  *made(world) {
    const { nowMs, madeUp, due, keys } = world;
    // The receipts of a year of disconnects, by week: first those past their retention.
    const receipts = Math.ceil(world.connections / 50);
    for (const index of indexes(Math.ceil(due / 2) + receipts)) {
      const isOld = index < due / 2;
      const created = isOld
        ? over(world, index, due / 2, 7 * DAY + HOUR, 8 * DAY)
        : over(world, index, receipts, HOUR, 6.9 * DAY);
      const { provider, registrationId } = world.connection(index % world.connections);
      const scopeMac = { hex: madeUp.bytes('gone scope', index, 32) };
      for (const kind of ['REVOKE', 'ERASE']) {
        yield [
          madeUp.id(`receipt ${kind}`, index),
          kind,
          'SUCCEEDED',
          madeUp.id('gone connection', index),
          null,
          world.appId,
          provider,
          registrationId,
          scopeMac,
          madeUp.id('gone scope', index),
          null,
          0,
          null,
          null,
          null,
          kind === 'REVOKE' ? at(created.getTime() + 3 * DAY) : null,
          false,
          correlation(world, 'receipt', index),
          created,
          created,
          at(created.getTime() + MINUTE),
        ];
      }
    }
    for (const one of connectionsOf(world)) {
      if (one.status !== 'DISCONNECTED') continue;
      const { index } = one;
      const isLost = one.role === 'LOST';
      const createdMs = nowMs - HOUR - madeUp.number('disconnected', index, isLost ? HOUR : 40 * HOUR);
      const scopeMac = keys.mac.of(
        ...buildReceiptParts(world.appId, { tenantKey: TENANT, externalSubjectId: one.subject }),
      );
      const principalMac = keys.mac.of('principal', one.registrationId, one.principal);
      for (const kind of ['REVOKE', 'ERASE']) {
        const isRevoke = kind === 'REVOKE';
        const isTried = isRevoke && !isLost;
        yield [
          madeUp.id(`release ${kind}`, index),
          kind,
          'RUNNING',
          one.id,
          isRevoke ? madeUp.id('grant', index) : null,
          world.appId,
          one.provider,
          one.registrationId,
          { hex: scopeMac.toString('hex') },
          one.scopeId,
          { hex: principalMac.toString('hex') },
          isTried ? 12 : 0,
          isTried ? 'PROVIDER_UNAVAILABLE' : null,
          isTried ? at(createdMs) : null,
          isTried ? at(nowMs + MINUTE + madeUp.number('revoke retry', index, 58 * MINUTE)) : null,
          isRevoke ? at(createdMs + 3 * DAY) : null,
          !isRevoke,
          correlation(world, 'release', index),
          at(createdMs),
          at(createdMs),
          null,
        ];
      }
    }
  },
};

const auditLog: Table = {
  columns: ['happened_at', 'actor', 'action', 'target', 'outcome', 'correlation_id', 'related'],
  *made(world) {
    const count = Math.ceil(world.connections / 20);
    for (const index of indexes(count)) {
      const { id } = world.connection(world.turn(index));
      yield [
        over(world, index, count, 0, YEAR),
        'cli',
        index % 5 === 0 ? 'retryJob' : 'disconnectConnection',
        id,
        'OK',
        correlation(world, 'audit', index),
        some([world.madeUp.id('job', index)]),
      ];
    }
  },
};

const journalEntries: Table = {
  columns: ['entry_id', 'kind', 'id', 'happened_at'],
  *made(world) {
    for (const index of indexes(world.due)) {
      yield [
        world.madeUp.id('entry', index),
        'GRANT',
        world.madeUp.id('dead grant', index),
        over(world, index, world.due, 90 * DAY + HOUR, 91 * DAY),
      ];
    }
  },
};

const usage: Table = {
  columns: ['registration_id', 'day', 'app_id', 'calls'],
  *made(world) {
    for (const index of indexes(365)) {
      for (const provider of PROVIDER_NAMES) {
        const day = at(world.nowMs - (364 - index) * DAY)
          .toISOString()
          .slice(0, 10);
        yield [world.registrations[provider], day, world.appId, world.madeUp.number('calls', index, 9_000)];
      }
    }
  },
};

/** The tables in order: each refers only to earlier ones. */
const TABLES: Readonly<Record<string, Table>> = {
  scope: scopes,
  connection: connections,
  account_grant: grants,
  connect_attempt: attempts,
  content_item: posts,
  coverage,
  read_job: readJobs,
  disconnect_job: disconnectJobs,
  audit_log: auditLog,
  journal_entry: journalEntries,
  registration_usage: usage,
};
