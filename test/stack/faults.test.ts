import { expect, test } from 'vitest';
import { runFaults } from '../faults/run.ts';

/** `npm run test:faults` runs longer, with other seeds, and breaks connections as well. See docs/reliability.md. */
test('random flows under random faults keep every promise', async () => {
  const { objections, requests, faults, report } = await runFaults({
    seed: 'short',
    ms: 25_000,
    people: 6,
    faultEveryMs: 1_000,
    settleWithinMs: 15_000,
    withNetwork: false,
  });
  expect(objections, report).toEqual([]);
  // Otherwise it proves nothing.
  expect(requests).toBeGreaterThan(50);
  expect(faults.size).toBeGreaterThan(5);
});
