import { execFile } from 'node:child_process';
import { describe, inject, vi } from 'vitest';
import { ROOT } from '../../local/src/services.ts';
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
