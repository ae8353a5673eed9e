import { randomBytes, randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import { inTransaction } from '../../src/store/driver/sql.ts';
import {
  deleteAdminSession,
  findAdminToken,
  insertAdminSession,
  insertAdminToken,
  updateTokenLastUse,
} from '../../src/store/operators/admin-tokens.ts';
import {
  findIdempotentResult,
  insertIdempotencyKey,
  updateIdempotentResult,
} from '../../src/store/operators/idempotency.ts';
import { businessNow, MINUTE_MS } from '../kit/clock.ts';
import { asApi, test } from '../kit/postgres.ts';
import { at } from '../kit/seed.ts';

const DAY_MS = 86_400_000;
const inDays = (days: number) => new Date(Date.now() + days * DAY_MS);

test('an admin token lives 90 days at most', async ({ sql }) => {
  const token = { label: 'on-call', role: 'VIEWER' as const };
  await insertAdminToken(sql, { ...token, expiresAt: inDays(90) });
  await expect(insertAdminToken(sql, { ...token, expiresAt: inDays(92) })).rejects.toThrow('admin_token_life');
});

test('the last use of a token is stored once a minute, of that token', async ({ sql }) => {
  const insert = () => insertAdminToken(sql, { label: 'on-call', role: 'VIEWER', expiresAt: inDays(1) });
  const [{ tokenId }, other] = [await insert(), await insert()];
  const now = await businessNow(sql);
  const lastUse = async (id = tokenId) => (await findAdminToken(asApi(sql), id))?.lastUsedAt ?? null;
  const use = async (ms: number) => {
    await at(sql, now, ms, () => updateTokenLastUse(asApi(sql), tokenId));
    return Number(await lastUse()) - now.getTime();
  };
  expect([await use(0), await use(MINUTE_MS - 1), await use(MINUTE_MS)]).toEqual([0, 0, MINUTE_MS]);
  expect(await lastUse(other.tokenId)).toBeNull();
});

test('the end of a session revokes its token if an issuer knows the operator, and no other', async ({ sql }) => {
  const start = async (openidSub: string | null) => {
    const sessionSha256 = randomBytes(32);
    const { tokenId } = await insertAdminToken(sql, {
      label: 'on-call',
      role: 'VIEWER',
      expiresAt: inDays(1),
      openidSub,
    });
    await insertAdminSession(asApi(sql), { tokenId, sessionSha256, isProven: true });
    return { tokenId, sessionSha256 };
  };
  const [other, own, issued] = [await start('other'), await start(null), await start('own')];
  const isUsable = async ({ tokenId }: typeof own) => (await findAdminToken(asApi(sql), tokenId))?.usable;
  for (const session of [own, issued]) {
    expect((await deleteAdminSession(asApi(sql), session.sessionSha256))?.tokenId).toBe(session.tokenId);
    expect(await deleteAdminSession(asApi(sql), session.sessionSha256)).toBeUndefined();
  }
  expect([await isUsable(other), await isUsable(own), await isUsable(issued)]).toEqual([true, true, false]);
});

test('an idempotency key is taken for 24 hours, of its token', async ({ sql }) => {
  const insert = () => insertAdminToken(sql, { label: 'on-call', role: 'ADMIN', expiresAt: inDays(1) });
  const [{ tokenId }, other] = [await insert(), await insert()];
  const now = await businessNow(sql);
  const mac = randomBytes(32);
  const results = { key: randomUUID(), another: randomUUID(), other: randomUUID() };
  const reserve = (ms: number, id = tokenId, key: 'key' | 'another' = 'key') =>
    at(sql, now, ms, () =>
      inTransaction(asApi(sql), async (tx) => {
        const isFree = await insertIdempotencyKey(tx, { tokenId: id, key }, mac);
        if (isFree)
          await updateIdempotentResult(tx, { tokenId: id, key }, id === tokenId ? results[key] : results.other);
        return isFree;
      }),
    );
  expect([await reserve(0), await reserve(0, other.tokenId), await reserve(0, tokenId, 'another')]).toEqual([
    true,
    true,
    true,
  ]);
  const find = async (id: typeof tokenId, key: string) =>
    (await findIdempotentResult(asApi(sql), { tokenId: id, key }))?.resultId;
  expect([await find(tokenId, 'key'), await find(tokenId, 'another'), await find(other.tokenId, 'key')]).toEqual([
    results.key,
    results.another,
    results.other,
  ]);
  expect(await findIdempotentResult(asApi(sql), { tokenId, key: 'key' })).toMatchObject({ requestMac: mac });
  expect([await reserve(DAY_MS - 1), await reserve(DAY_MS)]).toEqual([false, true]);
});
