import { describe, expect } from 'vitest';
import { type ConnectionId, newId, type WebhookEndpointId } from '../../src/basics/ids.ts';
import { takeDueRefreshes } from '../../src/store/connections/automatic-refresh.ts';
import { takeDueUpkeep } from '../../src/store/connections/upkeep.ts';
import { type Database, inTransaction, type Transaction } from '../../src/store/driver/sql.ts';
import { moveExpiredGrantsToDead } from '../../src/store/grants/grant-end.ts';
import { takeDueDeliveries } from '../../src/store/webhooks/due-deliveries.ts';
import { insertTestEvent } from '../../src/store/webhooks/webhook-deliveries.ts';
import { insertWebhookEndpoint } from '../../src/store/webhooks/webhook-endpoints.ts';
import { takeWebhookWakes } from '../../src/store/webhooks/webhook-wakes.ts';
import { beside, hold } from '../kit/beside.ts';
import { actsOnOthers } from '../kit/bystanders.ts';
import { asApi, asWorker, test } from '../kit/postgres.ts';
import { seedApp, seedConnection } from '../kit/seed.ts';

type AppIdOf = Awaited<ReturnType<typeof seedApp>>['app']['appId'];
async function insertEndpoint(sql: Database, appId: AppIdOf): Promise<WebhookEndpointId> {
  const endpointId = newId<WebhookEndpointId>();
  const endpoint = { endpointId, appId, url: 'https://caller.example/hooks', eventTypes: ['job.finished'] as const };
  await inTransaction(asApi(sql), (tx) => insertWebhookEndpoint(tx, endpoint));
  return endpointId;
}
const testEvent = async (sql: Database, endpointId: WebhookEndpointId) =>
  (await inTransaction(asApi(sql), (tx) => insertTestEvent(tx, endpointId))) ?? '';

/** Two connections of a new app, both due; the first is held by another transaction meanwhile. */
async function twoConnections(sql: Database, set: (tx: Transaction, ids: readonly ConnectionId[]) => Promise<unknown>) {
  const seeded = await seedApp(sql);
  const ids = [
    await seedConnection(sql, seeded, { scope: seeded.newScope() }),
    await seedConnection(sql, seeded, { scope: seeded.newScope() }),
  ].sort();
  await inTransaction(sql, (tx) => set(tx, ids));
  const dueAt = new Date(0);
  const [first = '', second] = ids;
  return { hold: hold('connection', 'connection_id', first), ids, due: ids.map((id) => ({ id, dueAt })), second };
}

describe('a round passes rows that another transaction holds', () => {
  test('of upkeep', async ({ sql }) => {
    const two = await twoConnections(
      sql,
      (tx, ids) =>
        tx`update connection set upkeep_due_at = business_now() where connection_id = any(${[...ids]}::uuid[])`,
    );
    const take = () => inTransaction(asWorker(sql), (tx) => takeDueUpkeep(tx, two.due));
    const { waited, result } = await beside(sql, two.hold, take);
    expect([waited, result.map((row) => row.connectionId)]).toEqual([false, [two.second]]);
  });

  test('of automatic refreshes', async ({ sql }) => {
    const two = await twoConnections(sql, async (tx, ids) => {
      await tx`update connection set refresh_due_at = business_now() where connection_id = any(${[...ids]}::uuid[])`;
      await tx`
        update app_policy set refresh_minutes = 1440
        where app_id = (select app_id from connection where connection_id = ${ids[0] ?? ''})
      `;
    });
    const take = () => inTransaction(asWorker(sql), (tx) => takeDueRefreshes(tx, two.due));
    const { waited, result } = await beside(sql, two.hold, take);
    expect([waited, result.map((row) => row.connectionId)]).toEqual([false, [two.second]]);
  });

  test('of expired grants', async ({ sql }) => {
    const two = await twoConnections(
      sql,
      (tx, ids) =>
        tx`update account_grant set refresh_expires_at = business_now() where connection_id = any(${[...ids]}::uuid[])`,
    );
    const end = () => inTransaction(asWorker(sql), (tx) => moveExpiredGrantsToDead(tx, two.ids));
    expect(await beside(sql, two.hold, end)).toMatchObject({ waited: false, result: 1 });
    expect(
      await sql`select connection_id from account_grant where connection_id = any(${two.ids}::uuid[]) and status = 'DEAD'`,
    ).toMatchObject([{ connectionId: two.second }]);
  });

  test('of deliveries', async ({ sql }) => {
    const { app } = await seedApp(sql);
    const endpointId = await insertEndpoint(sql, app.appId);
    const made = [await testEvent(sql, endpointId), await testEvent(sql, endpointId)];
    const take = (limit: number) => takeDueDeliveries(asWorker(sql), endpointId, limit);
    const first = (tx: Transaction) => takeDueDeliveries(tx, endpointId, 1);
    const { waited, held, result } = await beside(sql, first, () => take(9));
    expect(waited).toBe(false);
    expect([...held, ...result].map(({ deliveryId }) => deliveryId).sort()).toEqual(made.sort());
    expect(result).toHaveLength(1);
  });

  test('of wakes', async ({ sql }) => {
    const { app } = await seedApp(sql);
    const [held, free] = [await insertEndpoint(sql, app.appId), await insertEndpoint(sql, app.appId)];
    await sql`insert into webhook_wake (endpoint_id) values (${held}), (${free})`;
    actsOnOthers(sql, 'webhook_wake');
    const take = () => inTransaction(asWorker(sql), takeWebhookWakes);
    const { waited, result } = await beside(sql, hold('webhook_wake', 'endpoint_id', held), take);
    const woken = result.endpoints.map(({ endpointId }) => endpointId);
    expect([waited, woken.includes(held), woken.includes(free)]).toEqual([false, false, true]);
    expect((await take()).endpoints).toEqual([{ endpointId: held, appId: app.appId }]);
  });
});
