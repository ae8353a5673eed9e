import { expect, test } from 'vitest';
import { runFaults } from '../faults/run.ts';

/** `npm run test:faults` runs longer, with other seeds, and breaks connections as well. See docs/reliability.md. */
test('random flows under random faults keep every promise', async () => {
  const { figures, report } = await runFaults({
    seed: 'short',
    ms: 25_000,
    people: 6,
    faultEveryMs: 1_000,
    settleWithinMs: 15_000,
    withNetwork: false,
  });
  expect(figures.objections, report).toEqual([]);
  // Otherwise it proves nothing.
  expect(figures.requests).toBeGreaterThan(50);
  expect(Object.keys(figures.faults).length).toBeGreaterThan(5);
});
