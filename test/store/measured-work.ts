import { randomBytes } from 'node:crypto';
import type { Filled } from '../../bench/fill/fill.ts';
import {
  type ConnectionId,
  type GrantId,
  newId,
  type WebhookDeliveryId,
  type WebhookEndpointId,
} from '../../src/basics/ids.ts';
import { beginImport, completeImport } from '../../src/domain/connecting/import-grant.ts';
import { identifySubject } from '../../src/domain/disconnecting/start-subject-erasure.ts';
import { exportSubject } from '../../src/domain/reading/export-subject.ts';
import { moveConnection } from '../../src/store/connections/connections.ts';
import { inTransaction } from '../../src/store/driver/sql.ts';
import { countSubjectJobs } from '../../src/store/erasures/erasures.ts';
import type { ExportPosition } from '../../src/store/erasures/subject-export.ts';
import { findImportedGrant } from '../../src/store/grants/grants.ts';
import { findWaiting, takeDueDeliveries, updateTriedDeliveries } from '../../src/store/webhooks/due-deliveries.ts';
import { requestRedeliveries, requestRedelivery } from '../../src/store/webhooks/redeliveries.ts';
import { findEventsUntil, insertTestEvent } from '../../src/store/webhooks/webhook-deliveries.ts';
import { findSendingEndpoint } from '../../src/store/webhooks/webhook-endpoints.ts';
import { openStage } from '../kit/activity-stage.ts';
import { openExplained } from '../kit/plans.ts';
import type { TestDatabase } from '../kit/postgres.ts';
import type { MeasuredCall, Target } from './measured-calls.ts';

/** Deliveries of one working endpoint that are due. */
const WAITING = 2_000;
/** So often that Postgres may keep a plan that suits no one's values in particular. */
const OFTEN = 7;

/** Runs the statements of webhooks, imports and a person's export, on connections that report their plans. */
export async function measureWork(database: TestDatabase, filled: Filled, busy: Target): Promise<MeasuredCall[]> {
  const { sql, statementsOf } = openExplained(database.url, { poolSize: 1, nested: true });
  const measured: MeasuredCall[] = [];
  const measure = async (call: string, work: (index: number) => Promise<unknown>, handled = 0) => {
    const statements = await statementsOf(async () => {
      for (let index = 0; index < OFTEN; index += 1) await work(index);
    });
    measured.push({ call, statements, handled });
  };
  try {
    const stage = await openStage(database.sql);
    const [endpoint] = await database.sql`select endpoint_id from webhook_endpoint where enabled limit 1`;
    const endpointId = endpoint?.endpointId as WebhookEndpointId;
    await database.sql`
      with waiting as (
        select delivery_id from webhook_delivery where endpoint_id = ${endpointId} and status = 'DELIVERED'
        order by occurred_at desc limit ${WAITING}
      )
      update webhook_delivery d set status = 'PENDING', finished_at = null,
        next_retry_at = business_now() - interval '1 hour' * random() from waiting w where w.delivery_id = d.delivery_id
    `;
    await database.sql`vacuum analyze webhook_delivery`;
    const [delivery] = await database.sql`
      select delivery_id from webhook_delivery where endpoint_id = ${endpointId} and status = 'DELIVERED' limit 1
    `;
    const connectionIds = (
      await database.sql`
        select connection_id from connection where app_id = ${filled.appId} and status = 'CONNECTED' limit ${OFTEN}
      `
    ).map((row) => row.connectionId as ConnectionId);

    await measure('tries of webhooks', async () => {
      await findSendingEndpoint(sql, endpointId);
      const due = await takeDueDeliveries(sql, endpointId, 10);
      if (due.length !== 10) throw new Error('Ten deliveries were expected.');
      await updateTriedDeliveries(
        sql,
        due.map(({ deliveryId, tries }) => ({
          deliveryId,
          tries,
          outcome: 'DELIVERED',
          pauseSeconds: null,
          durationMs: 1,
          status: 204,
          failure: null,
        })),
      );
      await findWaiting(sql, endpointId);
    });
    await measure('a test event', () => inTransaction(sql, (tx) => insertTestEvent(tx, endpointId)));
    await measure('a redelivery', () =>
      inTransaction(sql, (tx) => requestRedelivery(tx, delivery?.deliveryId as WebhookDeliveryId)),
    );
    const [recent] = await database.sql`
      select occurred_at from webhook_event where app_id = ${filled.appId} order by occurred_at desc offset 300 limit 1
    `;
    for (const failedOnly of [true, false]) {
      await measure(
        `redeliveries since an instant${failedOnly ? ', of failed ones' : ''}`,
        () => inTransaction(sql, (tx) => requestRedeliveries(tx, endpointId, recent?.occurredAt, { failedOnly })),
        300,
      );
    }
    await measure("a connection's events", (index) => findEventsUntil(sql, connectionIds[index] ?? busy.connectionId));
    await measure('a fact with its event', async (index) => {
      const connectionId = connectionIds[index] ?? busy.connectionId;
      await moveConnection(sql, connectionId, 'SUSPENDED');
      await moveConnection(sql, connectionId, 'CONNECTED');
    });

    await measure('an import', async (index) => {
      const importMac = randomBytes(32);
      if ((await findImportedGrant(sql, [importMac, randomBytes(32)])) !== undefined) throw new Error('Found.');
      const [row] = await database.sql`
        select registration_id from connection where connection_id = ${busy.connectionId}
      `;
      await inTransaction(sql, async (tx) => {
        const attemptId = await beginImport(tx, {
          appId: filled.appId,
          scope: { ...busy.scope, externalSubjectId: `moved-${index}` },
          capabilities: ['PROFILE', 'CONTENT_LIST'],
          importMac,
          tokenLifeDays: 60,
          grant: {
            grantId: newId<GrantId>(),
            provider: 'PROVIDER_C',
            registrationId: row?.registrationId,
            permissions: ['instagram_business_basic'],
            sealedTokens: 'sealed',
            accessExpiresAt: null,
            refreshExpiresAt: null,
            principalMacs: [randomBytes(32)],
            accountMacs: [randomBytes(32)],
          } as unknown as Parameters<typeof beginImport>[1]['grant'],
        });
        const profile = { displayName: 'Moved', handle: null, avatarUrl: null, profileUrl: null, description: null };
        await completeImport(stage.deps, tx, attemptId, {
          providerAccountId: `moved-${index}`,
          profile,
          accountMacs: [randomBytes(32)],
        } as unknown as Parameters<typeof completeImport>[3]);
      });
    });

    const [owner] = await database.sql`
      select scope_id, count(*)::int as connections from connection
      where scope_id = (select scope_id from connection where connection_id = ${busy.connectionId}) group by scope_id
    `;
    const subject = identifySubject(stage.deps.mac, filled.appId, owner?.scopeId, busy.scope);
    await measure('the jobs of an erasure', () => countSubjectJobs(sql, subject));
    const exportPages = async (index: number) => {
      let position: ExportPosition | null = null;
      do {
        const page = await exportSubject(sql, stage.deps.mac, { appId: filled.appId, scope: busy.scope, position });
        if (page.rows.length === 0) throw new Error('An empty page.');
        position = index === 0 ? page.next : null;
      } while (position !== null);
    };
    // Each table is asked for the rows of each connection.
    await measure('an export of a person', exportPages, Number(owner?.connections));
    return measured;
  } finally {
    await sql.end({ timeout: 5 });
  }
}
