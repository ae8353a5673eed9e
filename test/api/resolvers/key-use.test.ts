import { expect } from 'vitest';
import { createKeyUse } from '../../../src/api/graphql/key-use.ts';
import { createLog } from '../../../src/basics/log.ts';
import { updateKeyLastUse } from '../../../src/store/apps/keys.ts';
import { test } from '../../kit/postgres.ts';
import { seedApp } from '../../kit/seed.ts';

test("a key's last use is exact to the minute", async ({ sql }) => {
  const [used, other] = [(await seedApp(sql)).keyId, (await seedApp(sql)).keyId] as const;
  const setAge = (seconds: number) =>
    sql`
      update app_key set last_used_at = business_now() - make_interval(secs => ${seconds}) where key_id in (${used}, ${other})`;
  const ageAfterUse = async () => {
    const use = createKeyUse((keyIds) => updateKeyLastUse(sql, keyIds), createLog('silent'));
    use.note(used);
    await use.close();
    const rows = await sql`
      select extract(epoch from business_now() - last_used_at)::int as age from app_key where key_id in (${used}, ${other})
      order by key_id = ${other}`;
    return rows.map(({ age }) => (age === null ? null : Math.floor(age / 10)));
  };
  expect(await ageAfterUse()).toEqual([0, null]);
  await setAge(52);
  expect(await ageAfterUse()).toEqual([5, 5]);
  await setAge(62);
  expect(await ageAfterUse()).toEqual([0, 6]);
});
