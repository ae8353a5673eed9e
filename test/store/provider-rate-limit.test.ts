import { describe, expect } from 'vitest';
import type { ProviderName } from '../../src/basics/codes.ts';
import { Secret } from '../../src/basics/secret.ts';
import { asWorker, type Database, openDatabase, test } from '../kit/postgres.ts';
import { clearSlots, moveSlots, takeSlot } from '../kit/slots.ts';

type Share = Parameters<typeof takeSlot>[2]['share'];

/** Takes slots of one provider, of which none is taken at first. */
async function open(owner: Database, provider: ProviderName, callsPerSecond: number) {
  await clearSlots(owner, provider);
  const sql = asWorker(owner);
  const take = (share: Share, patienceSeconds: number | null = 20) =>
    takeSlot(sql, provider, { callsPerSecond, share, patienceSeconds });
  /** Takes slots until there is none. @returns how many it got. */
  const exhaust = async (share: Share) => {
    for (let taken = 0; ; taken += 1) if (!(await take(share)).taken) return taken;
  };
  return { take, exhaust };
}

describe('a guaranteed share', () => {
  test('is bounded, so that the others keep theirs: when all else is spent, a revoke starts within a second', async ({
    sql,
  }) => {
    const { take, exhaust } = await open(sql, 'PROVIDER_A', 10);
    await exhaust(null);
    expect(await exhaust('CONNECTS')).toBeGreaterThan(2);
    const revoke = await take('GRANTS');
    expect(revoke.taken).toBe(true);
    expect(revoke.waitSeconds).toBeLessThan(1);
    // And the other way round: a mass of revokes leaves a person's exchange its slot.
    await clearSlots(sql, 'PROVIDER_A');
    await exhaust(null);
    await exhaust('GRANTS');
    const exchange = await take('CONNECTS');
    expect(exchange.taken).toBe(true);
    expect(exchange.waitSeconds).toBeLessThan(1);
  });
});

test.for([5, 60, 400])('a clock that is set back by %i s moves the slots with it', async (seconds, { sql }) => {
  const { take, exhaust } = await open(sql, 'PROVIDER_B', 10);
  await exhaust(null);
  await take('GRANTS');
  await moveSlots(sql, 'PROVIDER_B', seconds);
  const refused = await take(null);
  // The next slot is as far away as it was: two slots at most.
  expect(refused.waitSeconds).toBeLessThanOrEqual(0.21);
  await expect.poll(async () => (await take(null)).taken, { interval: 20 }).toBe(true);
});

test('no process but the worker takes slots, and none changes them otherwise', async ({ database: { sql, urls } }) => {
  for (const login of ['api', 'maintenance', 'readonly'] as const) {
    const other = openDatabase(new Secret(urls[login]), { poolSize: 1, applicationName: 'tests' });
    const call = takeSlot(other, 'PROVIDER_A', { callsPerSecond: 1, share: null, patienceSeconds: null });
    await expect(call).rejects.toMatchObject({ code: '42501' });
    await expect(other`select from provider_rate_limit for update`).rejects.toMatchObject({ code: '42501' });
    await other.end();
  }
  const worker = asWorker(sql);
  await expect(worker`select setval('provider_a_slots', 1)`).rejects.toMatchObject({ code: '42501' });
  await expect(worker`select create_slots('PROVIDER_A')`).rejects.toMatchObject({ code: '42501' });
});
