import { expect } from 'vitest';
import { startTestApi } from '../../kit/api.ts';
import { test } from '../../kit/postgres.ts';
import { seedApp } from '../../kit/seed.ts';

test("a key's last use is exact to the minute", async ({ database: { sql, url } }) => {
  const [used, other] = [await seedApp(sql), await seedApp(sql)];
  const setAge = (seconds: number) => sql`
    update app_key set last_used_at = business_now() - make_interval(secs => ${seconds})
    where key_id in (${used.keyId}, ${other.keyId})
  `;
  const ageAfterUse = async () => {
    const api = await startTestApi(url);
    const body = JSON.stringify({ query: '{ integrationReadiness { idpIdentityAvailable } }' });
    const headers = { 'content-type': 'application/json', authorization: `Bearer ${used.key}` };
    expect((await fetch(`http://127.0.0.1:${api.port}/graphql`, { method: 'POST', headers, body })).status).toBe(200);
    await api.close();
    const rows = await sql`
      select extract(epoch from business_now() - last_used_at)::int as age from app_key
      where key_id in (${used.keyId}, ${other.keyId}) order by key_id = ${other.keyId}
    `;
    return rows.map(({ age }) => (age === null ? null : Math.floor(age / 10)));
  };
  expect(await ageAfterUse()).toEqual([0, null]);
  await setAge(51);
  expect(await ageAfterUse()).toEqual([5, 5]);
  await setAge(61);
  expect(await ageAfterUse()).toEqual([0, 6]);
});
