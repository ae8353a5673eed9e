import { describe, expect } from 'vitest';
import { callerOf, createDeps, refusalOf } from '../../kit/caller.ts';
import { MINUTE_MS, moveClock } from '../../kit/clock.ts';
import { test } from '../../kit/postgres.ts';
import { type SeededApp, seedApp } from '../../kit/seed.ts';

type Call = ReturnType<typeof callerOf>;
const create = (call: Call, seeded: SeededApp, scope = seeded.newScope(), provider = 'PROVIDER_B') =>
  call('createConnectSession', {
    input: { scope, provider, capabilities: ['PROFILE'], returnUrl: seeded.returnUrl },
  });

/** Sends requests at once, of which the last ones are refused with this message, for ten minutes. @returns how many were accepted. */
async function createMany(requests: readonly Promise<unknown>[], message: string): Promise<number> {
  const outcomes = await Promise.allSettled(requests);
  const refused = outcomes.filter((outcome) => outcome.status === 'rejected');
  for (const { reason } of refused) {
    const refusal = await refusalOf(Promise.reject(reason));
    expect(refusal).toMatchObject({ code: 'RATE_LIMITED', message: `RATE_LIMITED: ${message}` });
    expect(Math.ceil((refusal.retryAfterSeconds ?? 0) / 100)).toBe(6);
  }
  return outcomes.length - refused.length;
}

describe('the Connect sessions of an app', () => {
  test('have a limit that 40 requests at once reach exactly; other apps do not notice', async ({ sql }) => {
    const [seeded, other] = [await seedApp(sql), await seedApp(sql)];
    const kit = await createDeps(sql, { limits: { CONNECT_ATTEMPTS_PER_APP: 60 } });
    const call = callerOf(kit, seeded);
    for (let index = 0; index < 30; index += 1) await create(call, seeded);
    await sql`
      update connect_attempt set status = 'CANCELED', finished_at = business_now() where app_id = ${seeded.app.appId}
    `;

    const many = Array.from({ length: 40 }, () => create(call, seeded));
    expect(await createMany(many, 'The app has had 60 Connect sessions in ten minutes.')).toBe(30);
    const [kept] = await sql`select count(*)::int as count from connect_attempt where app_id = ${seeded.app.appId}`;
    expect(kept).toEqual({ count: 60 });
    await create(callerOf(kit, other), other);

    await moveClock(sql, 10 * MINUTE_MS);
    await create(call, seeded);
  });

  test('do not count attempts of an import', async ({ sql, seeded }) => {
    const call = callerOf(await createDeps(sql, { limits: { CONNECT_ATTEMPTS_PER_APP: 1 } }), seeded);
    await create(call, seeded);
    expect((await refusalOf(create(call, seeded))).code).toBe('RATE_LIMITED');
    await sql`update connect_attempt set return_url = '' where app_id = ${seeded.app.appId}`;
    await create(call, seeded);
  });
});

test('the Connect sessions of one person have a limit at a provider, finished ones too; other people and providers do not notice', async ({
  sql,
}) => {
  const seeded = await seedApp(sql);
  const call = callerOf(await createDeps(sql, { limits: { CONNECT_ATTEMPTS_PER_SUBJECT: 8 } }), seeded);
  const scope = seeded.newScope();
  for (let index = 0; index < 8; index += 1) {
    await create(call, seeded, scope);
    await sql`update connect_attempt set status = 'FAILED', finished_at = business_now() where app_id = ${seeded.app.appId}`;
  }
  const many = Array.from({ length: 5 }, () => create(call, seeded, scope));
  expect(await createMany(many, 'The subject has had 8 Connect sessions at PROVIDER_B in ten minutes.')).toBe(0);
  await create(call, seeded, scope, 'PROVIDER_C');
  await create(call, seeded);

  await moveClock(sql, 10 * MINUTE_MS);
  await create(call, seeded, scope);
});
