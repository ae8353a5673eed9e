import { expect } from 'vitest';
import { insertAdminToken } from '../../src/store/operators/admin-tokens.ts';
import { test } from '../kit/postgres.ts';

const DAY_MS = 86_400_000;
const inDays = (days: number) => new Date(Date.now() + days * DAY_MS);

test('an admin token lives 90 days at most', async ({ sql }) => {
  const token = { label: 'on-call', role: 'VIEWER' as const };
  await insertAdminToken(sql, { ...token, expiresAt: inDays(90) });
  await expect(insertAdminToken(sql, { ...token, expiresAt: inDays(92) })).rejects.toThrow('admin_token_life');
});
