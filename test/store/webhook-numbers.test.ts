import type postgres from 'postgres';
import { describe, expect } from 'vitest';
import { wakeWebhooks } from '../../src/outbox/wake-webhooks.ts';
import { asApi, asWorker, type Database, test } from '../kit/postgres.ts';
import { moveConnection, seedApp, seedConnection, seedScope } from '../kit/seed.ts';
import { seedEndpoint } from '../kit/seed-endpoint.ts';

const MANY = 5_000;

/** An app with an endpoint that wants everything. */
async function openApp(sql: Database) {
  const seeded = await seedApp(sql);
  const { appId } = seeded.app;
  const endpointId = await seedEndpoint(sql, appId);
  const connect = () => seedConnection(sql, seeded, { scope: seeded.newScope() });
  return { seeded, appId, endpointId, connect };
}

const count = async (sql: Database, appId: string) => {
  const [row] = await sql`
    select count(*)::int as events, count(distinct (connection_id, sequence))::int as numbers,
      (select count(*)::int from webhook_delivery where app_id = ${appId}) as deliveries
    from webhook_event where app_id = ${appId}
  `;
  return row;
};

describe('one statement over 5,000 connections of an app with an endpoint', () => {
  test('adds, changes and deletes them, and delays no connection of another app', async ({ sql }) => {
    const { seeded, appId, endpointId } = await openApp(sql);
    const other = await openApp(sql);
    const neighbour = await other.connect();
    const scopeId = await seedScope(sql, seeded, seeded.newScope());
    const during = async (name: string, statement: (tx: postgres.TransactionSql) => Promise<unknown>) => {
      await sql.begin(async (tx) => {
        await tx`set local statement_timeout = 0`;
        await statement(tx);
        await tx`set constraints all immediate`; // As the commit runs them.
        const [locks] =
          await tx`select count(*)::int as count from pg_locks where locktype = 'advisory' and pid = pg_backend_pid()`;
        expect(locks, name).toEqual({ count: 0 });
        for (const status of ['SUSPENDED', 'CONNECTED'] as const) await moveConnection(asApi(sql), neighbour, status);
      });
    };
    await during(
      'add',
      (tx) => tx`
      insert into connection (connection_id, scope_id, app_id, provider, registration_id, provider_account_id, status,
        capabilities)
      select gen_random_uuid(), ${scopeId}, ${appId}, 'PROVIDER_B', ${seeded.registrations.PROVIDER_B}, n::text, 'CONNECTED', '[]'
      from generate_series(1, ${MANY}) n
    `,
    );
    await during('change', (tx) => tx`update connection set status = 'SUSPENDED' where app_id = ${appId}`);
    await during('delete', (tx) => tx`delete from connection where app_id = ${appId}`);
    expect(await count(sql, appId)).toEqual({ events: 3 * MANY, numbers: 3 * MANY, deliveries: 3 * MANY });
    // The endpoint is woken once for all of them, and the other one for its own.
    while ((await wakeWebhooks(asWorker(sql))).count > 0);
    const woken = await sql`
      select workflow_id, search_attributes ->> 'AppId' as app_id from outbox
      where search_attributes ->> 'AppId' in (${appId}, ${other.appId}) order by workflow_id
    `;
    expect(woken).toEqual(
      [
        { workflowId: `webhooks/${endpointId}`, appId },
        { workflowId: `webhooks/${other.endpointId}`, appId: other.appId },
      ].toSorted((a, b) => (a.workflowId < b.workflowId ? -1 : 1)),
    );
    await sql`delete from webhook_event where app_id = ${appId}`;
  });
});
