import { expect } from 'vitest';
import { admitAttempt } from '../../src/domain/connecting/admit-attempt.ts';
import { test } from '../kit/postgres.ts';
import { seedApp } from '../kit/seed.ts';
import { seedAttempt } from '../kit/seed-attempts.ts';

test.for([
  [2, [540, 480, 420, 360], 120],
  [1, [599.5, 0], 1],
  [2, [420, 360], undefined],
] as const)(
  'an app that may have %i attempts in ten minutes, and has some since %j s, waits %s s',
  async ([most, ages, waits], { sql }) => {
    const seeded = await seedApp(sql);
    const { appId } = seeded.app;
    const attempts = await Promise.all(ages.map(async (age) => ({ age, ...(await seedAttempt(sql, seeded)) })));
    const admitted = admitAttempt(sql, { appId, most }, async (tx) => {
      for (const { age, attemptId } of attempts)
        await tx`
        update connect_attempt set created_at = business_now() - make_interval(secs => ${age})
        where attempt_id = ${attemptId}
      `;
      return 'admitted';
    });
    if (waits === undefined) expect(await admitted).toBe('admitted');
    else await expect(admitted).rejects.toMatchObject({ code: 'RATE_LIMITED', details: { retryAfterSeconds: waits } });
  },
);
