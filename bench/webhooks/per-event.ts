import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { cancellationSignal } from '@temporalio/activity';
import type { WebhookDeps } from '../../src/activities/send-webhooks.ts';
import type { WebhookDeliveryId, WebhookEndpointId } from '../../src/basics/ids.ts';
import { type Database, inTransaction } from '../../src/store/driver/sql.ts';
import { type DeliveryResult, updateTriedDeliveries } from '../../src/store/webhooks/due-deliveries.ts';
import {
  addEndpointFailures,
  endEndpointFailure,
  findSendingEndpoint,
} from '../../src/store/webhooks/webhook-endpoints.ts';
import { associatedData } from '../../src/vault/associated-data.ts';
import { postWebhook } from '../../src/webhooks/post-webhook.ts';
import { renderEvent, type StoredEvent } from '../../src/webhooks/render-event.ts';
import { findRetryPause } from '../../src/webhooks/retry-schedule.ts';
import { signWebhook } from '../../src/webhooks/sign-webhook.ts';
import type { TestDatabase } from '../../test/kit/postgres.ts';
import { bundleWorkflows } from '../../test/kit/temporal.ts';
import { openWebhookStage } from '../../test/worker/webhook-stage.ts';

/** The service with a workflow for each delivery, for comparison only. It keeps no pauses of endpoints. */
export async function openPerEvent(database: TestDatabase) {
  const { code } = await bundleWorkflows(path.join(import.meta.dirname, 'per-event-workflow.ts'));
  const file = path.join(await mkdtemp(path.join(tmpdir(), 'per-event-')), 'workflows.js');
  await writeFile(file, code);
  await startEach(database.sql);
  return await openWebhookStage(database, file, (deps) => createActivities(deps));
}

/** Each delivery gets an outbox entry of its own, and no entry wakes a workflow of its endpoint. */
const startEach = (sql: Database) =>
  sql.unsafe(`
    create function start_each() returns trigger language plpgsql security definer as $$
    begin
      insert into outbox (workflow_id, workflow_type, input, search_attributes)
      values ('webhook/' || new.delivery_id, 'sendOneWebhook', jsonb_build_object('deliveryId', new.delivery_id),
        jsonb_build_object('AppId', new.app_id, 'JobKind', 'WEBHOOKS'));
      insert into webhook_wake (endpoint_id) values (new.endpoint_id);
      return null;
    end $$;
    create trigger start_each after insert on webhook_delivery for each row execute function start_each();
    create function wake_none() returns trigger language plpgsql as 'begin return null; end';
    create trigger wake_none before insert on outbox for each row when (new.workflow_type = 'sendWebhooks')
      execute function wake_none();
  `);

const createActivities = ({ sql, vault, webhookHttp }: WebhookDeps) => ({
  async tryWebhook({ deliveryId }: { deliveryId: WebhookDeliveryId }): Promise<number | null> {
    const [row] = await sql`
      update webhook_delivery d set tries = tries + 1, last_tried_at = business_now(),
        next_retry_at = business_now() + interval '45 seconds'
      from webhook_event e
      where e.event_id = d.event_id and d.delivery_id = ${deliveryId} and status = 'PENDING'
      returning d.tries, d.endpoint_id, e.event_id, e.type, e.connection_id, e.sequence::float8 as sequence, e.data, e.occurred_at
    `;
    if (!row) return null;
    const endpointId = row.endpointId as WebhookEndpointId;
    const endpoint = await findSendingEndpoint(sql, endpointId);
    if (endpoint === undefined) return null;
    const secrets = await Promise.all(
      endpoint.secrets.map(({ secretId, sealedSecret }) =>
        vault.openEdge(sealedSecret, associatedData.webhookSecret(secretId)),
      ),
    );
    const body = renderEvent({ ...(row as unknown as StoredEvent), scope: null });
    const headers = signWebhook({ id: row.eventId, seconds: Math.floor(Date.now() / 1_000), body }, secrets);
    const signal = cancellationSignal();
    const startedMs = performance.now();
    const answer = await postWebhook(webhookHttp, { url: endpoint.url, headers, body, signal }, () => new Date());
    const durationMs = Math.round(performance.now() - startedMs);
    const status = 'status' in answer ? answer.status : null;
    const works = status !== null && status < 300;
    const pauseSeconds = works ? null : (findRetryPause(row.tries) ?? null);
    const result: DeliveryResult = {
      deliveryId,
      tries: row.tries,
      outcome: works ? 'DELIVERED' : pauseSeconds === null ? 'FAILED' : 'RETRY',
      pauseSeconds,
      durationMs,
      status,
      failure: 'failure' in answer ? answer.failure : null,
    };
    await inTransaction(sql, async (tx) => {
      if (works) await endEndpointFailure(tx, endpointId);
      else await addEndpointFailures(tx, endpointId, { failures: 1, pauseSeconds: 0 });
      await updateTriedDeliveries(tx, [result]);
    });
    return pauseSeconds;
  },
});
