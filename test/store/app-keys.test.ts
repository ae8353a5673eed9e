import { describe, expect } from 'vitest';
import { type AppId, type KeyId, newId } from '../../src/basics/ids.ts';
import { findKey, findKeyOwner, insertKey, issueKey, revokeKey, updateKeyLabel } from '../../src/store/apps/keys.ts';
import { beside } from '../kit/beside.ts';
import { businessNow, HOUR_MS, moveClock } from '../kit/clock.ts';
import { asApi, test } from '../kit/postgres.ts';
import { seedApp } from '../kit/seed.ts';

describe('the keys of an app', () => {
  const issue = { expiresAt: null, label: null };

  test('are two at most, also if two are added at the same time', async ({ sql }) => {
    const { app } = await seedApp(sql);
    const api = asApi(sql);
    const add = () =>
      issueKey(api, app.appId, null).then(
        () => 'added',
        ({ code }) => code,
      );
    const { waited, result } = await beside(sql, (tx) => insertKey(tx, app.appId, issue), add);
    expect([waited, result]).toEqual([true, 'BAD_USER_INPUT']);
  });

  test('count while they are neither revoked nor expired', async ({ sql }) => {
    const { app, keyId } = await seedApp(sql);
    const api = asApi(sql);
    const expiresAt = new Date((await businessNow(sql)).getTime() + HOUR_MS);
    const second = await issueKey(api, app.appId, expiresAt, 'short');
    expect(await findKey(api, second.keyId)).toMatchObject({
      appId: app.appId,
      label: 'short',
      expiresAt,
      active: true,
    });
    await expect(issueKey(api, app.appId, null)).rejects.toMatchObject({ code: 'BAD_USER_INPUT' });
    await moveClock(sql, HOUR_MS);
    expect(await findKey(api, second.keyId)).toMatchObject({ active: false, revokedAt: null, lastUsedAt: null });
    const third = await issueKey(api, app.appId, null);
    expect(await revokeKey(api, keyId)).toBe(true);
    expect(await revokeKey(api, keyId)).toBe(false);
    expect(await findKey(api, keyId)).toMatchObject({ active: false, revokedAt: expect.any(Date) });
    await issueKey(api, app.appId, null);
    expect(await updateKeyLabel(api, third.keyId, 'main')).toBe(true);
    expect(await findKey(api, third.keyId)).toMatchObject({ label: 'main', active: true });
    await expect(issueKey(api, newId<AppId>(), null)).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });
});

test('the owner of a key is its app; the key is usable until it expires or is revoked', async ({ sql }) => {
  const { app, keyId } = await seedApp(sql);
  const api = asApi(sql);
  const expiresAt = new Date((await businessNow(sql)).getTime() + HOUR_MS);
  const { keyId: shortId } = await issueKey(api, app.appId, expiresAt);
  const find = async (id: KeyId) => await findKeyOwner(api, id);
  for (const id of [keyId, shortId]) expect(await find(id)).toMatchObject({ ...app, usable: true });
  await moveClock(sql, HOUR_MS - 60_000);
  expect(await find(shortId)).toMatchObject({ usable: true });
  await moveClock(sql, 60_000);
  expect(await find(shortId)).toMatchObject({ ...app, usable: false });
  await revokeKey(api, keyId);
  expect(await find(keyId)).toMatchObject({ ...app, usable: false });
  expect(await find(newId<KeyId>())).toBeUndefined();
});
