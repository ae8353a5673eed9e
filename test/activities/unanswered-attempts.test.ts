import { expect } from 'vitest';
import { createWorkerDeps } from '../kit/deps.ts';
import { fakeProviders } from '../kit/fake-provider.ts';
import { test } from '../kit/postgres.ts';
import { freezeClock, seedApp } from '../kit/seed.ts';
import { seedAttempt, seedSignIn } from '../kit/seed-attempts.ts';
import { seedEndpoint } from '../kit/seed-endpoint.ts';
import { sweepAttempts } from '../kit/sweeping.ts';

const EXPIRED = { status: 'EXPIRED', resultCode: 'EXPIRED', creatorAction: null };

test('an unanswered attempt ends at its deadline, not a ms before, and sends one event to its app', async ({ sql }) => {
  const deps = await createWorkerDeps(sql, { providers: fakeProviders() });
  const sweep = () => sweepAttempts(deps);
  const seeded = await seedApp(sql);
  const { appId } = seeded.app;
  const eventTypes = ['connect_session.finished', 'identity_session.finished'] as const;
  const endpointId = await seedEndpoint(sql, appId, { eventTypes });
  const told = () => sql`select type, connection_id, data from webhook_event where app_id = ${appId} order by type`;
  const session = await seedAttempt(sql, seeded);
  const signIn = await seedSignIn(sql, seeded);
  await freezeClock(sql, new Date(Math.min(session.expiresAt.getTime(), signIn.expiresAt.getTime()) - 1));
  await sweep();
  expect(await told()).toEqual([]);
  await freezeClock(sql, new Date(Math.max(session.expiresAt.getTime(), signIn.expiresAt.getTime())));
  expect(await sweep()).toMatchObject({ unansweredAttempts: 1, unansweredSignIns: 1 });
  expect(await sweep()).toEqual({});
  expect(await told()).toEqual([
    {
      type: 'connect_session.finished',
      connectionId: null,
      data: { sessionId: session.attemptId, provider: 'PROVIDER_B', ...EXPIRED },
    },
    {
      type: 'identity_session.finished',
      connectionId: null,
      data: { sessionId: signIn.attemptId, status: 'EXPIRED' },
    },
  ]);
  expect(await sql`select from webhook_delivery where endpoint_id = ${endpointId}`).toHaveLength(2);
});
