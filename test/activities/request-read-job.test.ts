import { expect } from 'vitest';
import { hasRoom, type RequestedJob, requireRoom } from '../../src/domain/reading/request-read-job.ts';
import { inTransaction } from '../../src/store/driver/sql.ts';
import { test } from '../kit/postgres.ts';
import { seedApp, seedConnection, seedLookups } from '../kit/seed.ts';

test('an app has room for 20 read jobs in flight', async ({ sql }) => {
  const seeded = await seedApp(sql);
  const connectionId = await seedConnection(sql, seeded, { scope: seeded.newScope() });
  const isRoom = () => inTransaction(sql, (tx) => hasRoom(tx, { appId: seeded.app.appId } as RequestedJob));
  await seedLookups(sql, seeded, connectionId, 19);
  expect(await isRoom()).toBe(true);
  await seedLookups(sql, seeded, connectionId, 1);
  expect(await isRoom()).toBe(false);
});

test('an app without room waits a minute', () => {
  expect(() => requireRoom(true)).not.toThrow();
  expect(() => requireRoom(false)).toThrow(
    expect.objectContaining({
      code: 'RATE_LIMITED',
      message: 'The app has 20 read jobs in flight.',
      details: { retryAfterSeconds: 60 },
    }),
  );
});
