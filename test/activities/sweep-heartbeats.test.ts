import { MockActivityEnvironment } from '@temporalio/testing';
import { DefaultLogger } from '@temporalio/worker';
import { expect, vi } from 'vitest';
import { createStoreActivities } from '../../src/activities/index.ts';
import { createWorkerDeps } from '../kit/deps.ts';
import { gate } from '../kit/fake-activities.ts';
import { fakeProviders } from '../kit/fake-provider.ts';
import { test } from '../kit/postgres.ts';

test('a sweep whose only step takes long shows all the time that it is alive', async ({ database: { sql } }) => {
  const slow = gate();
  const deps = await createWorkerDeps(sql, { providers: fakeProviders() });
  const journal = { ...deps.journal, tidy: () => slow.opened };
  const { applyRetention } = createStoreActivities({ ...deps, journal, taskQueue: 'test' } as never);
  const environment = new MockActivityEnvironment({}, { logger: new DefaultLogger('ERROR') });
  let beats = 0;
  environment.on('heartbeat', () => {
    beats += 1;
  });
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  try {
    const round = environment.run(applyRetention, { positions: {} });
    const beatsOf: number[] = [];
    for (let second = 0; second < 40; second += 10) {
      vi.advanceTimersByTime(10_000);
      beatsOf.push(beats);
    }
    expect(beatsOf.map((count, index) => count - (beatsOf[index - 1] ?? 0)).every((count) => count >= 2)).toBe(true);
    slow.open();
    expect(await round).toMatchObject({ failed: [] });
  } finally {
    vi.useRealTimers();
  }
});
