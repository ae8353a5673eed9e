import { randomUUID } from 'node:crypto';
import { describe, expect } from 'vitest';
import type { WorkflowAnswer } from '../../../src/temporal/ask-workflow.ts';
import { callerOf, createDeps } from '../../kit/caller.ts';
import { type Answer, createTestAdmin, type Operator, refusalOf, useApp } from '../../kit/operator.ts';
import { type Database, test } from '../../kit/postgres.ts';
import { seedConnection, seedContent, seedScope } from '../../kit/seed.ts';
import { seedAttempt } from '../../kit/seed-attempts.ts';

const LIVE = `query ($id: ID!) { liveState(id: $id) {
  workflowId state failing historyLength workerBuild disagreement
  progress { step since tries lastFailure { code } waitingFor waitingUntil done total }
  pendingActivities { name attempt lastFailureType nextRetryAt }
} }`;

const RUNNING = {
  state: 'RUNNING',
  failing: false,
  progress: {
    step: 'REVOKE',
    since: '2026-01-01T00:00:00.000Z',
    tries: 4,
    lastCode: 'PROVIDER_UNAVAILABLE',
    waitingFor: 'NEXT_TRY',
    waitingUntil: '2026-01-01T01:00:00.000Z',
    done: null,
    total: null,
  },
  pendingActivities: [
    { name: 'tryRevoke', attempt: 2, lastFailureType: 'Timeout', nextRetryAt: new Date('2026-01-01T00:00:05Z') },
  ],
  historyLength: 42,
  workerBuild: '1.2.3',
} as const satisfies WorkflowAnswer;

const seeded = useApp();

/** The admin API over workflows that give one answer. @returns the ids of the workflows asked, too. */
async function answering(sql: Database, answer: WorkflowAnswer) {
  const asked: string[] = [];
  const admin = await createTestAdmin(
    sql,
    {},
    {
      askWorkflow: async (workflowId) => {
        asked.push(workflowId);
        return answer;
      },
    },
  );
  return { asked, ask: async (id: string) => (await admin.as('VIEWER')(LIVE, { id })).liveState, admin };
}

async function disconnectOne(sql: Database, operator: Operator) {
  const connectionId = await seedConnection(sql, seeded, { scope: seeded.newScope() });
  const story = await operator.run('disconnectConnection', { id: connectionId }, 'receipts { id kind }');
  const idOf = (sought: string) => String(story.receipts.find(({ kind }: Answer) => kind === sought).id);
  return { connectionId, jobId: idOf('REVOKE'), eraseId: idOf('ERASE') };
}

describe('the live state', () => {
  test('of a job is the answer of its workflow, with the reason in words of the service', async ({ database }) => {
    const { asked, ask, admin } = await answering(database.sql, RUNNING);
    const { connectionId, jobId } = await disconnectOne(database.sql, admin.as('ADMIN'));
    const { lastCode: code, ...progress } = RUNNING.progress;
    expect(await ask(jobId)).toEqual({
      ...RUNNING,
      workflowId: `disconnect/${connectionId}`,
      disagreement: null,
      progress: { ...progress, lastFailure: { code } },
      pendingActivities: [{ ...RUNNING.pendingActivities[0], nextRetryAt: '2026-01-01T00:00:05.000Z' }],
    });
    expect(asked).toEqual([`disconnect/${connectionId}`]);
  });

  test('disagrees with a row, unless a try has ended while the workflow was asked', async ({ sql }) => {
    let meanwhile = async () => {};
    const askWorkflow = async () => {
      await meanwhile();
      return RUNNING;
    };
    const admin = await createTestAdmin(sql, {}, { askWorkflow });
    const { jobId } = await disconnectOne(sql, admin.as('ADMIN'));
    const plan = async (at: string) =>
      void (await sql`update disconnect_job set next_retry_at = ${at} where job_id = ${jobId}`);
    const ask = async () => (await admin.as('VIEWER')(LIVE, { id: jobId })).liveState.disagreement;
    await plan('2026-01-01T00:30:00Z');
    expect(await ask()).toMatch(/^The row plans its next try for 2026-01-01T00:30:00.000Z, the workflow waits until/);
    meanwhile = () => plan(RUNNING.progress.waitingUntil);
    expect(await ask()).toBeNull();
  });

  test('is that of the workflow of each kind of work', async ({ sql }) => {
    const { app } = seeded;
    const scope = seeded.newScope();
    const { asked, ask, admin } = await answering(sql, RUNNING);
    const connectionId = await seedConnection(sql, seeded, { scope });
    const call = callerOf(await createDeps(sql), seeded);
    await seedContent(sql, connectionId, { providerContentId: 'post-1', publishedAt: new Date() });
    const scan = await call('requestRefresh', { scope, connectionId });
    const metrics = await call('requestRefresh', { scope, connectionId, providerContentId: 'post-1' });
    const lookup = await call('requestContentLookup', { scope, connectionId, url: 'https://platform.example/post-1' });
    const attempt = await seedAttempt(sql, seeded, { scopeId: await seedScope(sql, seeded, scope) });
    const disconnectAll = await admin
      .as('ADMIN')
      .run('disconnectAll', { input: { appId: app.appId, tenantKey: seeded.tenantKey } }, 'bulkDisconnect { id }');
    const bulkId = disconnectAll.bulkDisconnect.id;
    const ids = [scan.id, metrics.id, lookup.id, attempt.attemptId, bulkId];
    for (const id of ids) expect(await ask(id)).toMatchObject({ state: 'RUNNING', disagreement: null });
    expect(asked).toEqual([
      `scan/${scan.id}`,
      `metrics/${metrics.id}`,
      `lookup/${lookup.id}`,
      `connect/${attempt.attemptId}`,
      `disconnect-all/${bulkId}`,
    ]);
  });

  test.for([
    ['while Temporal is away is not known', { state: 'NOT_KNOWN' }, { state: 'NOT_KNOWN', progress: null }],
    ['of a workflow whose own code fails shows that', { ...RUNNING, failing: true }, { failing: true }],
    [
      'of a closed workflow names its row, which is open',
      { ...RUNNING, state: 'CLOSED', progress: null, pendingActivities: [] },
      { disagreement: expect.stringMatching(/^The row is open, but its workflow has closed/) },
    ],
  ] as const)('%s', async ([, answer, shown], { sql }) => {
    const { asked, ask, admin } = await answering(sql, answer);
    const { jobId } = await disconnectOne(sql, admin.as('ADMIN'));
    expect(await ask(jobId)).toMatchObject({ disagreement: null, ...shown });
    for (const id of [randomUUID(), 'no id']) expect(await refusalOf(ask(id))).toMatchObject({ code: 'NOT_FOUND' });
    expect(asked).toHaveLength(1);
  });
});
