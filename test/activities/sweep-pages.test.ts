import { describe, expect } from 'vitest';
import { runRound, type Step } from '../../src/activities/sweep-round.ts';
import { createLog } from '../../src/basics/log.ts';
import { listDueRefreshes } from '../../src/store/connections/automatic-refresh.ts';
import { listDueUpkeep } from '../../src/store/connections/upkeep.ts';
import type { Database, Sql } from '../../src/store/driver/sql.ts';
import type { Due, DuePage } from '../../src/store/due.ts';
import { listOverdueDisconnectJobs, listOverdueReadJobs } from '../../src/store/overdue.ts';
import { openExplained } from '../kit/plans.ts';
import { test as postgresTest } from '../kit/postgres.ts';
import { type SeededApp, seedApp, seedScope } from '../kit/seed.ts';

const MANY = 50_000;
const PAGE = 200;
/** Of one statement, so that a busy machine inserts them in time. */
const TOGETHER = 5_000;

/** Two apps at one registration. */
interface World {
  readonly busy: SeededApp;
  readonly quiet: SeededApp;
  readonly registrationId: SeededApp['registrations']['PROVIDER_B'];
}

const test = postgresTest.extend<{ sql: Database; world: World }>({
  sql: async ({ database }, use) => {
    await database.sql`truncate outbox, read_job, disconnect_job, connection cascade`;
    await use(database.sql);
  },
  world: async ({ sql }, use) => {
    const [busy, quiet] = [await seedApp(sql), await seedApp(sql)];
    await use({ busy, quiet, registrationId: busy.registrations.PROVIDER_B });
  },
});

/** Inserts connections that are due for everything, the oldest since a day. */
async function addConnections(sql: Database, app: SeededApp, { registrationId }: World, count: number) {
  const scopeId = await seedScope(sql, app, app.newScope());
  for (let from = 1; from <= count; from += TOGETHER) {
    await sql`
      insert into connection (connection_id, scope_id, app_id, provider, registration_id, provider_account_id, status,
        capabilities, upkeep_due_at, refresh_due_at)
      select gen_random_uuid(), ${scopeId}, ${app.app.appId}, 'PROVIDER_B', ${registrationId}, n::text, 'CONNECTED',
        '[{ "capability": "CONTENT_LIST" }]', business_now() - (${count} - n + 1) * interval '1 second',
        business_now() - (${count} - n + 1) * interval '1 second'
      from generate_series(${from}::int, ${Math.min(count, from + TOGETHER - 1)}::int) n
    `;
  }
}

async function addReadJobs(sql: Database, app: SeededApp, world: World, count: number) {
  await addConnections(sql, app, world, 1);
  await sql`
    insert into read_job (job_id, kind, connection_id, app_id, provider, requested_by, provider_content_id, correlation_id,
      created_at)
    select gen_random_uuid(), 'METRICS', connection_id, app_id, provider, 'SERVICE', n::text, gen_random_uuid(),
      business_now() - interval '1 hour' - (${count} - n) * interval '1 second'
    from connection, generate_series(1, ${count}::int) n where app_id = ${app.app.appId}
  `;
}

async function addDisconnectJobs(sql: Database, app: SeededApp, { registrationId }: World, count: number) {
  await sql`
    insert into disconnect_job (job_id, kind, connection_id, app_id, provider, registration_id, correlation_id, created_at)
    select gen_random_uuid(), 'REVOKE', gen_random_uuid(), ${app.app.appId}, 'PROVIDER_B', ${registrationId},
      gen_random_uuid(), business_now() - interval '1 hour' - (${count} - n) * interval '1 second'
    from generate_series(1, ${count}::int) n
  `;
}

const KINDS = [
  {
    name: 'upkeep',
    add: addConnections,
    list: (sql: Sql, _world: World, page: DuePage) => listDueUpkeep(sql, 'PROVIDER_B', page),
  },
  {
    name: 'automatic refreshes',
    add: addConnections,
    list: (sql: Sql, { registrationId }: World, { limit }: DuePage) => listDueRefreshes(sql, registrationId, limit),
  },
  {
    name: 'read jobs',
    add: addReadJobs,
    list: (sql: Sql, _world: World, page: DuePage) => listOverdueReadJobs(sql, page),
  },
  {
    name: 'disconnects',
    add: addDisconnectJobs,
    list: (sql: Sql, _world: World, page: DuePage) => listOverdueDisconnectJobs(sql, page),
  },
] as const;

describe('a sweep over 50,000 due rows', () => {
  test.for(KINDS)(
    'takes the longest due ones, and reads no more than a page: $name',
    {
      timeout: 120_000,
    },
    async ({ add, list }, { sql, world, database }) => {
      await add(sql, world.busy, world, MANY);
      await sql`analyze connection, read_job, disconnect_job`; // All that autoanalyze has seen: one app.
      await add(sql, world.quiet, world, 1);
      const explained = openExplained(database.url, { poolSize: 1 });
      try {
        let due: readonly Due[] = [];
        const statements = await explained.statementsOf(async () => {
          // So often that Postgres may keep one plan for all values.
          for (let times = 0; times < 7; times += 1)
            due = await list(explained.sql, world, { after: null, limit: PAGE });
        });
        expect(due).toHaveLength(PAGE);
        expect(due).toEqual(due.toSorted((a, b) => a.dueAt.getTime() - b.dueAt.getTime()));
        const touched = statements.reduce((sum, statement) => sum + statement.touched, 0);
        expect(touched).toBeLessThanOrEqual(7 * (2 * PAGE + 20));
      } finally {
        await explained.sql.end();
      }
    },
  );

  test('handles each row once, also those that stay due, and continues behind rows that fail', async ({
    sql,
    world,
  }) => {
    await addDisconnectJobs(sql, world.busy, world, 90);
    await addDisconnectJobs(sql, world.quiet, world, 15);
    const seen: string[] = [];
    const step = (handle: (row: Due) => void): Step => ({
      batch: 10,
      list: (page) => listOverdueDisconnectJobs(sql, page),
      handle: async (rows) => {
        rows.forEach(handle);
        return { done: rows.length, errors: [], seen: rows.length, isHopeless: false };
      },
    });
    const options = { withinMs: 60_000, signal: new AbortController().signal, log: createLog('silent') };
    const noted = step(({ id }) => void seen.push(id));
    await runRound({ disconnectJobs: noted }, { ...options, positions: {} });
    expect(seen).toHaveLength(105);
    expect(new Set(seen).size).toBe(105);

    const failing: Step = {
      ...noted,
      handle: async (rows) => ({ done: 0, errors: [new Error('away')], seen: rows.length, isHopeless: true }),
    };
    const { positions } = await runRound({ disconnectJobs: failing }, { ...options, positions: {} });
    const first = seen.splice(0).slice(0, 10);
    expect(positions.disconnectJobs).toMatchObject({ id: first.at(-1) });
    await runRound({ disconnectJobs: noted }, { ...options, positions });
    expect(seen).toHaveLength(95);
    expect(first.some((id) => seen.includes(id))).toBe(false);
  });
});
