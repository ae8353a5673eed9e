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
