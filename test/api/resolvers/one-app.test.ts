import { expect, onTestFinished, vi } from 'vitest';
import { startApi } from '../../../src/api/main.ts';
import { readConfig } from '../../../src/config.ts';
import { makeKeys } from '../../../src/local/development-keys.ts';
import { createLog } from '../../../src/log.ts';
import { test } from '../../kit/postgres.ts';
import { seedApp } from '../../kit/seed.ts';

test('one app never occupies all database connections, however many fields its requests have', async ({ database }) => {
  const { sql, url } = database;
  const api = await startApi(
    readConfig('api', {
      ...(await makeKeys()),
      DEPLOYMENT: 'development',
      DATABASE_URL: url,
      DATABASE_POOL_SIZE: '4',
      CONNECT_URL: 'http://localhost:4000',
      API_PORT: '0',
    }),
    createLog('silent'),
  );
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

  const id = greedy.registrations.PROVIDER_A; // The id of no job.
  const fields = Array.from(
    { length: 8 },
    (_, n) => `j${n}: syncJob(scope: $scope, connectionId: $id, id: $id) { id }`,
  );
  const eightJobs = `query ($scope: SubjectScope!, $id: ID!) { ${fields.join(' ')} }`;
  const holder = await sql.reserve();
  await holder`begin`;
  await holder`lock table read_job, disconnect_job in access exclusive mode`;
  const asked = Array.from({ length: 6 }, () => ask(greedy.key, eightJobs, { scope: greedy.newScope(), id }));
  try {
    await vi.waitFor(async () => expect(await waiting()).toBeGreaterThanOrEqual(2));
    const answer = await ask(other.key, '{ integrationReadiness { idpIdentityAvailable } }');
    expect(answer.errors).toBeUndefined();
    expect(await waiting()).toBe(2);
  } finally {
    await holder`rollback`;
    holder.release();
  }
  for (const { errors } of await Promise.all(asked)) {
    expect(errors?.map(({ extensions }) => extensions.code)).toEqual(['NOT_FOUND']); // The first error covers all fields.
  }
});
