import { expect } from 'vitest';
import { newId, type WebhookEndpointId } from '../../src/basics/ids.ts';
import { type Database, inTransaction } from '../../src/store/driver/sql.ts';
import { findWaiting, takeDueDeliveries } from '../../src/store/webhooks/due-deliveries.ts';
import { insertWebhookEndpoint } from '../../src/store/webhooks/webhook-endpoints.ts';
import { test } from '../kit/postgres.ts';
import { seedApp } from '../kit/seed.ts';
import { openExplained } from './explained.ts';

const MANY = 50_000;
const PART = 5_000;

/** An app with an endpoint for which webhooks wait. */
async function openEndpoint(sql: Database, waiting: number): Promise<WebhookEndpointId> {
  const { app } = await seedApp(sql);
  const endpointId = newId<WebhookEndpointId>();
  await inTransaction(sql, (tx) =>
    insertWebhookEndpoint(tx, {
      endpointId,
      appId: app.appId,
      url: 'https://caller.example/hooks',
      eventTypes: ['job.finished'],
    }),
  );
  // In parts: a statement has ten seconds, also on a busy machine.
  for (let left = waiting; left > 0; left -= PART) {
    await sql`
      with event as (
        insert into webhook_event (app_id, type, data)
        select ${app.appId}, 'job.finished', '{}' from generate_series(1, ${Math.min(left, PART)}::int)
        returning event_id, app_id, type
      )
      insert into webhook_delivery (event_id, endpoint_id, app_id, event_type)
      select event_id, ${endpointId}, app_id, type from event
    `;
  }
  return endpointId;
}

test("50,000 webhooks that wait for one app's endpoint cost another app's single one no row", async ({
  database: { sql, url },
}) => {
  const busy = await openEndpoint(sql, MANY);
  await sql`analyze webhook_delivery`; // All that autoanalyze has seen: one endpoint.
  const quiet = await openEndpoint(sql, 1);
  const explained = openExplained(url, { poolSize: 1 });
  try {
    for (const [endpointId, due] of [
      [quiet, 1],
      [busy, 10],
    ] as const) {
      const statements = await explained.statementsOf(async () => {
        expect(await takeDueDeliveries(explained.sql, endpointId, 10)).toHaveLength(due);
        await findWaiting(explained.sql, endpointId);
      });
      const own = statements.filter(({ query }) => query.includes('webhook_delivery'));
      expect(own).toHaveLength(2);
      for (const { query, touched } of own) expect(touched, query).toBeLessThanOrEqual(8 * due + 4);
    }
  } finally {
    await explained.sql.end();
  }
});
