import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { businessNow, DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '../kit/clock.ts';
import { Person } from '../kit/person.ts';
import { startTestService, type TestService } from '../kit/service.ts';
import { openReceiver, type Receiver } from '../kit/webhook-receiver.ts';
import { addEndpoint } from './webhook-endpoint.ts';

/**
 * The clock of the database is right, and so are the platforms'. Each process of the service is five minutes off, the two apis in
 * different directions. `scripts/process-clock.mjs` finds a use of their clocks; this finds that of a library.
 */
const OFF = 5 * MINUTE_MS;

describe('with a worker five minutes ahead, an api ahead and an api behind', () => {
  let service: TestService;
  let receiver: Receiver;

  beforeAll(async () => {
    service = await startTestService({ apis: 2, workers: 1, skews: { apis: [OFF, -OFF], workers: [OFF] } });
    receiver = await openReceiver();
  });
  afterAll(async () => {
    await receiver?.close();
    await service?.stop();
  });

  const now = async () => (await businessNow(service.database.sql)).getTime();

  test('a token ends at its platform’s time, and webhooks and sign-ins have the right time', async () => {
    const person = new Person(service);
    await addEndpoint(service, receiver.url, ['connection.connected', 'job.finished']);
    const ends: Record<string, number[]> = {};
    for (const [provider, note] of [
      ['PROVIDER_A', /^40 posts/],
      ['PROVIDER_B', /right to left/],
      ['PROVIDER_C', /^No posts/],
    ] as const) {
      const before = await now();
      const { status, connectionId } = await person.connect(provider, person.account(provider, note));
      expect(status, provider).toBe('COMPLETED');
      const [grant] = await service.database.sql`
        select access_expires_at, refresh_expires_at from account_grant where connection_id = ${connectionId}
      `;
      ends[provider] = [grant?.accessExpiresAt, grant?.refreshExpiresAt].map((at) => at?.getTime() - before);
    }
    const round = (ms: number) => (Number.isNaN(ms) ? null : Math.round(ms / (2 * MINUTE_MS)) * 2 * MINUTE_MS);
    // To two minutes.
    expect(Object.fromEntries(Object.entries(ends).map(([provider, each]) => [provider, each.map(round)]))).toEqual({
      PROVIDER_A: [HOUR_MS, null],
      PROVIDER_B: [2 * HOUR_MS, 180 * DAY_MS],
      PROVIDER_C: [60 * DAY_MS, 60 * DAY_MS],
    });
    await expect.poll(() => receiver.received.length).toBeGreaterThan(3);
    for (const { headers } of receiver.received)
      expect(Math.abs(Number(headers['webhook-timestamp']) * SECOND_MS - (await now()))).toBeLessThan(2 * MINUTE_MS);

    const session = await person.createSignIn();
    const page = await person.launch(session);
    const somebody = service.sandbox.control.people().find(({ note }) => note === 'E-mail address verified');
    await person.agree(page, somebody?.sub ?? '', ['email', 'profile']);
    expect(await person.redeem(session)).toMatchObject({ status: 'COMPLETED', email: 'rowan@sandbox.example' });
  });
});
