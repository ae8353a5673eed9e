import { hostname } from 'node:os';
import path from 'node:path';
import { type ReplayResult, Worker } from '@temporalio/worker';
import { beforeAll, describe, expect, test as plainTest } from 'vitest';
import { ROOT } from '../../src/local/services.ts';
import { bundleWorkflows, test } from '../kit/temporal.ts';
import { readHistories, record, SCENARIOS } from './histories.ts';

/** `RECORD_HISTORIES=1` records the histories again, which is right only for unreleased workflows. */
const recording = process.env.RECORD_HISTORIES === '1';

async function replay(workflowBundle: { code: string }): Promise<ReplayResult[]> {
  const histories = readHistories().map(({ name, text }) => ({ workflowId: name, history: JSON.parse(text) }));
  const results: ReplayResult[] = [];
  for await (const result of Worker.runReplayHistories({ workflowBundle }, histories)) results.push(result);
  return results;
}

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
    const results = await replay(bundle);
    expect(results.map(({ workflowId }) => workflowId)).toEqual(Object.keys(SCENARIOS).sort());
    const strayed = results.filter(({ error }) => error !== undefined);
    expect(strayed.map(({ workflowId, error }) => `${workflowId}: ${error?.message}`)).toEqual([]);
  });

  plainTest('fail to replay if a workflow changes its commands', async () => {
    const changed = await bundleWorkflows(path.join(import.meta.dirname, 'changed-workflows.ts'));
    const faithful = (await replay(changed)).filter(({ error }) => error === undefined);
    // This run was canceled while it waited, so its history has only the end left to compare.
    expect(faithful.map(({ workflowId }) => workflowId)).toEqual(['connect-cancelled']);
  });

  plainTest('contain no machine name and no path', () => {
    for (const { name, text } of readHistories()) {
      expect(text.includes(hostname()), name).toBe(false);
      expect(text.includes(ROOT), name).toBe(false);
      expect(text, name).not.toMatch(/\d+@|\/home\/|\/root\/|\/Users\/|file:\/\//);
    }
  });
});
