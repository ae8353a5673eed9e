import { expect, vi } from 'vitest';
import { createKeyUse } from '../../../src/api/graphql/key-use.ts';
import { createLog } from '../../../src/basics/log.ts';
import { updateKeyLastUse } from '../../../src/store/apps/keys.ts';
import { test } from '../../kit/postgres.ts';
import { seedApp } from '../../kit/seed.ts';

test("a key's last use is exact to the minute, for each process and for all of them together", async ({ sql }) => {
  const [used, other] = [(await seedApp(sql)).keyId, (await seedApp(sql)).keyId] as const;
  const readAge = async (keyId: string) => {
    const [row] =
      await sql`select extract(epoch from business_now() - last_used_at)::float8 as age from app_key where key_id = ${keyId}`;
    return row?.age as number | null;
  };
  const setAge = (seconds: number) =>
    sql`
      update app_key set last_used_at = business_now() - make_interval(secs => ${seconds}) where key_id in (${used}, ${other})`;
  const note = async () => {
    const write = vi.fn((keyIds: readonly (typeof used)[]) => updateKeyLastUse(sql, keyIds));
    const use = createKeyUse(write, createLog('silent'));
    use.note(used);
    use.note(used);
    await use.close();
    use.note(used);
    await use.close();
    expect(write).toHaveBeenCalledTimes(1);
  };
  await note();
  expect(await readAge(used)).toBeLessThan(30);
  expect(await readAge(other)).toBeNull();
  await setAge(50);
  await note();
  expect(await readAge(used)).toBeGreaterThanOrEqual(50);
  await setAge(61);
  await note();
  expect(await readAge(used)).toBeLessThan(30);
  expect(await readAge(other)).toBeGreaterThanOrEqual(61);
});
