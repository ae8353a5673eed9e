import { randomBytes } from 'node:crypto';
import { describe, expect } from 'vitest';
import { createMac, type Mac } from '../../../src/vault/mac.ts';
import { callerOf, createDeps } from '../../kit/caller.ts';
import type { Answer } from '../../kit/graphql.ts';
import { type Database, test } from '../../kit/postgres.ts';
import { seedApp, seedConnection, seedContent } from '../../kit/seed.ts';

const NEWEST = Date.parse('2030-01-08T00:00:00Z');
const WINDOW = { publishedAfter: '2030-01-01T00:00:00Z', publishedBefore: '2030-01-09T00:00:00Z' };
const REFUSED = { code: 'BAD_USER_INPUT' };

const newKey = (kid: string) => ({ kid, kty: 'oct', k: randomBytes(32).toString('base64url') });
const macOf = (...keys: ReturnType<typeof newKey>[]): Mac => createMac({ keys } as Parameters<typeof createMac>[0]);

async function open(sql: Database) {
  const seeded = await seedApp(sql);
  const { deps } = await createDeps(sql);
  const scope = seeded.newScope();
  const connectionId = await seedConnection(sql, seeded, { scope });
  /** The service with these keys. */
  const keyed = (mac: Mac) => {
    const call = callerOf({ deps: { ...deps, mac } }, seeded);
    return {
      call,
      connections: (variables: object = {}): Promise<Answer> => call('connections', { scope, ...variables }),
      content: (window: object = {}, id = connectionId): Promise<Answer> =>
        call('content', { scope, connectionId: id, window: { ...WINDOW, first: 2, ...window } }),
      refresh: (variables: object): Promise<Answer> => call('requestRefresh', { scope, connectionId, ...variables }),
      job: (id: string): Promise<Answer> => call('syncJob', { scope, connectionId, id }),
    };
  };
  return { seeded, deps, scope, connectionId, keyed };
}

describe('a cursor', () => {
  test('remains valid after a key rotation, until its key is removed', async ({ sql }) => {
    const { connectionId, keyed } = await open(sql);
    for (let n = 0; n < 3; n += 1) await seedContent(sql, connectionId, { publishedAt: new Date(NEWEST - n) });
    const [old, fresh] = [newKey('old'), newKey('fresh')];
    const before = keyed(macOf(old));
    const during = keyed(macOf(fresh, old));
    const afterwards = keyed(macOf(fresh));
    const after = (await before.content()).pageInfo.endCursor;
    expect((await during.content({ after })).items).toHaveLength(1);
    await expect(afterwards.content({ after })).rejects.toMatchObject(REFUSED);
    const listed = (await before.connections({ first: 1 })).pageInfo.endCursor;
    expect((await during.connections({ after: listed })).items).toEqual([]);
    await expect(afterwards.connections({ after: listed })).rejects.toMatchObject(REFUSED);
  });
});
