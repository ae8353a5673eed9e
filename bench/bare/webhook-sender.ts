import { createHmac, randomBytes, randomUUID } from 'node:crypto';
import { Agent } from 'undici';
import type { Database } from '../../src/store/driver/sql.ts';

const AT_ONCE = 10;

/**
 * The minimal program that sends webhooks: a table, and for each endpoint a loop that takes ten rows, posts them signed and marks them.
 * No Temporal, no pauses, no history of tries, no sealed secret, no check of the receiver's address.
 */
export async function openBareSender(sql: Database, urls: readonly string[]) {
  await sql.unsafe(`
    create table bare_webhook (
      webhook_id uuid primary key default gen_random_uuid(), url text not null, data jsonb not null, occurred_at timestamptz not null default now(),
      tries integer not null default 0, delivered_at timestamptz
    );
    create index on bare_webhook (url, occurred_at) where delivered_at is null;
  `);
  const agent = new Agent({ connections: AT_ONCE });
  const key = randomBytes(32);

  async function post(url: string, { webhookId, data }: { webhookId: string; data: object }): Promise<void> {
    const body = JSON.stringify({ type: 'job.finished', timestamp: new Date().toISOString(), data });
    const seconds = Math.floor(Date.now() / 1_000);
    const signature = createHmac('sha256', key).update(`${webhookId}.${seconds}.${body}`).digest('base64');
    const { origin, pathname } = new URL(url);
    const answer = await agent.request({
      origin,
      path: pathname,
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'webhook-id': webhookId,
        'webhook-timestamp': String(seconds),
        'webhook-signature': `v1,${signature}`,
      },
      body,
    });
    await answer.body.dump();
    if (answer.statusCode !== 204) throw new Error(`The receiver answers ${answer.statusCode}.`);
  }

  async function sendTo(url: string): Promise<void> {
    for (;;) {
      const taken = await sql`
        update bare_webhook set tries = tries + 1 where webhook_id in (
          select webhook_id from bare_webhook where url = ${url} and delivered_at is null
          order by occurred_at limit ${AT_ONCE} for update skip locked
        ) returning webhook_id, data
      `;
      if (taken.length === 0) return;
      await Promise.all(taken.map((row) => post(url, row as unknown as { webhookId: string; data: object })));
      await sql`
        update bare_webhook set delivered_at = now() where webhook_id = any(${taken.map(({ webhookId }) => webhookId)}::uuid[])
      `;
    }
  }

  return {
    /** Adds so many webhooks for each endpoint. */
    add: (each: number) => sql`
      insert into bare_webhook (url, data)
      select url, jsonb_build_object('id', ${randomUUID()}::text) from unnest(${[...urls]}::text[]) as url, generate_series(1, ${each}::int)
    `,
    /** Sends all that wait. */
    send: async () => await Promise.all(urls.map(sendTo)),
    close: () => agent.close(),
  };
}
