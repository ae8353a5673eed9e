import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect } from 'vitest';
import { ROOT } from '../../local/src/services.ts';
import { tokenExpiry } from '../../src/domain/rules/input-rules.ts';
import { insertAdminToken } from '../../src/store/operators/admin-tokens.ts';
import { test } from '../kit/postgres.ts';

const DAY_MS = 86_400_000;
const inDays = (days: number) => new Date(Date.now() + days * DAY_MS);
const MIGRATION = readFileSync(path.join(ROOT, 'migrations', '0011_admin_token_life.sql'), 'utf8');

test('an admin token lives 90 days at most', async ({ database: { sql } }) => {
  expect(tokenExpiry.safeParse(inDays(89)).success).toBe(true);
  expect(tokenExpiry.safeParse(inDays(91)).error?.issues[0]?.message).toBe('must be at most 90 days from now');
  const token = { label: 'on-call', role: 'VIEWER' as const };
  await insertAdminToken(sql, { ...token, expiresAt: inDays(90) });
  await expect(insertAdminToken(sql, { ...token, expiresAt: inDays(92) })).rejects.toThrow('admin_token_life');

  // The migration shortens those of before, and no others.
  const undone = new Error('Undone.');
  const upgrade = sql.begin(async (tx) => {
    await tx`alter table admin_token drop constraint admin_token_life`;
    const { tokenId: long } = await insertAdminToken(tx, { ...token, expiresAt: new Date('2099-01-01') });
    const { tokenId: brief } = await insertAdminToken(tx, { ...token, expiresAt: inDays(7) });
    await tx.unsafe(MIGRATION);
    const lives = await tx`
      select round(extract(epoch from expires_at - created_at) / 86400)::int as days from admin_token
      where token_id in (${long}, ${brief}) order by days
    `;
    expect(lives.map(({ days }) => days)).toEqual([7, 90]);
    throw undone;
  });
  await expect(upgrade).rejects.toBe(undone);
});
