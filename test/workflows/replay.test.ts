import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { historyToJSON } from '@temporalio/common/lib/proto-utils.js';
import { type ReplayResult, Worker } from '@temporalio/worker';
import { beforeAll, describe, expect, test as plainTest } from 'vitest';
import { ROOT } from '../../local/src/services.ts';
import { newDisconnect, quiet } from '../kit/fake-activities.ts';
import { newFolder } from '../kit/folder.ts';
import { bundleWorkflows, createWorkers, runUntil, startOn, test } from '../kit/temporal.ts';
import { readHistories, record, SCENARIOS } from './histories.ts';
import { NEXT_PATCH } from './next-workflows.ts';
import { folderOf, listReleases, readReleasedWorkflows, writeReleasedWorkflows } from './released.ts';

/** `RECORD_HISTORIES=1` records the histories again, which is right only for unreleased workflows. */
const recording = process.env.RECORD_HISTORIES === '1';

interface Recorded {
  readonly name: string;
  readonly text: string;
}

async function replay(
  workflowBundle: { code: string },
  recorded: readonly Recorded[] = readHistories(),
): Promise<ReplayResult[]> {
  const histories = recorded.map(({ name, text }) => ({ workflowId: name, history: JSON.parse(text) }));
  const results: ReplayResult[] = [];
  for await (const result of Worker.runReplayHistories({ workflowBundle }, histories)) results.push(result);
  return results;
}

/** Which runs the code does not replay, and why. */
const listStrayed = async (...args: Parameters<typeof replay>): Promise<string[]> =>
  (await replay(...args)).flatMap(({ workflowId, error }) => (error ? [`${workflowId}: ${error.message}`] : []));

if (recording) {
  describe('recording', () => {
    for (const [name, scenario] of Object.entries(SCENARIOS)) {
      test(name, async ({ temporal }) => await record(temporal, name, scenario));
    }
  });
}

describe('recorded runs', () => {
  let bundle: { code: string };
  beforeAll(async () => {
    bundle = await bundleWorkflows();
  });

  plainTest('replay with the current workflows', async () => {
    expect(readHistories().map(({ name }) => name)).toEqual(Object.keys(SCENARIOS).sort());
    expect(await listStrayed(bundle)).toEqual([]);
  });
});

/** `npm run release -- VERSION` sets it, and only then this file writes. */
const NEW = process.env.RELEASE_FIXTURE;
const releases = listReleases();

describe('a release', () => {
  let current: { code: string };
  beforeAll(async () => {
    current = await bundleWorkflows();
  });

  plainTest.runIf(NEW !== undefined)('is written for the release', () => writeReleasedWorkflows(folderOf(NEW ?? '')));

  plainTest('keeps its workflows and recorded runs, for each release in the changelog', () => {
    const released = [...readFileSync(path.join(ROOT, 'CHANGELOG.md'), 'utf8').matchAll(/^## (\d+\.\d+\.\d+\S*), /gm)];
    expect(releases).toEqual(expect.arrayContaining(released.map(([, version]) => version)));
  });

  plainTest.each(releases)('%s: its recorded runs replay with the current workflows', async (version) => {
    const { histories } = readReleasedWorkflows(folderOf(version));
    expect(histories.length).toBeGreaterThan(30);
    expect(await listStrayed(current, histories)).toEqual([]);
  });

  plainTest.each(releases.slice(-1))(
    '%s: the current recorded runs replay with its workflows, so that you can go back to it',
    async (version) => {
      expect(await listStrayed(readReleasedWorkflows(folderOf(version)).bundle)).toEqual([]);
    },
  );

  // Until the first release there is no other version, so the test makes one that has a patch more.
  test('can be gone back to from the next one while that only knows its patch, and not once it takes the patch', async ({
    temporal,
  }) => {
    const folder = newFolder();
    writeReleasedWorkflows(folder);
    const { bundle: previous, histories } = readReleasedWorkflows(folder);
    const next = await bundleWorkflows(path.join(import.meta.dirname, 'next-workflows.ts'));
    const recordNext = async (patches: readonly string[]): Promise<Recorded> => {
      const taskQueue = `test-${randomUUID()}`;
      const workers = await createWorkers(temporal.env, taskQueue, {
        activities: quiet,
        workflowBundle: next,
        patches,
      });
      return await runUntil(workers, async () => {
        const run = await startOn(temporal.env, taskQueue)('disconnect', newDisconnect());
        await run.result();
        return { name: patches.join(), text: historyToJSON(await run.fetchHistory()) };
      });
    };
    const [known, taken] = [await recordNext([]), await recordNext([NEXT_PATCH])];
    expect(await listStrayed(next, [...histories, known, taken])).toEqual([]);
    expect(await listStrayed(previous, [known])).toEqual([]);
    expect(await listStrayed(previous, [taken])).toMatchObject([expect.stringContaining('Nondeterminism')]);
  });
});
