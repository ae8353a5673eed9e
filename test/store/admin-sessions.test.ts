import { randomBytes } from 'node:crypto';
import { expect } from 'vitest';
import type { Database } from '../../src/store/driver/sql.ts';
import {
  findAdminToken,
  findUsableSession,
  insertAdminSession,
  insertAdminToken,
  listAdminTokens,
  revokeAdminToken,
} from '../../src/store/operators/admin-tokens.ts';
import { businessNow, DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '../kit/clock.ts';
import { asApi, test } from '../kit/postgres.ts';
import { at } from '../kit/seed.ts';

const insertToken = async (sql: Database, expiresAt: Date, openidSub: string | null = null) =>
  (await insertAdminToken(sql, { label: 'on-call', role: 'VIEWER', expiresAt, openidSub })).tokenId;

/** A token, and its session. */
async function start(sql: Database, expiresAt: Date, options: { openidSub?: string; isProven?: boolean } = {}) {
  const sessionSha256 = randomBytes(32);
  const tokenId = await insertToken(sql, expiresAt, options.openidSub ?? null);
  await insertAdminSession(asApi(sql), { tokenId, sessionSha256, isProven: options.isProven ?? true });
  return { tokenId, sessionSha256 };
}

test('tokens are listed newest first, those of sessions while their session is active', async ({ sql }) => {
  const now = await businessNow(sql);
  const tomorrow = new Date(now.getTime() + DAY_MS);
  const from = (ms: number) => new Date(now.getTime() + ms);
  const names = new Map<string, string>();
  const make = async (name: string, createdMs: number, expiresAt = tomorrow, openidSub: string | null = null) => {
    const tokenId = await insertToken(sql, expiresAt, openidSub);
    await sql`update admin_token set created_at = ${from(createdMs)} where token_id = ${tokenId}`;
    names.set(tokenId, name);
    return tokenId;
  };
  const issued = async (name: string, createdMs: number, usedMs: number, startedMs: number) => {
    const tokenId = await make(name, createdMs, tomorrow, `sub of ${name}`);
    await sql`
      insert into admin_session (session_sha256, token_id, created_at, last_used_at)
      values (${randomBytes(32)}, ${tokenId}, ${from(startedMs)}, ${from(usedMs)})
    `;
    return tokenId;
  };
  const twins = [await make('first twin', -10), await make('second twin', -10), await make('third twin', -10)];
  for (const [index, tokenId] of twins.sort().entries()) names.set(tokenId, `twin ${index + 1}`);
  await make('oldest', -HOUR_MS);
  await make('newest', -1);
  await make('ends next', -20, from(1));
  await make('ends now', -20, now);
  await revokeAdminToken(sql, await make('revoked', -30));
  await make('issued without a session', -40, tomorrow, 'sub of nobody');
  await issued('in use', -50, -30 * MINUTE_MS + 1, -8 * HOUR_MS + 1);
  await issued('idle', -50, -30 * MINUTE_MS, -HOUR_MS);
  await issued('8 hours old', -50, -1, -8 * HOUR_MS);
  await revokeAdminToken(sql, await issued('issued and revoked', -50, -1, -HOUR_MS));
  const listed = await at(sql, now, 0, () => listAdminTokens(asApi(sql)));
  expect(listed.flatMap(({ tokenId }) => names.get(tokenId) ?? [])).toEqual([
    ...['newest', 'twin 1', 'twin 2', 'twin 3', 'ends next', 'revoked', 'in use', 'oldest'],
  ]);
});

test('a token is usable until it expires or is revoked, once', async ({ sql }) => {
  const now = await businessNow(sql);
  const [tokenId, other] = [
    await insertToken(sql, new Date(now.getTime() + HOUR_MS)),
    await insertToken(sql, new Date(now.getTime() + DAY_MS)),
  ];
  const isUsable = (ms: number) => at(sql, now, ms, async () => (await findAdminToken(sql, tokenId))?.usable);
  expect([await isUsable(HOUR_MS - 1), await isUsable(HOUR_MS)]).toEqual([true, false]);
  const revoke = (ms: number) => at(sql, now, ms, () => revokeAdminToken(asApi(sql), tokenId));
  expect([(await revoke(1))?.revokedAt, await revoke(2)]).toEqual([new Date(now.getTime() + 1), undefined]);
  expect(await isUsable(3)).toBe(false);
  expect(await findAdminToken(sql, tokenId)).toMatchObject({ revokedAt: new Date(now.getTime() + 1) });
  expect(await findAdminToken(sql, other)).toMatchObject({ usable: true, revokedAt: null });
});

test('a session is found while it is active, and is fresh for five minutes after a proof', async ({ sql }) => {
  const now = await businessNow(sql);
  const tomorrow = new Date(now.getTime() + DAY_MS);
  const [proven, unproven, idle] = await at(sql, now, 0, async () => [
    await start(sql, tomorrow),
    await start(sql, tomorrow, { isProven: false }),
    await start(sql, tomorrow),
  ]);
  const find = (ms: number, session = proven) =>
    at(sql, now, ms, async () => (await findUsableSession(asApi(sql), session?.sessionSha256 as Buffer))?.fresh);
  const usedAt = async (session = proven) => {
    const [row] = await sql`
      select last_used_at from admin_session where session_sha256 = ${session?.sessionSha256 as Buffer}
    `;
    return Number(row?.lastUsedAt) - now.getTime();
  };
  expect([await find(0), await find(0, unproven)]).toEqual([true, false]);
  expect([await find(MINUTE_MS - 1), await usedAt()]).toEqual([true, 0]);
  expect([await find(MINUTE_MS), await usedAt()]).toEqual([true, MINUTE_MS]);
  expect([await find(90 * SECOND_MS), await usedAt()]).toEqual([true, MINUTE_MS]);
  expect([await find(5 * MINUTE_MS - 1), await find(5 * MINUTE_MS)]).toEqual([true, false]);
  expect(await usedAt(idle)).toBe(0);
  expect([await find(30 * MINUTE_MS - 1, idle), await find(30 * MINUTE_MS, unproven)]).toEqual([false, undefined]);
  expect(await find(30 * MINUTE_MS - 1, proven)).toBe(false);
});
