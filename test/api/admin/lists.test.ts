import { describe, expect } from 'vitest';
import { type Answer, useAdmin, useApp } from '../../kit/operator.ts';
import { test } from '../../kit/postgres.ts';
import { seedConnection, seedLookups } from '../../kit/seed.ts';

/** Reads the list of jobs to its end, page by page. The models of `test/store/lists.test.ts` have the filters of all lists. */
async function readJobs(filter: object) {
  const ids: string[] = [];
  let after: string | null = null;
  do {
    const page: Answer = await operator.run(
      'jobs',
      { filter, first: 3, after },
      'items { id } pageInfo { endCursor hasNextPage }',
    );
    ids.push(...page.items.map(({ id }: Answer) => id));
    after = page.pageInfo.hasNextPage ? page.pageInfo.endCursor : null;
  } while (after !== null);
  return ids;
}

const { operator } = useAdmin();
const seeded = useApp();

const idsOf = (jobs: readonly Record<string, unknown>[]) => jobs.map(({ jobId }) => jobId);

describe('a paged list', () => {
  test('has every job of both tables once, newest first', async ({ sql }) => {
    const connectionId = await seedConnection(sql, seeded, { scope: seeded.newScope() });
    const other = await seedConnection(sql, seeded, { scope: seeded.newScope() });
    await seedLookups(sql, seeded, connectionId, 6);
    const disconnect = 'mutation ($id: ID!) { disconnectConnection(id: $id) { id } }';
    await operator(disconnect, { id: other });
    await seedLookups(sql, seeded, connectionId, 2);
    const rows = await sql`
      select job_id from admin_job where app_id = ${seeded.app.appId} order by created_at desc, job_id desc
    `;
    expect(rows).toHaveLength(10);
    const expected = idsOf(rows);
    const appId = seeded.app.appId;
    expect(await readJobs({ appId })).toEqual(expected);
    expect(await readJobs({ appId: 'nonsense' })).toEqual([]);

    await sql`
      update read_job set tries = 1, last_failure = 'INTERNAL',
        first_failed_at = created_at - interval '1 hour' + (hashtext(job_id::text) % 1000) * interval '1 second'
      where app_id = ${appId}
    `;
    const stuck =
      await sql`select job_id from admin_job where app_id = ${appId} and stuck order by stuck_since, job_id`;
    expect(await readJobs({ appId, stuck: true })).toEqual(idsOf(stuck));
  });
});
