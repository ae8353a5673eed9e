import { describe, expect } from 'vitest';
import type { Database } from '../../src/store/driver/sql.ts';
import { writeCorrections } from '../../src/store/failovers.ts';
import { listWebhookDeliveries } from '../../src/store/webhooks/webhook-deliveries.ts';
import { listOverdueEndpoints } from '../../src/store/webhooks/webhook-endpoints.ts';
import { MINUTE_MS, moveClock } from '../kit/clock.ts';
import { asApi, asWorker, test } from '../kit/postgres.ts';
import { seedApp, seedConnection } from '../kit/seed.ts';
import { seedEndpoint } from '../kit/seed-endpoint.ts';

const ALL = { appId: null, status: null, eventType: null, connectionId: null, since: null } as const;

/** Two endpoints of one app, and a connection. */
async function open(sql: Database) {
  const seeded = await seedApp(sql);
  const connectionId = await seedConnection(sql, seeded, { scope: seeded.newScope() }); // Before there is an endpoint.
  const [endpointId, otherId] = [await seedEndpoint(sql, seeded.app.appId), await seedEndpoint(sql, seeded.app.appId)];
  const deliveries = (id = endpointId) =>
    listWebhookDeliveries(asApi(sql), { ...ALL, endpointId: id }, { limit: 10, after: null });
  return { seeded, connectionId, endpointId, otherId, deliveries };
}

describe('endpoints', () => {
  test('with several overdue deliveries are listed once, by the one that is due longest', async ({ sql }) => {
    const { connectionId, endpointId, otherId, deliveries } = await open(sql);
    const correct = (id: typeof endpointId) => writeCorrections(asWorker(sql), id, [[connectionId, 5]]);
    await correct(endpointId);
    const [first] = await deliveries();
    await moveClock(sql, MINUTE_MS);
    await correct(endpointId);
    await correct(otherId);
    await moveClock(sql, MINUTE_MS);
    const listed = await listOverdueEndpoints(asWorker(sql), { after: null, limit: 1_000 });
    const own = listed.filter((one) => one.endpointId === endpointId || one.endpointId === otherId);
    expect(own.map((one) => one.endpointId)).toEqual([endpointId, otherId]);
    expect(own[0]?.dueAt).toEqual(first?.nextRetryAt);
  });
});
