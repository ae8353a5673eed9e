import { describe, expect } from 'vitest';
import { createMac } from '../../../src/vault/mac.ts';
import { callerOf, createDeps, refusalOf } from '../../kit/caller.ts';
import { type Database, test } from '../../kit/postgres.ts';
import { seedApp, seedConnection } from '../../kit/seed.ts';

/** A revoke's receipt, and the service that reads it with these keys. */
async function open(sql: Database) {
  const seeded = await seedApp(sql);
  const { deps } = await createDeps(sql);
  const scope = seeded.newScope();
  const connectionId = await seedConnection(sql, seeded, { scope });
  const { revokeJobId: id } = await callerOf({ deps }, seeded)('disconnectConnection', { scope, connectionId });
  const kept = deps.config.VAULT_MAC_KEYS.keys;
  const readWith = (keys = kept) =>
    callerOf({ deps: { ...deps, mac: createMac({ keys }) } }, seeded)('syncJob', { scope, connectionId, id });
  return { id, kept, readWith };
}

describe('syncJob of a receipt', () => {
  test('finds it by the hash of an older key while that key is kept', async ({ sql }) => {
    const { id, kept, readWith } = await open(sql);
    const fresh = { kid: 'dev-mac-2', kty: 'oct', k: Buffer.alloc(32, 7).toString('base64url') } as (typeof kept)[0];
    await expect(readWith([fresh, ...kept])).resolves.toMatchObject({ id });
    expect((await refusalOf(readWith([fresh]))).code).toBe('NOT_FOUND');
  });

  test('does not show a compensating revoke', async ({ sql }) => {
    const { id, readWith } = await open(sql);
    await sql`update disconnect_job set kind = 'COMPENSATION', run = 1 where job_id = ${id}`;
    expect((await refusalOf(readWith())).code).toBe('NOT_FOUND');
  });
});
