import type { WorkflowHandle } from '@temporalio/client';
import { ApplicationFailure } from '@temporalio/common';
import { describe, expect } from 'vitest';
import { failure, NOTHING_DUE, until } from '../../kit/fake-activities.ts';
import { gate } from '../../kit/gate.ts';
import { inTurn, readTranscripts, test } from '../transcripts.ts';

const type = 'sweep';
const at = (id: string) => ({ dueAt: '2026-01-01T00:00:00.000Z', id });

describe('a sweep', () => {
  test('continues in a new run behind handled rows, and leaves failed steps to the next run', async ({ temporal }) => {
    const applyRetention = inTurn(
      {
        rows: { oldPosts: 5, oldReceipts: 1, oldGrants: 0 },
        failed: ['oldUsage', 'oldProfiles'],
        positions: { oldPosts: at('p'), oldProfiles: at('q') },
        unfinished: ['oldPosts'],
      },
      { ...NOTHING_DUE, rows: { oldPosts: 2 } },
    );
    const [long] = await readTranscripts(temporal, [
      { type, input: { kind: 'retention' }, longAt: 9, activities: { applyRetention } },
    ]);
    const positions = { oldUsage: null, oldProfiles: at('q'), oldPosts: at('p') };
    const left = { positions, only: ['oldPosts'] };
    expect(long).toEqual([
      'applyRetention queued {"positions":{}}',
      `continues as new ${JSON.stringify({ kind: 'retention', ...left })}`,
      `applyRetention queued ${JSON.stringify(left)}`,
      'returns {"rows":{"oldPosts":2},"failed":[],"positions":{}}',
    ]);
  });

  test('continues with the steps that ran out of time, until all are due again', async ({ temporal }) => {
    const unfinished = { ...NOTHING_DUE, unfinished: ['readJobs'] };
    const later = ApplicationFailure.create({ nextRetryDelay: '30 seconds' });
    const reconcileRows = inTurn(
      { ...unfinished, rows: { readJobs: 9 }, failed: ['holds'], positions: { holds: at('h') } },
      ...[later, { ...unfinished, rows: { readJobs: 3 } }],
      ...[later, unfinished],
      { ...unfinished, positions: { readJobs: at('r') } },
      NOTHING_DUE,
    );
    const [lines] = await readTranscripts(temporal, [
      { type, input: { kind: 'minute' }, activities: { reconcileRows } },
    ]);
    const holds = { holds: at('h') };
    const reconcile = (task: object) => `reconcileRows queued ${JSON.stringify(task)}`;
    const rest = reconcile({ positions: holds, only: ['readJobs'] });
    expect(lines).toEqual([
      reconcile({ positions: {} }),
      'startUpkeep queued {"positions":{}}',
      ...[rest, rest],
      reconcile({ positions: holds }),
      `startUpkeep queued ${JSON.stringify({ positions: holds })}`,
      reconcile({ positions: { readJobs: at('r') }, only: ['readJobs'] }),
      'returns {"rows":{"readJobs":12},"failed":[],"positions":{}}',
    ]);
  });

  test('fails without ending the other sweeps of its Schedule', async ({ temporal }) => {
    const [begun, failed] = [gate(), gate()];
    const startUpkeep = async () => {
      begun.open();
      await failed.opened;
      return NOTHING_DUE as never;
    };
    const reconcileRows = async () => {
      await begun.opened;
      throw failure('Unexpected');
    };
    /** The run has received the failure, and has not ended. */
    const meanwhile = async (run: WorkflowHandle) => {
      await until(async () => {
        const { events } = await run.fetchHistory();
        const failedAt = events?.findIndex((event) => event.activityTaskFailedEventAttributes) ?? -1;
        const later = failedAt < 0 ? [] : (events?.slice(failedAt) ?? []);
        return later.some((event) => event.workflowTaskCompletedEventAttributes);
      });
      expect((await run.describe()).status.name).toBe('RUNNING');
      failed.open();
    };
    const [lines] = await readTranscripts(temporal, [
      { type, input: { kind: 'minute' }, activities: { reconcileRows, startUpkeep }, meanwhile },
    ]);
    expect(lines?.at(-1)).toMatch(/^fails: /);
  });
});
