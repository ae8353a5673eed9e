import { describe, vi } from 'vitest';
import { FAILING_WORKFLOWS } from '../../src/workflows/contract.ts';
import { stackTest } from '../kit/stack.ts';
import { openBuilds, type } from './builds.ts';
import {
  ALL_ENDED,
  CALLERS,
  listFailedTasks,
  OPEN,
  openWorkflows,
  PATIENT,
  REVOKES,
  startLoad,
} from './open-workflows.ts';

const [A, B] = ['build-a', 'build-b'];
const DEPLOYMENT = 'accounts';
const SUMMARY = 'a step of build B';
const STEP = `await wf.sleep('2 seconds', { summary: '${SUMMARY}' });`;
/** Build A knows these two steps, and does not take them. Workflows that may wait for days move between the builds. */
const PATCHES = ['rest-before-erase', 'rest-before-end'] as const;
const KNOWN = [
  {
    file: 'disconnect.ts',
    find: `showStep('ERASE', \`\${`,
    put: `if (wf.patched('${PATCHES[0]}')) ${STEP}\n      showStep('ERASE', \`\${`,
  },
  {
    file: 'read-job.ts',
    find: `showStep('ENDED', \`\${label}`,
    put: `if (wf.patched('${PATCHES[1]}')) ${STEP}\n    showStep('ENDED', \`\${label}`,
  },
];
/** An attempt ends on the build that it began on: its steps change without a patch. */
const CHANGED = {
  file: 'connect-attempt.ts',
  find: `showStep('WAIT_FOR_PERSON'`,
  put: `await wf.sleep('10 milliseconds', { summary: '${SUMMARY}' });\n  showStep('WAIT_FOR_PERSON'`,
};

const test = stackTest({
  adjustments: {
    ...Object.fromEntries(['A', 'B', 'C'].map((name) => [`PROVIDER_${name}_CALLS_PER_SECOND`, '1000'])),
    LOG_LEVEL: 'warn',
  },
});

describe(`worker builds with changed workflows, and ${OPEN} open ones, twice`, () => {
  test('an upgrade fails none, and neither does its rollback', { timeout: 5_400_000 }, async ({
    service,
    expect,
    onTestFinished,
  }) => {
    const { workflow } = service.temporalClient;
    const builds = await openBuilds(service);
    onTestFinished(builds.close);
    const promote = (build: string) => type(service, 'workers', 'promote', '--build', build);
    const listBuilds = async () => {
      const states = (await type(service, 'workers', 'list')) as unknown as { buildId: string; status: string }[];
      return Object.fromEntries(states.map(({ buildId, status }) => [buildId, status]));
    };
    const count = async (query: string) => (await workflow.count(query)).count;
    /** Ended disconnects by the build that they ended on, with and without the step. */
    const countDisconnects = async () => {
      const of = (build: string, step = '') =>
        count(
          `WorkflowType = 'disconnect' AND ExecutionStatus = 'Completed' AND ` +
            `TemporalWorkerDeploymentVersion = '${DEPLOYMENT}:${build}'${step}`,
        );
      const taken = ` AND TemporalChangeVersion = '${PATCHES[0]}'`;
      return {
        [A]: await of(A),
        [B]: await of(B),
        'of A, with the step': await of(A, taken),
        'of B, with it': await of(B, taken),
      };
    };
    /** Whether the completed attempts of a build have taken the step that only B has: one value if all are alike. */
    const listAttempts = async (build: string) => {
      const taken = new Set<boolean>();
      const query =
        `WorkflowType = 'connectAttempt' AND ExecutionStatus = 'Completed' AND ` +
        `TemporalWorkerDeploymentVersion = '${DEPLOYMENT}:${build}'`;
      for await (const { workflowId } of workflow.list({ query })) {
        const { events } = await workflow.getHandle(workflowId).fetchHistory();
        const summaries = (events ?? []).map(({ userMetadata }) => Buffer.from(userMetadata?.summary?.data ?? []));
        taken.add(summaries.some((summary) => summary.includes(SUMMARY)));
      }
      return taken;
    };
    const table: object[] = [];
    let load = startLoad(service);
    const phase = async (name: string, work: () => Promise<void>) => {
      load.takeDurations();
      const startedAt = performance.now();
      await work();
      const ms = performance.now() - startedAt;
      expect(load.odd, name).toEqual([]);
      expect(await count(FAILING_WORKFLOWS), name).toBe(0);
      const longest = Math.max(0, ...load.takeDurations());
      const seconds = (ms: number) => Number((ms / 1_000).toFixed(1));
      const row = { phase: name, s: seconds(ms), 'longest flow, s': seconds(longest), ...(await listBuilds()) };
      console.log(JSON.stringify(row));
      table.push(row);
    };
    const comeBack = async (open: Awaited<ReturnType<typeof openWorkflows>>) =>
      expect(await open.comeBack()).toEqual(new Set(['COMPLETED']));

    const variablesOfA = { ...(await builds.bundle(A, builds.change(A, KNOWN))), WORKER_BUILD_ID: A };
    const changed = await builds.bundle(B, builds.change(B, [...KNOWN, CHANGED]));
    const variablesOfB = { ...changed, WORKER_BUILD_ID: B, WORKFLOW_PATCHES: PATCHES.join(' ') };
    await builds.start(variablesOfA);
    await promote(A);
    await service.workers[0]?.stop();

    const first = await openWorkflows(service);
    await phase('B is promoted', async () => {
      await builds.start(variablesOfB);
      expect(await promote(B)).toMatchObject({ currentBuild: B, previousBuild: A });
    });
    await phase('all that wait try again', first.step);
    await phase('half of the people come back', () => comeBack(first));
    await phase('all end', async () => {
      first.repair();
      await first.retry();
      for (let half = 0; half < 2; half += 1) await comeBack(first);
      expect(await first.ends()).toEqual(ALL_ENDED);
    });
    await vi.waitUntil(
      async () => (await count(`ExecutionStatus = 'Running' AND WorkflowType = 'disconnect'`)) <= CALLERS,
      PATIENT,
    );
    const upgraded = await countDisconnects();
    expect(upgraded['of B, with it']).toBeGreaterThanOrEqual(REVOKES);
    expect(await listAttempts(A)).toEqual(new Set([false]));
    expect(await listAttempts(B)).toEqual(new Set([true]));

    await load.end();
    await promote(A);
    const second = await openWorkflows(service);
    load = startLoad(service);
    await phase('B is promoted again', async () => {
      await promote(B);
      await second.step();
      await comeBack(second);
    });
    await phase('rollback while a half ends', async () => {
      second.repair();
      await second.retry(0, second.waiting / 2);
      await vi.waitUntil(async () => (await second.countEnded()) > REVOKES / 4, { ...PATIENT, interval: 20 });
      expect(await promote(A)).toMatchObject({ currentBuild: A, previousBuild: B });
    });
    await phase('all end', async () => {
      await second.retry(second.waiting / 2);
      for (let half = 0; half < 2; half += 1) await comeBack(second);
      expect(await second.ends()).toEqual(ALL_ENDED);
    });
    await load.end();
    expect(load.odd).toEqual([]);
    await vi.waitUntil(
      async () => (await count(`ExecutionStatus = 'Running' AND WorkflowType = 'disconnect'`)) === 0,
      PATIENT,
    );
    const back = await countDisconnects();
    // They took the step on B, and ended on A.
    expect(back['of A, with the step']).toBeGreaterThan(0);
    expect(back[B]).toBeGreaterThan(upgraded[B] ?? 0);
    expect(back[A]).toBeGreaterThan(upgraded[A] ?? 0);
    expect(await listBuilds()).toMatchObject({ [A]: 'CURRENT', [B]: expect.stringMatching(/^DRAIN(ING|ED)$/) });
    expect(await count('ExecutionStatus IN ("Failed", "TimedOut", "Terminated")')).toBe(0);
    expect(await listFailedTasks(service)).toEqual([]);
    console.table(table);
    console.table({ 'after the upgrade': upgraded, 'after the rollback': back });
  });
});
