import { execFile } from 'node:child_process';
import { describe, inject, vi } from 'vitest';
import { ROOT } from '../../local/src/services.ts';
import type { Answer } from '../kit/graphql.ts';
import { lastDays } from '../kit/person.ts';
import type { TestService } from '../kit/service.ts';
import { stackTest } from '../kit/stack.ts';
import { operator } from './operator.ts';
import { type Ask, findJob, stuckRevoke } from './stuck-revoke.ts';

const SOON = { interval: 20 };

const test = stackTest().extend<{ $file: { ask: Ask } }>({
  ask: [async ({ service }, use) => await use(await operator(service)), { scope: 'file' }],
});

interface Run {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

const execute = (program: string, args: readonly string[], env: Record<string, string>) =>
  new Promise<Run>((resolve) => {
    execFile(program, args, { cwd: ROOT, env: { PATH: process.env.PATH ?? '', ...env } }, (error, stdout, stderr) =>
      resolve({ code: error ? 1 : 0, stdout, stderr }),
    );
  });

/** The `temporal` program, with Temporal's own settings only. */
const temporal = ({ settings }: TestService, ...args: string[]) =>
  execute(inject('temporalCommand'), args, settings.temporal);

/** Measures the ms from `retry` to the next call to the provider. */
async function untilNextCall(calls: () => number, retry: () => Promise<unknown>): Promise<number> {
  const before = calls();
  const startedAt = performance.now();
  await retry();
  await vi.waitUntil(() => calls() > before, { interval: 5 });
  return Math.round(performance.now() - startedAt);
}

test('a disconnect ends only the workflow of the read that waits for its next try', async ({
  service,
  newPerson,
  expect,
}) => {
  const { control } = service.sandbox;
  const connect = async () => {
    const person = newPerson();
    const account = person.account('PROVIDER_B', /right to left/);
    const { connectionId } = await person.connect('PROVIDER_B', account);
    await person.synced(connectionId);
    return { person, account, connectionId };
  };
  const wait = async ({ person, connectionId }: Awaited<ReturnType<typeof connect>>) => {
    const { id } = await person.ask('requestRefresh', { connectionId, window: lastDays(80) });
    const next = async () => Date.parse((await person.ask('syncJob', { connectionId, id })).nextRetryAt) - Date.now();
    await vi.waitUntil(async () => (await next()) > 15_000, SOON);
    return { person, connectionId, workflow: service.temporalClient.workflow.getHandle(`scan/${id}`) };
  };
  const people = await Promise.all([connect(), connect()]);
  const [{ account }] = people; // Both have this account.
  const what = { kind: 'status', status: 503 } as const;
  const fault = control.addFault({ provider: 'PROVIDER_B', route: 'videoList', account, times: null, what });
  const [leaving, staying] = await Promise.all([wait(people[0]), wait(people[1])]);
  const statuses = () =>
    Promise.all([leaving, staying].map(async ({ workflow }) => (await workflow.describe()).status.name));
  expect(await statuses()).toEqual(['RUNNING', 'RUNNING']);
  await leaving.person.ask('disconnectConnection', { connectionId: leaving.connectionId });
  await vi.waitUntil(async () => (await statuses())[0] !== 'RUNNING', { interval: 20 });
  expect(await statuses()).toEqual(['COMPLETED', 'RUNNING']);
  control.removeFault(fault.id);
});

describe('a revoke whose next try is most of an hour away', () => {
  test('is retried from Temporal alone, one by one and in a batch', async ({ service, ask, newPerson, expect }) => {
    const { connectionId, calls, endOutage, job } = await stuckRevoke(service, ask, newPerson());
    const one = await untilNextCall(calls, () =>
      temporal(service, 'workflow', 'signal', '--workflow-id', job.workflowId, '--name', 'retryNow'),
    );
    console.log(`temporal workflow signal: tried again after ${one} ms, the command included`);
    await vi.waitUntil(async () => (await findJob(ask, job.id)).tries === 2, SOON);
    endOutage();
    const query = `ConnectionId = "${connectionId}" AND ExecutionStatus = "Running"`;
    await vi.waitUntil(async () => (await service.temporalClient.workflow.count(query)).count === 1, SOON);
    const batch = await untilNextCall(calls, async () => {
      const run = await temporal(
        service,
        'workflow',
        'signal',
        '--query',
        query,
        '--name',
        'retryNow',
        '--reason',
        'test',
        '--yes',
      );
      expect(run.code, run.stderr).toBe(0);
    });
    console.log(`temporal batch signal: tried again after ${batch} ms, the command included`);
    await vi.waitUntil(async () => (await findJob(ask, job.id)).status === 'SUCCEEDED', SOON);
  });

  test('is restarted after its workflow was terminated', async ({ service, ask, newPerson, expect }) => {
    const { revokeJobId, job, endOutage } = await stuckRevoke(service, ask, newPerson());
    expect(
      (await temporal(service, 'workflow', 'terminate', '--workflow-id', job.workflowId, '--reason', 'test')).code,
    ).toBe(0);
    endOutage();
    await ask('mutation ($id: ID!) { retryJob(id: $id) { id } }', { id: revokeJobId });
    await vi.waitUntil(async () => (await findJob(ask, revokeJobId)).status === 'SUCCEEDED', SOON);
  });
});

describe('a revoke that has failed permanently', () => {
  test('is retried by an operator with the kept tokens after everything else is erased', async ({
    service,
    ask,
    newPerson,
    expect,
  }) => {
    const person = newPerson();
    const { connectionId, revokeJobId, eraseJobId, endOutage } = await stuckRevoke(service, ask, person);
    await service.database.sql`update disconnect_job set give_up_at = business_now() where job_id = ${revokeJobId}`;
    const retry = () => ask('mutation ($id: ID!) { retryJob(id: $id) { status workflowId } }', { id: revokeJobId });
    await retry();
    expect(await person.ended(connectionId, revokeJobId)).toMatchObject({ status: 'FAILED' });
    expect(await person.ended(connectionId, eraseJobId)).toMatchObject({ status: 'SUCCEEDED' });
    const view = `JobKind = "REVOKE_FAILED" AND ConnectionId = "${connectionId}"`;
    await vi.waitUntil(async () => (await service.temporalClient.workflow.count(view)).count === 1, SOON);
    endOutage();
    const { retryJob } = await retry();
    expect(retryJob.workflowId).toMatch(/^revoke\/[0-9a-f-]{36}\/1$/);
    await vi.waitUntil(async () => (await findJob(ask, revokeJobId)).status === 'SUCCEEDED', SOON);
    const [row] = await service.database.sql`select sealed_tokens from disconnect_job where job_id = ${revokeJobId}`;
    expect(row?.sealedTokens).toBeNull();
  });
});

describe('a bulk disconnect of a tenant', () => {
  test('shows its progress and leaves no connection', async ({ service, ask, newPerson, expect }) => {
    const accounts = service.sandbox.control.accounts('PROVIDER_B').map(({ id }) => id);
    for (const account of accounts.slice(0, 2)) await newPerson().connect('PROVIDER_B', account);
    const { appId, tenantKey } = service.app;
    const { disconnectAll } = await ask(
      'mutation ($i: DisconnectAllInput!) { disconnectAll(input: $i) { connectionCount bulkDisconnect { id total } } }',
      { i: { appId, tenantKey } },
    );
    expect(disconnectAll.connectionCount).toBeGreaterThanOrEqual(2);
    const progress = async () =>
      (
        await ask(
          'query ($id: ID!) { bulkDisconnect(id: $id) { total disconnected unsettled revokesFailed finishedAt } }',
          { id: disconnectAll.bulkDisconnect.id },
        )
      ).bulkDisconnect;
    await vi.waitUntil(async () => (await progress()).finishedAt !== null && (await progress()).unsettled === 0, SOON);
    expect(await progress()).toMatchObject({
      total: disconnectAll.connectionCount,
      disconnected: disconnectAll.connectionCount,
      revokesFailed: 0,
    });
    const rows = await service.database.sql`select from connection where app_id = ${appId}`;
    expect(rows).toHaveLength(0);
  });
});

describe('erasing a person', () => {
  test('leaves nothing that identifies them', async ({ service, ask, newPerson, expect }) => {
    const person = newPerson();
    const [account] = service.sandbox.control.accounts('PROVIDER_B').map(({ id }) => id);
    await person.connect('PROVIDER_B', account ?? '');
    const { eraseSubject } = await ask(
      'mutation ($i: EraseSubjectInput!) { eraseSubject(input: $i) { erasure { id } } }',
      { i: { appId: service.app.appId, ...person.scope } },
    );
    const receipt = async () =>
      (
        await ask('query ($id: ID!) { erasure(id: $id) { remaining completedAt jobs { kind status } } }', {
          id: eraseSubject.erasure.id,
        })
      ).erasure;
    await vi.waitUntil(async () => (await receipt()).remaining === 0, SOON);
    expect((await receipt()).jobs.map(({ status }: Answer) => status)).toEqual(['SUCCEEDED', 'SUCCEEDED']);
    const [row] = await service.database.sql`
      select count(*)::int as count from scope where external_subject_id = ${person.scope.externalSubjectId}
    `;
    expect(row?.count).toBe(0);
  });
});
