import { describe, expect, test, vi } from 'vitest';
import { createKeyUse } from '../../../src/api/graphql/key-use.ts';
import { type KeyId, newId } from '../../../src/basics/ids.ts';
import { createLog } from '../../../src/basics/log.ts';
import { AUTHORIZATION, KEY_ID, startService } from '../../kit/graphql-service.ts';

const QUIET = createLog('silent');

describe('the last use of a key', () => {
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
