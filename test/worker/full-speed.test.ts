import { setTimeout as delay } from 'node:timers/promises';
import { Context } from '@temporalio/activity';
import { expect, onTestFinished, test } from 'vitest';
import { startService, type User, until } from '../kit/at-work.ts';
import { outcomeOf } from '../kit/conformance.ts';

/** Low enough that the people below ask for much more. */
const CALLS_PER_SECOND = 5;
/** The calls in two seconds. Counted in calls, since a busy machine is slow at everything. */
const TWO_SECONDS = 2 * CALLS_PER_SECOND;
const ROUNDS = 2;

/** The flood can slow the API down until its page asks the person to try again. */
async function whenServed<Answer extends { status: number }>(send: () => Promise<Answer>): Promise<Answer> {
  const answer = await send();
  return answer.status === 503 ? await whenServed(send) : answer;
}

/** Returns from consent with a code that the platform never gave. */
async function returnWithMadeUpCode(user: User): Promise<void> {
  const session = await user.newAttempt('PROVIDER_B');
  const { location, cookie } = await whenServed(() => user.launch('connect', session.launchToken));
  const state = new URL(location ?? '').searchParams.get('state') ?? '';
  const callback = `${user.urls[0]}/api/connect/callback/provider-b?${new URLSearchParams({ code: 'made-up', state })}`;
  await whenServed(() => fetch(callback, { headers: { cookie }, redirect: 'manual' }));
}

test('people who return with made-up codes at full speed hold up no revoke, refresh or read of another app', async () => {
  /** When Temporal got the call of each activity, by the activity's name. */
  const scheduledAt = new Map<string, number>();
  const adjustments = { PROVIDER_B_CALLS_PER_SECOND: String(CALLS_PER_SECOND), CONNECT_ATTEMPTS_PER_SUBJECT: '10000' };
  const service = await startService(adjustments, {
    around: (name, activity) => async (input) => {
      scheduledAt.set(name, Context.current().info.scheduledTimestampMs);
      return await activity(input);
    },
  });
  onTestFinished(() => service.close());
  const victim = await service.newUser();
  const [one, other] = service.control.accounts('PROVIDER_B');
  const kept = await victim.connect('PROVIDER_B', other?.id ?? '');

  const first = await service.newUser();
  const people = [first, ...(await Promise.all([2, 3, 4].map(() => service.newUser(first))))];
  const listCalls = (isIt: (grantType: unknown, route: string) => boolean) =>
    service.control
      .calls({ provider: 'PROVIDER_B' })
      .filter(({ parameters, route }) => isIt(parameters.grant_type, route))
      .map(({ at }) => at);
  const exchanges = () => listCalls((grantType) => grantType === 'authorization_code');
  const revokes = () => listCalls((_, route) => route === 'revoke');
  const refreshes = () => listCalls((grantType) => grantType === 'refresh_token');
  const countBetween = (activity: string, sentAt = 0) =>
    exchanges().filter((at) => at >= (scheduledAt.get(activity) ?? 0) && at <= sentAt).length;

  let goesOn = true;
  const floods = people.flatMap((user) =>
    Array.from({ length: 4 }, async () => {
      // A fifth unfinished attempt can be one too many for a moment.
      while (goesOn) if ((await outcomeOf(returnWithMadeUpCode(user))) === 'RATE_LIMITED') await delay(50);
    }),
  );
  for (let round = 0; round < ROUNDS; round += 1) {
    // Its exchange and its first scan, too, come to their turns.
    const revoked = await victim.connect('PROVIDER_B', one?.id ?? '');
    service.control.clearCalls();
    await until(async () => exchanges().length > 4 * CALLS_PER_SECOND);
    await victim.ask('disconnectConnection', { connectionId: revoked });
    await service.sql`update connection set upkeep_due_at = business_now() where connection_id = ${kept}`;
    const upkeep = service.sweep('upkeep');
    await until(async () => revokes().length > 0 && refreshes().length > 0);
    await upkeep;
    expect(countBetween('tryRevoke', revokes()[0])).toBeLessThanOrEqual(TWO_SECONDS);
    expect(countBetween('checkGrant', refreshes()[0])).toBeLessThanOrEqual(TWO_SECONDS);
    const isErased = async () => (await outcomeOf(victim.ask('connection', { id: revoked }))) === 'NOT_FOUND';
    await until(isErased); // Erased: the account can be connected again.
  }
  goesOn = false;
  await Promise.all(floods);

  // Accepted work ends.
  const open = () => service.sql`select from connect_attempt where status in ('CREATED', 'AUTHORIZING', 'EXCHANGING')`;
  await until(async () => (await open()).length === 0);
  const ends = await service.sql`
    select distinct status, result_code from connect_attempt where app_id = ${first.appId}
  `;
  expect(ends).toEqual([{ status: 'FAILED', resultCode: 'EXCHANGE_FAILED' }]);
});
