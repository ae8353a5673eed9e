import { expect } from 'vitest';
import type { CliDeps } from '../../src/cli/command.ts';
import { COMMANDS } from '../../src/cli/commands.ts';
import { test } from '../kit/postgres.ts';
import { seedApp } from '../kit/seed.ts';

test('a daily quota is accepted only for a provider that counts units by the day', async ({ database: { sql } }) => {
  const { registrations } = await seedApp(sql);
  const set = async (registration: string, units: string) =>
    await COMMANDS['registration quota']?.run({ registration, units }, { sql } as CliDeps);
  for (const provider of ['PROVIDER_B', 'PROVIDER_C'] as const) {
    for (const units of ['5', 'default']) {
      await expect(set(registrations[provider], units)).rejects.toMatchObject({
        code: 'BAD_USER_INPUT',
        message: `--units cannot be set: ${provider} has no daily quota.`,
      });
    }
  }
  await set(registrations.PROVIDER_A, '5');
  const stored = await sql`
    select daily_quota from registration where registration_id = any(${Object.values(registrations)}::uuid[])
      and daily_quota is not null
  `;
  expect(stored).toEqual([{ dailyQuota: 5 }]);
});
