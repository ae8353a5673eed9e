import type { WorkflowHandle } from '@temporalio/client';
import { ApplicationFailure } from '@temporalio/common';
import { describe, expect } from 'vitest';
import { failure, gate, NOTHING_DUE, until } from '../../kit/fake-activities.ts';
import { inTurn, readTranscripts, test } from '../transcripts.ts';

const type = 'sweep';
const at = (id: string) => ({ dueAt: '2026-01-01T00:00:00.000Z', id });
const posts = '"oldPosts":{"dueAt":"2026-01-01T00:00:00.000Z","id":"p"}';

describe('a sweep', () => {
  test('its steps, calls and result', async ({ temporal }) => {
    const applyRetention = inTurn(
      {
        rows: { oldPosts: 5, oldReceipts: 1, oldGrants: 0 },
        failed: ['oldUsage', 'oldProfiles'],
        positions: { oldPosts: at('p'), oldProfiles: at('q') },
        unfinished: ['oldPosts'],
      },
      { ...NOTHING_DUE, rows: { oldPosts: 2 } },
    );
    const rounds = { activities: { applyRetention } };
    const [usual, given, long, unknown] = await readTranscripts(temporal, [
      { type, input: { kind: 'minute' } },
      { type, input: { kind: 'retention', positions: { oldPosts: at('p') } } },
      { type, input: { kind: 'retention' }, longAt: 9, ...rounds },
      { type, input: { kind: 'weekly' } },
    ]);
    const retention = (task: string) => `applyRetention queued () {${task}}`;
    expect(usual).toEqual([
      'SWEEP',
      'reconcileRows queued () {"positions":{}}',
      'startUpkeep queued () {"positions":{}}',
      'ENDED: Nothing was due.',
      'returns {"rows":{},"failed":[],"positions":{}}',
    ]);
    expect(given?.slice(0, 2)).toEqual(['SWEEP', retention(`"positions":{${posts}}`)]);
    const left =
      `"positions":{"oldUsage":null,"oldProfiles":{"dueAt":"2026-01-01T00:00:00.000Z","id":"q"},${posts}},` +
      '"only":["oldPosts"]';
    expect(long).toEqual([
      'SWEEP',
      retention('"positions":{}'),
      "SWEEP: oldPosts: 5, oldReceipts: 1. Failed: oldUsage, oldProfiles; see the worker's log.",
      `continues as new {"kind":"retention",${left}}`,
      'SWEEP',
      retention(left),
      'ENDED: oldPosts: 2.',
      'returns {"rows":{"oldPosts":2},"failed":[],"positions":{}}',
    ]);
    expect(unknown).toEqual(['SWEEP', 'fails: UnknownSweep']);
  });

  test('continues with the steps that ran out of time, until all are due again', async ({ temporal }) => {
    const unfinished = { ...NOTHING_DUE, unfinished: ['readJobs'] };
    const reconcileRows = inTurn(
      { ...unfinished, rows: { readJobs: 9 }, failed: ['holds'], positions: { holds: at('h') } },
      { ...unfinished, rows: { readJobs: 3 } },
      ApplicationFailure.create({ nextRetryDelay: '60 seconds' }),
      unfinished,
      { ...unfinished, positions: { readJobs: at('r') } },
      NOTHING_DUE,
    );
    const left = { ...NOTHING_DUE, unfinished: ['oldPosts'] };
    const quarterLater = ApplicationFailure.create({ nextRetryDelay: '900 seconds' });
    const applyRetention = inTurn(left, quarterLater, left, left, quarterLater, left, NOTHING_DUE);
    const [lines, retention] = await readTranscripts(temporal, [
      { type, input: { kind: 'minute' }, activities: { reconcileRows } },
      { type, input: { kind: 'retention' }, activities: { applyRetention } },
    ]);
    const [all, some] = ['"positions":{}', '"positions":{},"only":["oldPosts"]'];
    expect(retention?.filter((line) => line.startsWith('apply'))).toEqual(
      [all, some, all, some, all].map((task) => `applyRetention queued () {${task}}`),
    );
    const holds = '"holds":{"dueAt":"2026-01-01T00:00:00.000Z","id":"h"}';
    const rest = `reconcileRows queued () {"positions":{${holds}},"only":["readJobs"]}`;
    expect(lines).toEqual([
      'SWEEP',
      'reconcileRows queued () {"positions":{}}',
      'startUpkeep queued () {"positions":{}}',
      "SWEEP: readJobs: 9. Failed: holds; see the worker's log.",
      rest,
      "SWEEP: readJobs: 12. Failed: holds; see the worker's log.",
      rest,
      `reconcileRows queued () {"positions":{${holds}}}`,
      `startUpkeep queued () {"positions":{${holds}}}`,
      'SWEEP: readJobs: 12.',
      'reconcileRows queued () {"positions":{"readJobs":{"dueAt":"2026-01-01T00:00:00.000Z","id":"r"}},"only":["readJobs"]}',
      'ENDED',
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
