import { describe, expect, onTestFinished, vi } from 'vitest';
import { verifyWebhook } from '../../clients/typescript/src/webhooks.ts';
import { type ConnectionId, type CorrelationId, type JobId, newId } from '../../src/basics/ids.ts';
import { createLog } from '../../src/basics/log.ts';
import { createRecall, type Recall } from '../../src/temporal/recall.ts';
import { startWorkflow } from '../../src/temporal/start-workflow.ts';
import { correctWebhooks, repeatDisconnects, watchFailovers } from '../../src/worker/repair-failovers.ts';
import { buildDispatch } from '../../src/workflows/dispatches.ts';
import { asWorker, type Database } from '../kit/postgres.ts';
import { seedApp, seedConnection } from '../kit/seed.ts';
import { openReceiver } from '../kit/webhook-receiver.ts';
import { test } from './webhook-stage.ts';

const log = createLog('silent');
const AN_HOUR_AGO = () => new Date(Date.now() - 3_600_000);

/** Changes rows as the loss of commits does: no trigger sees it. */
const lose = (sql: Database, statements: string) =>
  sql.begin(async (tx) => {
    await tx.unsafe('set local session_replication_role = replica');
    await tx.unsafe(statements);
  });

test('webhooks about rows that a fail-over has lost are corrected: each endpoint that got one gets its connection’s state and no other', async ({
  sql,
  stage,
}) => {
  const { receiver, happen, arrive, withWorkers, connectionId, client, taskQueue, secret } = stage;
  const neighbour = await openReceiver();
  onTestFinished(neighbour.close);
  const other = await stage.addNeighbour(neighbour.url);
  const deps = { sql: asWorker(sql), recall: createRecall(client, taskQueue), log };
  await withWorkers(async () => {
    await happen('SUSPENDED');
    await other.happen('SUSPENDED');
    await arrive(1);
    await vi.waitUntil(() => neighbour.received.length === 1);
    // The activity has ended when its endpoint waits for further events.
    await vi.waitUntil(async () => (await stage.deliveries())[0]?.status === 'DELIVERED');
  });
  expect(await correctWebhooks(deps, AN_HOUR_AGO())).toBe(0);
  await lose(
    sql,
    `delete from webhook_delivery where connection_id = '${connectionId}';
     delete from webhook_event where connection_id = '${connectionId}';
     update connection set status = 'CONNECTED' where connection_id = '${connectionId}'`,
  );
  await vi.waitUntil(async () => (await correctWebhooks(deps, AN_HOUR_AGO())) === 1);
  await withWorkers(() => arrive(2));
  const [told, correction] = await Promise.all(receiver.received.map((webhook) => verifyWebhook(webhook, secret)));
  expect(correction).toMatchObject({
    type: 'connection.corrected',
    data: { connectionId, provider: 'PROVIDER_B', status: 'CONNECTED' },
  });
  expect(Number(correction?.data.sequence)).toBeGreaterThan(Number(told?.data.sequence));
  expect(neighbour.received).toHaveLength(1);
});

test('a disconnect that revoked and left no receipt reruns with its input, and no other', async ({ sql, stage }) => {
  const { withWorkers, client, taskQueue, appId, connectionId } = stage;
  const seeded = await seedApp(sql);
  const kept = await seedConnection(sql, seeded, { scope: seeded.newScope() });
  const gone = newId<ConnectionId>();
  const begin = async (id: ConnectionId) => {
    const jobs = { revokeJobId: newId<JobId>(), eraseJobId: newId<JobId>() };
    const correlationId = newId<CorrelationId>();
    const input = { connectionId: id, provider: 'PROVIDER_B', ...jobs, appId, correlationId } as const;
    const { signal: _none, ...dispatch } = buildDispatch('disconnect', input);
    await startWorkflow(client, taskQueue, { ...dispatch, signalName: null });
    await client.workflow.getHandle(dispatch.workflowId).result();
    return { connectionId: id, provider: 'PROVIDER_B', ...jobs };
  };
  const listRuns = async (id: ConnectionId) => {
    const runs = [];
    for await (const run of client.workflow.list({ query: `WorkflowId = 'disconnect/${id}'` })) runs.push(run);
    return runs;
  };
  const deps = { sql: asWorker(sql), recall: createRecall(client, taskQueue), log };
  await withWorkers(async () => {
    const input = await begin(connectionId);
    await Promise.all([begin(kept), begin(gone)]);
    // The one that was kept has its receipts; the workers of this test leave none.
    await sql`
      insert into disconnect_job (job_id, kind, connection_id, app_id, provider, registration_id, correlation_id)
      select gen_random_uuid(), 'ERASE', connection_id, app_id, provider, registration_id, gen_random_uuid()
      from connection where connection_id = ${kept}
    `;
    await vi.waitUntil(async () => (await deps.recall.listDisconnects(AN_HOUR_AGO())).length === 3, { interval: 200 });
    expect(await repeatDisconnects(deps, AN_HOUR_AGO())).toBe(1);
    await vi.waitUntil(async () => (await listRuns(connectionId)).length === 2, { interval: 200 });
    await client.workflow.getHandle(`disconnect/${connectionId}`).result();
    const [again] = (await client.workflow.getHandle(`disconnect/${connectionId}`).fetchHistory()).events ?? [];
    const [payload] = again?.workflowExecutionStartedEventAttributes?.input?.payloads ?? [];
    // The platform had confirmed the revoke: its receipt reports it again.
    expect(JSON.parse(Buffer.from(payload?.data ?? []).toString())).toEqual({ ...input, revoked: true });
  });
  expect(await listRuns(kept)).toHaveLength(1);
  expect(await listRuns(gone)).toHaveLength(1);
});

describe('a new timeline', () => {
  const NOTHING: Recall = {
    listDisconnects: async () => [],
    findDisconnect: async () => undefined,
    repeatDisconnect: async () => undefined,
    listToldEvents: async function* () {},
  };
  const open = (sql: Database, more: Partial<Recall> = {}) => {
    const asked = vi.fn(NOTHING.listDisconnects);
    const recall = { ...NOTHING, listDisconnects: asked, ...more };
    const watch = watchFailovers({ sql: asWorker(sql), recall, log }, () => true, { everyMs: 20, settleMs: 20 });
    onTestFinished(() => watch.close());
    return { asked, close: watch.close };
  };
  const failOver = (sql: Database) => sql`update failover_state set handled_timeline = '00000000', taken_until = now()`;
  const isHandled = async (sql: Database) =>
    (await sql`select handled_timeline = current_timeline() as is from failover_state`)[0]?.is === true;

  test('is looked at once, by one of two workers', async ({ sql }) => {
    await failOver(sql);
    const [one, two] = [open(sql), open(sql)];
    await vi.waitUntil(() => isHandled(sql));
    await Promise.all([one.close(), two.close()]);
    expect(one.asked.mock.calls.length + two.asked.mock.calls.length).toBe(1);
  });

  test('is looked at again after a worker that loses Temporal before it corrected the webhooks', async ({ sql }) => {
    await failOver(sql);
    // biome-ignore lint/correctness/useYield: Temporal is away before the first event.
    const listToldEvents = vi.fn(async function* (): ReturnType<Recall['listToldEvents']> {
      throw new Error('Temporal is away.');
    });
    const failing = open(sql, { listToldEvents });
    await vi.waitUntil(() => listToldEvents.mock.calls.length === 1);
    await failing.close();
    expect(await isHandled(sql)).toBe(false);

    await failOver(sql); // No one looks any longer.
    open(sql);
    await vi.waitUntil(() => isHandled(sql));
  });
});
