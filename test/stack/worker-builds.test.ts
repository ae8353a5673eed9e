import { describe, vi } from 'vitest';
import { FAILING_WORKFLOWS } from '../../src/workflows/contract.ts';
import { stackTest } from '../kit/stack.ts';
import { openBuilds, type } from './builds.ts';
import { ALL_ENDED, listFailedTasks, OPEN, openWorkflows, PATIENT, startLoad } from './open-workflows.ts';

const [A, B] = ['build-a', 'build-b'];
const DEPLOYMENT = 'accounts';
const SUMMARY = 'a step of build B';
const STEP = `await wf.sleep('10 seconds', { summary: '${SUMMARY}' });`;
/** Build A knows these two steps, and does not take them. Workflows that may wait for days move between the builds. */
const PATCHES = ['rest-before-erase', 'rest-before-end'] as const;
/** Disconnects that have taken the step. */
const RESTING = `WorkflowType = 'disconnect' AND TemporalChangeVersion = '${PATCHES[0]}'`;
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
  find: `showStep('EXCHANGE_CODE'`,
  put: `await wf.sleep('10 milliseconds', { summary: '${SUMMARY}' });\n    showStep('EXCHANGE_CODE'`,
};

const test = stackTest({
  adjustments: {
    ...Object.fromEntries(['A', 'B', 'C'].map((name) => [`PROVIDER_${name}_CALLS_PER_SECOND`, '1000'])),
    LOG_LEVEL: 'warn',
  },
});

describe(`worker builds with changed workflows, and ${OPEN} open ones`, () => {
  test('an upgrade, its rollback and the upgrade again fail none', { timeout: 5_400_000 }, async ({
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
      const of = (build: string, those = `WorkflowType = 'disconnect'`) =>
        count(
          `${those} AND ExecutionStatus = 'Completed' AND TemporalWorkerDeploymentVersion = '${DEPLOYMENT}:${build}'`,
        );
      return {
        [A]: await of(A),
        [B]: await of(B),
        'of A, with the step': await of(A, RESTING),
        'of B, with it': await of(B, RESTING),
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
    const load = startLoad(service);
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
    const comeBack = async () => expect(await open.comeBack()).toEqual(new Set(['COMPLETED']));

    const variablesOfA = { ...(await builds.bundle(A, builds.change(A, KNOWN))), WORKER_BUILD_ID: A };
    const changed = await builds.bundle(B, builds.change(B, [...KNOWN, CHANGED]));
    const variablesOfB = { ...changed, WORKER_BUILD_ID: B, WORKFLOW_PATCHES: PATCHES.join(' ') };
    await builds.start(variablesOfA);
    await promote(A);
    await service.workers[0]?.stop();

    const open = await openWorkflows(service);
    const part = (share: number) => Math.floor(open.waiting * share);
    await open.leave();
    await phase('B is promoted', async () => {
      await builds.start(variablesOfB);
      expect(await promote(B)).toMatchObject({ currentBuild: B, previousBuild: A });
    });
    await phase('the people come back', comeBack);
    await phase('all that wait try again', open.step);
    await phase('a part ends, and others are in its middle when A is promoted', async () => {
      open.repair();
      await open.retry(0, part(0.25));
      await vi.waitUntil(async () => (await open.countErased()) > 0, PATIENT);
      await open.leave();
      await open.retry(part(0.25), part(0.5));
      await vi.waitUntil(async () => (await count(`${RESTING} AND ExecutionStatus = 'Running'`)) > 0, PATIENT);
      expect(await promote(A)).toMatchObject({ currentBuild: A, previousBuild: B });
    });
    await phase('the people come back', comeBack);
    await phase('a part ends on A', async () => {
      await open.retry(part(0.5), part(0.75));
      await vi.waitUntil(async () => (await open.countErased()) >= part(0.75), PATIENT);
    });
    await open.leave();
    await phase('B is promoted again, and all end', async () => {
      expect(await promote(B)).toMatchObject({ currentBuild: B, previousBuild: A });
      await comeBack();
      await open.retry(part(0.75));
      expect(await open.ends()).toEqual(ALL_ENDED);
    });
    await load.end();
    expect(load.odd).toEqual([]);
    await vi.waitUntil(
      async () => (await count(`ExecutionStatus = 'Running' AND WorkflowType = 'disconnect'`)) === 0,
      PATIENT,
    );
    const ended = await countDisconnects();
    console.table(table);
    console.table(ended);
    // They took the step on B, and ended on A.
    expect(ended['of A, with the step']).toBeGreaterThan(0);
    expect(ended[A]).toBeGreaterThan(ended['of A, with the step']);
    expect(ended['of B, with it']).toBeGreaterThan(0);
    expect(await listAttempts(A)).toEqual(new Set([false]));
    expect(await listAttempts(B)).toEqual(new Set([true]));
    expect(await listBuilds()).toMatchObject({ [A]: expect.stringMatching(/^DRAIN(ING|ED)$/), [B]: 'CURRENT' });
    expect(await count('ExecutionStatus IN ("Failed", "TimedOut", "Terminated")')).toBe(0);
    expect(await listFailedTasks(service)).toEqual([]);
  });
});
