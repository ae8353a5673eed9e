import { randomBytes } from 'node:crypto';
import postgres from 'postgres';
import { describe, expect } from 'vitest';
import type { ConnectionId } from '../../../src/basics/ids.ts';
import { callerOf, createDeps } from '../../kit/caller.ts';
import { type Database, test } from '../../kit/postgres.ts';
import { seedApp, seedConnection } from '../../kit/seed.ts';

async function start(sql: Database, options: { suspendSiblings?: boolean } = {}) {
  const seeded = await seedApp(sql);
  const kit = await createDeps(sql, options);
  const call = callerOf(kit, seeded);
  const scope = seeded.newScope();
  const disconnect = (connectionId: string) => call('disconnectConnection', { scope, connectionId });
  return { seeded, kit, call, scope, disconnect };
}

const statusOf = async (sql: Database, connectionId: ConnectionId) => {
  const [row] = await sql`select status from connection where connection_id = ${connectionId}`;
  return row?.status;
};

describe('disconnectConnection with suspended siblings', () => {
  test('cuts access although a login of accounts_readonly holds the lock of the account', async ({
    database: { sql, url },
  }) => {
    const { seeded, scope, disconnect } = await start(sql, { suspendSiblings: true });
    const principalMac = randomBytes(32);
    const leaving = await seedConnection(sql, seeded, { scope, principalMac });
    const samePrincipal = await seedConnection(sql, seeded, { scope: seeded.newScope(), principalMac });
    const other = await seedConnection(sql, seeded, { scope: seeded.newScope() });
    const reader = postgres(url, { max: 1, onnotice: () => undefined });
    try {
      await reader`set role accounts_readonly`;
      const key = `principal:${principalMac.toString('hex')}`;
      await reader`select pg_advisory_lock(hashtextextended(${key}, 0))`;
      expect(await disconnect(leaving)).toMatchObject({ accepted: true });
      expect(await statusOf(sql, leaving)).toBe('DISCONNECTED');
      expect(await statusOf(sql, samePrincipal)).toBe('SUSPENDED');
      expect(await statusOf(sql, other)).toBe('CONNECTED');
    } finally {
      await reader.end();
    }
  });

  test('lets two connections that suspend each other disconnect at the same time', async ({ sql }) => {
    const kit = await createDeps(sql, { suspendSiblings: true });
    const seeded = await seedApp(sql);
    const call = callerOf(kit, seeded);
    for (let round = 0; round < 10; round += 1) {
      const principalMac = randomBytes(32);
      const scopes = Array.from({ length: 4 }, () => seeded.newScope());
      const connections = await Promise.all(
        [...scopes, ...scopes].map(async (scope) => ({
          scope,
          id: await seedConnection(sql, seeded, { scope, principalMac }),
        })),
      );
      await Promise.all(connections.map(({ scope, id }) => call('disconnectConnection', { scope, connectionId: id })));
      for (const { id } of connections) expect(await statusOf(sql, id)).toBe('DISCONNECTED');
    }
  });
});
