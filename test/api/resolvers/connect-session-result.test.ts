import { setTimeout as delay } from 'node:timers/promises';
import { expect } from 'vitest';
import type { AttemptId } from '../../../src/basics/ids.ts';
import { callerOf, createDeps } from '../../kit/caller.ts';
import { inTransaction, test } from '../../kit/postgres.ts';
import { freezeClock, releaseClock, seedApp } from '../../kit/seed.ts';
import { endAttempt } from '../../kit/seed-attempts.ts';

test('connectSessionResult waits for an end that began before the deadline: no caller reads EXPIRED and later another end', async ({
  sql,
  onTestFinished,
}) => {
  onTestFinished(() => releaseClock(sql));
  const seeded = await seedApp(sql);
  const call = callerOf(await createDeps(sql), seeded);
  const scope = seeded.newScope();
  const { id } = await call('createConnectSession', {
    input: { scope, provider: 'PROVIDER_A', capabilities: ['PROFILE'], returnUrl: seeded.returnUrl },
  });
  const attemptId = id as AttemptId;
  const read = () => call('connectSessionResult', { scope, id });
  let reading: ReturnType<typeof read> | undefined;
  // A worker that is frozen between its statement and its commit, while the deadline passes.
  await inTransaction(sql, async (tx) => {
    await tx`select from scope join connect_attempt using (scope_id) where attempt_id = ${attemptId} for no key update of scope`;
    const end = { status: 'FAILED', resultCode: 'PROVIDER_UNAVAILABLE' } as const;
    expect(await endAttempt(tx, attemptId, end)).toBe(true);
    await freezeClock(sql, new Date(Date.now() + 11 * 60_000));
    reading = read();
    await expect(Promise.race([reading, delay(300)])).resolves.toBeUndefined();
  });
  expect(await reading).toMatchObject({ status: 'FAILED', resultCode: 'PROVIDER_UNAVAILABLE' });
  expect(await read()).toEqual(await reading);
});
