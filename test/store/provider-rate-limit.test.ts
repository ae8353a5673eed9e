import { expect } from 'vitest';
import type { ProviderName } from '../../src/basics/codes.ts';
import { asWorker, type Database, test } from '../kit/postgres.ts';
import { clearSlots, takeSlot } from '../kit/slots.ts';

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

test('a guaranteed share is bounded, so that the others keep theirs: when all else is spent, a revoke starts within a second', async ({
  sql,
}) => {
  // And the other way round: a mass of revokes leaves a person's exchange its slot.
  for (const [mass, one] of [['CONNECTS', 'GRANTS'] as const, ['GRANTS', 'CONNECTS'] as const]) {
    const { take, exhaust } = await open(sql, 'PROVIDER_A', 10);
    await exhaust(null);
    expect(await exhaust(mass)).toBeGreaterThan(1);
    const slot = await take(one);
    expect(slot.taken).toBe(true);
    expect(slot.waitSeconds).toBeLessThan(1);
  }
});
