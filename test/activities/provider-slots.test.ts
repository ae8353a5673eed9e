import { expect, vi } from 'vitest';
import type { Deps } from '../../src/activities/deps.ts';
import { createProviderQueues, type QueueName } from '../../src/activities/provider-queue.ts';
import { createRateLimitedCall } from '../../src/activities/provider-rate-limit.ts';
import { forEachProvider } from '../../src/basics/codes.ts';
import { newId, type RegistrationId } from '../../src/basics/ids.ts';
import { asWorker, type Database, test } from '../kit/postgres.ts';
import { setNextSlot } from '../kit/slots.ts';
import { holdPauses } from './pauses.ts';

const provider = 'PROVIDER_B';

/** Sends a request of a step at its slot. */
function admit(database: Database, queue: QueueName, cannotWait: boolean) {
  const sql = asWorker(database);
  const callsPerSecond = forEachProvider(() => 10);
  const deps = { sql, facts: {}, callsPerSecond, providerQueues: createProviderQueues(sql, callsPerSecond) };
  const caller = { provider, registrationId: newId<RegistrationId>(), appId: null, purpose: { for: 'PROBE' } } as const;
  const call = createRateLimitedCall(deps as unknown as Deps, caller, queue, new AbortController().signal);
  return call.admit({ quotaUnits: 0, cannotWait });
}

test.for([
  [12, 11, 12],
  [40, 30, 30],
] as const)('a request that cannot wait goes before its slot in %d seconds after 30', async (row, { sql }) => {
  const [slotIn, least, most] = row;
  await setNextSlot(sql, provider, slotIn);
  const { left, end } = holdPauses();
  const admitted = admit(sql, 'CONNECTS', true);
  // Other work of the process pauses, too, but never for so long.
  const pauseMs = await vi.waitUntil(() => left().find((ms) => ms > 1_000), { interval: 5 });
  expect(pauseMs).toBeGreaterThanOrEqual(least * 1_000);
  expect(pauseMs).toBeLessThanOrEqual(most * 1_000);
  end(pauseMs);
  await admitted;
});
