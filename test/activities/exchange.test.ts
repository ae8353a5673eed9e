import { describe, expect } from 'vitest';
import { ProviderError } from '../../src/providers/provider.ts';
import { failureOf, stageTest as test } from '../kit/activity-stage.ts';
import { runActivity } from '../kit/deps.ts';
import { findGrantOfAttempt } from '../kit/seed.ts';

describe('exchangeCode', () => {
  test.for([
    ['after its answer was stored', 1, undefined, undefined],
    ['after a crash of its worker', 1, new Error('It dies here.'), { type: 'Interrupted', outcomeUnknown: true }],
    ['after the provider has not accepted it', 2, new ProviderError('RetryLater', 'Busy.', { status: 429 }), undefined],
  ] as const)('repeated %s has sent the code %d time(s) in all', async ([, calls, failure, second], { stage }) => {
    const { attemptId } = await stage.newAttempt();
    const exchange = () => runActivity(stage.activities.exchangeCode, { attemptId });
    if (failure) stage.provider.exchangeCode.mockRejectedValueOnce(failure);
    await (failure ? failureOf(exchange()) : exchange());
    if (second) expect(await failureOf(exchange())).toMatchObject(second);
    else await exchange();
    expect(stage.provider.exchangeCode).toHaveBeenCalledTimes(calls);
  });

  test('survives a short database outage after the provider’s answer', async ({ sql, stage }) => {
    const { attemptId } = await stage.newAttempt();
    await sql.unsafe(`
      create sequence failures_left start 1;
      create function fail_insert() returns trigger language plpgsql security definer as $$
      begin
        if nextval('failures_left') <= 2 then raise exception 'disk on fire'; end if;
        return new;
      end
      $$;
      create trigger fail_insert before insert on account_grant for each row execute function fail_insert();
    `);
    try {
      await runActivity(stage.activities.exchangeCode, { attemptId });
      expect(await findGrantOfAttempt(sql, attemptId)).toMatchObject({ status: 'PENDING' });
    } finally {
      await sql.unsafe(
        'drop trigger fail_insert on account_grant; drop function fail_insert; drop sequence failures_left',
      );
    }
  });
});

test('the end of an attempt revokes its grant once when repeated', async ({ sql, stage }) => {
  const { attemptId } = await stage.newExchangedAttempt();
  const end = { status: 'FAILED', resultCode: 'PROVIDER_UNAVAILABLE' } as const;
  await runActivity(stage.activities.endAttempt, { attemptId, end });
  const again = { status: 'EXPIRED', resultCode: 'EXPIRED' } as const;
  expect(await runActivity(stage.activities.endAttempt, { attemptId, end: again })).toEqual(end);
  expect(await sql`select from disconnect_job where attempt_id = ${attemptId}`).toHaveLength(1);
});

test('a connect that succeeds after a failed try leaves a line with what came back, and another connect none', async ({
  stage,
}) => {
  const [{ attemptId }, other] = [await stage.newAttempt(), await stage.newAttempt()];
  const obtain = (attempt: { attemptId: string }) =>
    runActivity(stage.activities.obtainGrant, attempt as { attemptId: typeof attemptId });
  stage.provider.readAccount.mockRejectedValueOnce(new ProviderError('RetryLater', 'Away.', { status: 503 }));
  await failureOf(obtain({ attemptId }));
  await obtain({ attemptId });
  await obtain(other);
  const lines = stage.deps.lines.map((line) => JSON.parse(line));
  expect(lines.filter(({ message }) => message.startsWith('A connect'))).toMatchObject([
    { level: 'info', message: 'A connect succeeded after a failed try', attemptId, lastAnswer: 'HTTP_503' },
  ]);
});
