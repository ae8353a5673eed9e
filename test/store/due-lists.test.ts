import { randomBytes, randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { expect } from 'vitest';
import { connectAttempts } from '../../src/store/attempts/attempts.ts';
import { identityAttempts } from '../../src/store/attempts/identity-attempts.ts';
import { listDueUpkeep } from '../../src/store/connections/upkeep.ts';
import type { Database } from '../../src/store/driver/sql.ts';
import type { Due, DuePage } from '../../src/store/due.ts';
import { listLateTokens } from '../../src/store/erasures/erasures.ts';
import { listExpiredGrants } from '../../src/store/grants/grant-end.ts';
import {
  listFinishedErasures,
  listOpenBulkDisconnects,
  listOrphanedGrants,
  listOverdueAttempts,
  listOverdueDisconnectJobs,
  listOverdueHolds,
  listOverdueIdentityAttempts,
  listOverdueReadJobs,
} from '../../src/store/overdue.ts';
import { listRejectedRegistrations } from '../../src/store/registrations/registrations.ts';
import { businessNow, SECOND_MS } from '../kit/clock.ts';
import { asWorker, test } from '../kit/postgres.ts';
import { freezeClock, releaseClock, type SeededApp, seedApp, seedConnection, seedScope } from '../kit/seed.ts';
import { seedAttempt, seedSignIn } from '../kit/seed-attempts.ts';
import { insertJob, insertRow } from '../kit/seed-jobs.ts';
import { withoutIndexes } from './explained.ts';
import { drawRows, oneOf } from './list-model.ts';

interface World {
  readonly sql: Database;
  readonly seeded: SeededApp;
  /** The instant so many seconds ago. */
  readonly ago: (seconds: number) => Date;
}
/** The same of perhaps no instant. */
const maybe = (ago: World['ago'], seconds: number | null) => (seconds === null ? null : ago(seconds));
type List = (sql: Database, page: DuePage) => Promise<readonly Due[]>;

/** Rows of a table, and the lists of those that are due. Times are in seconds before now. */
interface DueRows<Row> {
  readonly members: { [Name in keyof Row]: fc.Arbitrary<Row[Name]> };
  readonly insert: (row: Row, world: World) => Promise<string>;
  /** Each list, and since when it says a row is due: null if it is not. */
  readonly lists: readonly (readonly [List, (row: Row) => number | null])[];
}
const of = <Row>(rows: DueRows<Row>) => rows as unknown as DueRows<Record<string, never>>;

/** Around the minute and a half for which a row's own workflow may still act. */
const around = oneOf(-1, 0, 89.999, 90, 600, 600, 9_000);
const perhaps = fc.option(around);
const first = (...seconds: readonly (number | null)[]) => seconds.find((one) => one !== null) ?? 0;
const isOpen = (status: string) => status === 'QUEUED' || status === 'RUNNING';
const finish = (status: string) => ({ finishedAt: isOpen(status) ? null : new Date() });

const insertGrant = async ({ sql, seeded }: World, columns: { attemptId: string; [column: string]: unknown }) => {
  const common = { grantId: randomUUID(), provider: 'PROVIDER_B', permissions: ['read'] };
  await insertRow(sql, 'account_grant', { ...common, registrationId: seeded.registrations.PROVIDER_B, ...columns });
  return columns.attemptId;
};

const jobs = {
  status: oneOf('QUEUED', 'RUNNING', 'RUNNING', 'FAILED'),
  ...{ created: around, started: perhaps, next: perhaps, checked: perhaps, awaits: fc.boolean() },
};
type Job = { status: string; created: number; started: number | null; next: number | null; checked: number | null };
const jobColumns = ({ status, ...row }: Job, { ago }: World) => {
  const [startedAt, nextRetryAt, nextCheckAt] = [row.started, row.next, row.checked].map((at) => maybe(ago, at));
  return { status, createdAt: ago(row.created), startedAt, nextRetryAt, nextCheckAt, ...finish(status) };
};
const jobDue = ({ status, created, started, next, checked }: Job) => {
  const at = Math.min(first(next, started, created), checked ?? Number.POSITIVE_INFINITY);
  return isOpen(status) && at >= 90 ? at : null;
};

const KINDS = {
  'attempts to connect': of({
    members: { status: oneOf('CREATED', 'AUTHORIZING', 'EXCHANGING', 'EXCHANGING', 'CANCELED'), expired: around },
    insert: async ({ status, expired }, { sql, seeded, ago }) => {
      const { attemptId } = await seedAttempt(sql, seeded);
      const end = status === 'CANCELED' ? ago(0) : null;
      await sql`
        update connect_attempt set status = ${status}, expires_at = ${ago(expired)}, finished_at = ${end}
        where attempt_id = ${attemptId}
      `;
      return attemptId;
    },
    lists: [
      [listOverdueAttempts, ({ status, expired }) => (status === 'EXCHANGING' && expired >= 90 ? expired : null)],
      [
        connectAttempts.listUnanswered,
        ({ status, expired }) => (/CREATED|AUTHORIZING/.test(status) && expired >= 0 ? expired : null),
      ],
    ],
  }),
  'sign-ins': of({
    members: { stage: oneOf('CREATED', 'AUTHORIZING', 'EXCHANGING', 'EXCHANGING', 'DONE'), expired: around },
    insert: async ({ stage, expired }, { sql, seeded, ago }) => {
      const { attemptId } = await seedSignIn(sql, seeded);
      const [status, end] = stage === 'DONE' ? ['FAILED', ago(0)] : ['PENDING', null];
      await sql`
        update identity_attempt set status = ${status as string}, stage = ${stage}, expires_at = ${ago(expired)},
          finished_at = ${end as Date | null}
        where attempt_id = ${attemptId}
      `;
      return attemptId;
    },
    lists: [
      [listOverdueIdentityAttempts, ({ stage, expired }) => (stage === 'EXCHANGING' && expired >= 90 ? expired : null)],
      [
        identityAttempts.listUnanswered,
        ({ stage, expired }) => (/CREATED|AUTHORIZING/.test(stage) && expired >= 0 ? expired : null),
      ],
    ],
  }),
  'grants that no connection uses': of({
    members: { status: oneOf('PENDING', 'PENDING', 'REVOKING', 'DEAD'), obtained: around, expired: around },
    insert: async ({ status, obtained, expired }, world) => {
      const { attemptId, scopeId } = await seedAttempt(world.sql, world.seeded);
      await world.sql`update connect_attempt set expires_at = ${world.ago(expired)} where attempt_id = ${attemptId}`;
      const sealedTokens = status === 'DEAD' ? null : 'sealed';
      return await insertGrant(world, { attemptId, scopeId, status, obtainedAt: world.ago(obtained), sealedTokens });
    },
    lists: [
      [
        listOrphanedGrants,
        ({ status, obtained, expired }) => (status === 'PENDING' && obtained >= 90 && expired >= 90 ? obtained : null),
      ],
    ],
  }),
  reads: of({
    members: jobs,
    insert: async (row, world) => {
      const connectionId = await seedConnection(world.sql, world.seeded, { scope: world.seeded.newScope() });
      return await insertJob(world.sql, world.seeded, { kind: 'LOOKUP', connectionId, ...jobColumns(row, world) });
    },
    lists: [[listOverdueReadJobs, jobDue]],
  }),
  'revokes, and erases that no longer wait for one': of({
    members: jobs,
    insert: (row, world) =>
      insertJob(world.sql, world.seeded, { kind: 'ERASE', awaitsRevoke: row.awaits, ...jobColumns(row, world) }),
    lists: [[listOverdueDisconnectJobs, (row) => (row.awaits ? null : jobDue(row))]],
  }),
  'revokes whose person was erased': of({
    members: {
      status: oneOf('FAILED', 'FAILED', 'RUNNING'),
      ofErasure: fc.boolean(),
      keeps: fc.boolean(),
      created: around,
    },
    insert: ({ status, ofErasure, keeps, created }, { sql, seeded, ago }) =>
      insertJob(sql, seeded, {
        ...{ status, createdAt: ago(created), sealedTokens: keeps ? 'sealed' : null, ...finish(status) },
        erasureId: ofErasure ? randomUUID() : null,
      }),
    lists: [
      [
        listLateTokens,
        ({ status, ofErasure, keeps, created }) => (status === 'FAILED' && ofErasure && keeps ? created : null),
      ],
    ],
  }),
  'connections for upkeep': of({
    members: {
      status: oneOf('CONNECTED', 'CONNECTED', 'SUSPENDED', 'RECONNECT_REQUIRED'),
      ...{ provider: oneOf('PROVIDER_A', 'PROVIDER_B', 'PROVIDER_B'), due: perhaps },
    },
    insert: async ({ status, provider, due }, { sql, seeded, ago }) => {
      const id = await seedConnection(sql, seeded, { scope: seeded.newScope(), provider, status });
      await sql`update connection set upkeep_due_at = ${maybe(ago, due)} where connection_id = ${id}`;
      return id;
    },
    lists: [
      [
        (sql, page) => listDueUpkeep(sql, 'PROVIDER_B', page),
        ({ status, provider, due }) =>
          status === 'CONNECTED' && provider === 'PROVIDER_B' && due !== null && due >= 0 ? due : null,
      ],
    ],
  }),
  'grants whose refresh token expires': of({
    members: { status: oneOf('LIVE', 'LIVE', 'REVOKING'), expired: perhaps, claimed: perhaps },
    insert: async ({ status, expired, claimed }, { sql, seeded, ago }) => {
      const id = await seedConnection(sql, seeded, { scope: seeded.newScope() });
      await sql`
        update account_grant set status = ${status}, refresh_expires_at = ${maybe(ago, expired)},
          refresh_claim = ${claimed === null ? null : randomUUID()}, refresh_claimed_at = ${maybe(ago, claimed)}
        where connection_id = ${id}
      `;
      return id;
    },
    lists: [
      [
        listExpiredGrants,
        ({ status, expired, claimed }) =>
          status === 'LIVE' && expired !== null && expired >= 0 && (claimed ?? 90) >= 90 ? expired : null,
      ],
    ],
  }),
  'connections on hold': of({
    members: {
      status: oneOf('SUSPENDED', 'SUSPENDED', 'CONNECTED'),
      changed: around,
      beside: oneOf('nothing', 'scope', 'principal', 'another platform', 'a principal whose grant has ended'),
    },
    insert: async ({ status, changed, beside }, { sql, seeded, ago }) => {
      const [scope, principalMac] = [seeded.newScope(), randomBytes(32)];
      const id = await seedConnection(sql, seeded, { scope, status, principalMac });
      await sql`update connection set changed_at = ${ago(changed)} where connection_id = ${id}`;
      const disconnect = (options: object) =>
        seedConnection(sql, seeded, { scope: seeded.newScope(), status: 'DISCONNECTED', ...options });
      if (beside === 'scope') await disconnect({ scope });
      if (beside === 'another platform') await disconnect({ scope, provider: 'PROVIDER_A' });
      if (!beside.includes('principal')) return id;
      const other = await disconnect({ principalMac });
      if (beside !== 'principal')
        await sql`update account_grant set status = 'DEAD', sealed_tokens = null where connection_id = ${other}`;
      return id;
    },
    lists: [
      [
        listOverdueHolds,
        ({ status, changed, beside }) =>
          status === 'SUSPENDED' && changed >= 90 && beside !== 'scope' && beside !== 'principal' ? changed : null,
      ],
    ],
  }),
  'erasures that have left nothing': of({
    members: {
      left: oneOf('nothing', 'a connection', 'QUEUED', 'RUNNING', 'tokens', 'grant', 'exchange', 'late', 'answered'),
      ...{ isComplete: oneOf(false, false, true), requested: around },
    },
    insert: async ({ left, isComplete, requested }, world) => {
      const { sql, seeded, ago } = world;
      const [erasureId, scope] = [randomUUID(), seeded.newScope()];
      const scopeId = await seedScope(sql, seeded, scope);
      const connectionIds =
        left === 'a connection' ? [await seedConnection(sql, seeded, { scope, status: 'DELETING' })] : [];
      await sql`
        insert into erasure (erasure_id, app_id, scope_mac, connection_ids, requested_at, completed_at)
        values (${erasureId}, ${seeded.app.appId}, ${randomBytes(32)}, ${connectionIds}::uuid[], ${ago(requested)},
          ${isComplete ? ago(0) : null})
      `;
      await sql`update scope set erasure_id = ${erasureId} where scope_id = ${scopeId}`;
      if (isOpen(left)) await insertJob(sql, seeded, { status: left, erasureId });
      if (left === 'tokens')
        await insertJob(sql, seeded, { status: 'FAILED', sealedTokens: 'sealed', erasureId, ...finish('FAILED') });
      if (left === 'grant')
        await insertGrant(world, {
          attemptId: randomUUID(),
          scopeId,
          status: 'REVOKING',
          obtainedAt: ago(0),
          sealedTokens: 'sealed',
        });
      if (!['exchange', 'late', 'answered'].includes(left)) return erasureId;
      const { attemptId } = await seedAttempt(sql, seeded, { scopeId });
      await sql`
        update connect_attempt set exchange_claimed_at = ${ago(left === 'late' ? 90 : 89.999)} where attempt_id = ${attemptId}
      `;
      if (left === 'answered')
        await insertGrant(world, { attemptId, scopeId, status: 'DEAD', obtainedAt: ago(0), sealedTokens: null });
      return erasureId;
    },
    lists: [
      [
        listFinishedErasures,
        ({ left, isComplete, requested }) =>
          !isComplete && ['nothing', 'late', 'answered'].includes(left) ? requested : null,
      ],
    ],
  }),
  'clients that a platform refuses': of({
    members: { rejected: perhaps, probed: fc.option(oneOf(0, 49.999, 50, 90)) },
    insert: async ({ rejected, probed }, { sql, ago }) => {
      const registrationId = randomUUID();
      const client = {
        provider: 'PROVIDER_B',
        label: 'Client',
        clientId: registrationId,
        sealedClientSecret: 'sealed',
      };
      await insertRow(sql, 'registration', {
        ...{ ...client, registrationId, rejectedAt: maybe(ago, rejected), clientProbedAt: maybe(ago, probed) },
      });
      return registrationId;
    },
    lists: [
      [
        listRejectedRegistrations,
        ({ rejected, probed }) => (rejected !== null && (probed ?? 50) >= 50 ? (probed ?? rejected) : null),
      ],
    ],
  }),
  'bulk disconnects': of({
    members: { isFinished: fc.boolean(), started: around },
    insert: async ({ isFinished, started }, { sql, seeded, ago }) => {
      const bulkDisconnectId = randomUUID();
      const target = { appId: seeded.app.appId, tenantKey: bulkDisconnectId, total: 1, correlationId: randomUUID() };
      const times = { startedAt: ago(started), finishedAt: isFinished ? ago(0) : null };
      await insertRow(sql, 'bulk_disconnect', { bulkDisconnectId, ...target, ...times });
      return bulkDisconnectId;
    },
    lists: [[listOpenBulkDisconnects, ({ isFinished, started }) => (isFinished ? null : started)]],
  }),
};

/** Reads all pages. The list shows rows of others as well. */
async function readPages(list: (page: DuePage) => Promise<readonly Due[]>): Promise<Due[]> {
  const found: Due[] = [];
  for (let after: Due | null = null; ; ) {
    const page: readonly Due[] = await list({ after, limit: 4 });
    expect(page.length).toBeLessThanOrEqual(4);
    found.push(...page);
    after = page.at(-1) ?? null;
    if (after === null) return found;
  }
}

test.for(Object.entries(KINDS))(
  '%s are listed when they are due, the oldest first and each once',
  async ([, kind], { sql }) => {
    const now = await businessNow(sql);
    const world = {
      sql,
      seeded: await seedApp(sql),
      ago: (seconds: number) => new Date(now.getTime() - seconds * SECOND_MS),
    };
    const rows: { id: string; row: Record<string, never> }[] = [];
    for (const row of drawRows(36, kind.members)) rows.push({ id: await kind.insert(row, world), row });
    await freezeClock(sql, now);
    for (const [list, dueSince] of kind.lists) {
      const due = rows.flatMap(({ id, row }) => {
        const since = dueSince(row);
        return since === null ? [] : [{ id, dueAt: world.ago(since) }];
      });
      expect(due.length).toBeGreaterThan(2);
      due.sort((one, other) => one.dueAt.getTime() - other.dueAt.getTime() || (one.id < other.id ? -1 : 1));
      const found = await readPages((page) => withoutIndexes(asWorker(sql), (tx) => list(tx as never, page)));
      expect(new Set(found.map(({ id }) => id)).size).toBe(found.length);
      const own = found.filter(({ id }) => rows.some((one) => one.id === id));
      expect(own.map(({ id, dueAt }) => ({ id, dueAt }))).toEqual(due);
    }
    await releaseClock(sql);
  },
);
