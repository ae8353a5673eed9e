import { MockActivityEnvironment } from '@temporalio/testing';
import { DefaultLogger } from '@temporalio/worker';
import { expect, vi } from 'vitest';
import { createStoreActivities } from '../../src/activities/index.ts';
import { createWorkerDeps } from '../kit/deps.ts';
import { fakeProviders } from '../kit/fake-provider.ts';
import { test } from '../kit/postgres.ts';

test('a sweep whose only step takes long shows all the time that it is alive', async ({ sql }) => {
  const deps = await createWorkerDeps(sql, { providers: fakeProviders() });
  const { applyRetention } = createStoreActivities({ ...deps, taskQueue: 'test' } as never);
  const holder = await sql.reserve();
  await holder`begin`;
  await holder`lock table disconnect_job in access exclusive mode`; // The first step waits for it.
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
    await holder`rollback`;
    expect(await round).toMatchObject({ failed: [] });
  } finally {
    holder.release();
    vi.useRealTimers();
  }
});
