import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { describe, vi } from 'vitest';
import { findFreePort } from '../../local/src/ports.ts';
import { createCommandEnvironment, createWorkerService, ROOT } from '../../local/src/services.ts';
import { FAILING_WORKFLOWS } from '../../src/workflows/contract.ts';
import { PROGRAM } from '../kit/built.ts';
import { Part } from '../kit/processes.ts';
import { openRunFolder } from '../kit/run-folder.ts';
import type { TestService } from '../kit/service.ts';
import { stackTest } from '../kit/stack.ts';
import { bundleWorkflows } from '../kit/temporal.ts';
import { NEXT_PATCH } from '../workflows/next-workflows.ts';
import { CALLERS, listFailedTasks, OPEN, openWorkflows, PATIENT, startLoad } from './open-workflows.ts';

/** A flow of the load may take so long at most, while workers come and go beside it. */
const STALLED_MS = 60_000;

const test = stackTest({
  adjustments: {
    ...Object.fromEntries(['A', 'B', 'C'].map((name) => [`PROVIDER_${name}_CALLS_PER_SECOND`, '1000'])),
    LOG_LEVEL: 'warn',
  },
});

/** Workers of other builds beside those of the service. */
async function openBuilds({ settings, database }: TestService) {
  const run = await openRunFolder();
  const parts: Part[] = [];
  return {
    /** @param file in `test/workflows`. @returns the variable that makes a worker run these workflows */
    async bundle(file: string): Promise<{ WORKFLOW_BUNDLE: string }> {
      const bundle = path.join(run.folder, `${file}.js`);
      writeFileSync(bundle, (await bundleWorkflows(path.join(ROOT, 'test', 'workflows', file))).code);
      return { WORKFLOW_BUNDLE: bundle };
    },
    async start(variables: Record<string, string> = {}): Promise<Part> {
      const ports = { ...settings.ports, workerHealth: await findFreePort() };
      const { env, ...worker } = createWorkerService({ ...settings, databaseUrl: database.urls.worker, ports });
      const part = new Part({ ...worker, name: `worker-${parts.length + 2}`, env: { ...env, ...variables } }, run);
      parts.push(part);
      await part.start();
      return part;
    },
    async close() {
      await Promise.all(parts.map((part) => part.stop()));
      run.remove();
    },
  };
}

describe(`a rolling upgrade with changed workflows, and the way back, with ${OPEN} open workflows and load`, () => {
  test('fails none and stalls none', { timeout: 3_600_000 }, async ({ service, expect, onTestFinished }) => {
    const { temporalClient } = service;
    const builds = await openBuilds(service);
    onTestFinished(builds.close);
    const next = await builds.bundle('next-workflows.ts');
    const taking = { ...next, WORKFLOW_PATCHES: NEXT_PATCH };
    const versioned = {
      ...(await builds.bundle('next-versioned-workflows.ts')),
      WORKFLOW_PATCHES: NEXT_PATCH,
      WORKER_BUILD_ID: '1',
    };
    const [old] = service.workers;
    const open = await openWorkflows(service);
    const load = startLoad(service);
    const count = async (query: string) => (await temporalClient.workflow.count(query)).count;
    const phase = async (name: string, change: () => Promise<void>) => {
      await open.leave();
      load.takeDurations();
      await change();
      expect(await open.comeBack()).toEqual(new Set(['COMPLETED']));
      await open.step();
      const durations: number[] = [];
      await vi.waitUntil(() => {
        durations.push(...load.takeDurations());
        return durations.length >= CALLERS || load.odd.length > 0;
      }, PATIENT);
      expect(await count(FAILING_WORKFLOWS)).toBe(0);
      expect(load.odd).toEqual([]);
      expect(Math.max(0, ...durations), name).toBeLessThan(STALLED_MS);
    };
    /** Replaces workers one by one, as a Deployment does: the new one is ready before an old one stops. */
    const replace = async (those: readonly (Part | undefined)[], variables: Record<string, string>) => {
      const made: Part[] = [];
      for (const part of those) {
        made.push(await builds.start(variables));
        await part?.stop();
      }
      return made;
    };

    let workers: readonly (Part | undefined)[] = [old, await builds.start()];
    await phase('rolling upgrade', async () => {
      workers = await replace(workers, next);
    });
    await phase('rollback', async () => {
      workers = await replace(workers, {});
    });
    await phase('rolling upgrade again', async () => {
      workers = await replace(workers, next);
    });
    await phase('the patch is taken', async () => {
      workers = await replace(workers, taking);
    });
    await phase('first versioned build', async () => {
      await builds.start(versioned);
      const env = { ...createCommandEnvironment(service.settings), PATH: process.env.PATH ?? '' };
      await promisify(execFile)(process.execPath, [PROGRAM, 'workers', 'promote', '--build', '1'], { env });
      for (const part of workers) await part?.stop();
    });
    await load.end();
    expect(load.odd).toEqual([]);
    open.repair();
    await open.retry();
    await open.ends();
    await vi.waitUntil(
      async () => (await count('ExecutionStatus = "Running" AND WorkflowType = "disconnect"')) === 0,
      PATIENT,
    );
    expect(await count('ExecutionStatus IN ("Failed", "TimedOut", "Terminated")')).toBe(0);
    expect(await listFailedTasks(service)).toEqual([]);
  });
});
