import { expect, onTestFinished, vi } from 'vitest';
import { startTestApi } from '../../kit/api.ts';
import { test } from '../../kit/postgres.ts';
import { seedApp } from '../../kit/seed.ts';

const ID = '0192f000-0000-7000-8000-000000000000'; // Of nothing.
const refresh = (n: number) => `r${n}: requestRefresh(scope: $scope, connectionId: $id) { id }`;
const job = (n: number) => `j${n}: syncJob(scope: $scope, connectionId: $id, id: $id) { id }`;
const eight = (field: (n: number) => string) => Array.from({ length: 8 }, (_, n) => field(n)).join(' ');

test.for([
  {
    requests: 'mutations',
    query: `mutation ($scope: SubjectScope!, $id: ID!) { ${eight(refresh)} }`,
    least: 2,
    most: 2,
  },
  // Reads of one kind share two statements. If they hang for a second, a third one takes all reads that wait.
  { requests: 'queries', query: `query ($scope: SubjectScope!, $id: ID!) { ${eight(job)} }`, least: 1, most: 3 },
])(
  'one app never occupies all database connections, however many fields its $requests have',
  async ({ query, least, most }, { database }) => {
    const { sql, url } = database;
    const api = await startTestApi(url, { DATABASE_POOL_SIZE: '4' });
    onTestFinished(() => api.close());
    const [greedy, other] = [await seedApp(sql), await seedApp(sql)];
    const ask = async (key: string, query: string, variables: object = {}) => {
      const response = await fetch(`http://127.0.0.1:${api.port}/graphql`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', authorization: `Bearer ${key}` },
        body: JSON.stringify({ query, variables }),
      });
      return (await response.json()) as { data?: unknown; errors?: { extensions: { code: string } }[] };
    };
    const waiting = async () => {
      const rows = await sql`
      select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'
    `;
      return rows.length;
    };

    const holder = await sql.reserve();
    await holder`begin`;
    await holder`lock table connection, read_job, disconnect_job in access exclusive mode`;
    const asked = Array.from({ length: 6 }, () => ask(greedy.key, query, { scope: greedy.newScope(), id: ID }));
    try {
      await vi.waitFor(async () => expect(await waiting()).toBeGreaterThanOrEqual(least));
      const answer = await ask(other.key, '{ integrationReadiness { idpIdentityAvailable } }');
      expect(answer.errors).toBeUndefined();
      expect(await waiting()).toBeLessThanOrEqual(most);
    } finally {
      await holder`rollback`;
      holder.release();
    }
    for (const { errors } of await Promise.all(asked)) {
      expect(errors?.map(({ extensions }) => extensions.code)).toEqual(['NOT_FOUND']); // The first error covers all fields.
    }
  },
);
