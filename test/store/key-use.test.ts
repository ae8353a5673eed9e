import { describe, expect, vi } from 'vitest';
import { createKeyUse } from '../../src/api/graphql/key-use.ts';
import { type KeyId, newId } from '../../src/basics/ids.ts';
import { createLog } from '../../src/basics/log.ts';
import { findKey, updateKeyLastUse } from '../../src/store/apps/keys.ts';
import type { Database } from '../../src/store/driver/sql.ts';
import { businessNow, HOUR_MS, moveClock } from '../kit/clock.ts';
import { AUTHORIZATION, KEY_ID, startService } from '../kit/graphql-service.ts';
import { asApi, test } from '../kit/postgres.ts';
import { at, seedApp } from '../kit/seed.ts';

const QUIET = createLog('silent');
const lastUse = async (sql: Database, keyId: KeyId) => (await findKey(asApi(sql), keyId))?.lastUsedAt ?? null;

describe('the last use of a key', () => {
  test('is stored once an hour, with the rights of the api', async ({ sql }) => {
    const { keyId } = await seedApp(sql);
    const use = createKeyUse((keyIds) => updateKeyLastUse(asApi(sql), keyIds), QUIET, { batchMs: 1, freshMs: 0 });
    expect(await lastUse(sql, keyId)).toBeNull();
    use.note(keyId);
    await use.close();
    const first = await lastUse(sql, keyId);
    expect(first).toBeInstanceOf(Date);
    await moveClock(sql, HOUR_MS / 2);
    use.note(keyId); // Another process, which does not know that it was written.
    await use.close();
    expect(await lastUse(sql, keyId)).toEqual(first);
    await moveClock(sql, HOUR_MS / 2);
    use.note(keyId);
    await use.close();
    expect((await lastUse(sql, keyId))?.getTime()).toBeGreaterThanOrEqual(Number(first?.getTime()) + HOUR_MS);
  });

  test('is stored for several keys at a time, of each after an hour, and of no other', async ({ sql }) => {
    const [one, two, other] = [await seedApp(sql), await seedApp(sql), await seedApp(sql)];
    const now = await businessNow(sql);
    const use = (ms: number, ...keyIds: KeyId[]) => at(sql, now, ms, () => updateKeyLastUse(asApi(sql), keyIds));
    await use(0, one.keyId);
    await use(1, one.keyId, two.keyId);
    const uses = async () =>
      (await Promise.all([one, two, other].map(({ keyId }) => lastUse(sql, keyId)))).map((date) =>
        date === null ? null : date.getTime() - now.getTime(),
      );
    expect(await uses()).toEqual([0, 1, null]);
    await use(HOUR_MS, one.keyId, two.keyId);
    expect(await uses()).toEqual([HOUR_MS, 1, null]);
  });

  test('is written in one batch for many requests and keys', async () => {
    const write = vi.fn(async () => {});
    const use = createKeyUse(write, QUIET, { batchMs: 5 });
    const keyIds = [newId<KeyId>(), newId<KeyId>()];
    for (let i = 0; i < 100; i += 1) for (const keyId of keyIds) use.note(keyId);
    await vi.waitFor(() => expect(write).toHaveBeenCalled());
    for (const keyId of keyIds) use.note(keyId);
    await use.close();
    expect(write.mock.calls).toEqual([[keyIds]]);
  });

  test('is noted again after it could not be written', async () => {
    const write = vi.fn(async () => {}).mockRejectedValueOnce(new Error('down'));
    const use = createKeyUse(write, QUIET);
    const keyId = newId<KeyId>();
    use.note(keyId);
    await use.close();
    use.note(keyId);
    await use.close();
    expect(write.mock.calls).toEqual([[[keyId]], [[keyId]]]);
  });

  test('waits for no transaction that holds the row', async ({ sql }) => {
    const { keyId } = await seedApp(sql);
    await sql.begin(async (tx) => {
      await tx`select from app_key where key_id = ${keyId} for update`;
      await updateKeyLastUse(asApi(sql), [keyId]);
    });
    expect(await lastUse(sql, keyId)).toBeNull();
  });

  test('is that of a request with a valid key, and of no other', async () => {
    const noteUse = vi.fn<(keyId: KeyId) => void>();
    const service = await startService({ noteUse });
    try {
      await service.ask('{ integrationReadiness { idpIdentityAvailable } }', {
        headers: { authorization: AUTHORIZATION.replace(/.$/, '0') },
      });
      expect(noteUse).not.toHaveBeenCalled();
      await service.ask('{ integrationReadiness { idpIdentityAvailable } }');
      expect(noteUse.mock.calls).toEqual([[KEY_ID]]);
    } finally {
      await service.close();
    }
  });
});
