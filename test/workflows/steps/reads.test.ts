import type { WorkflowHandle } from '@temporalio/client';
import { describe, expect, vi } from 'vitest';
import { failure, gate, wait } from '../../kit/fake-activities.ts';
import { inTurn, readTranscripts, test } from '../transcripts.ts';

const input = { jobId: 'j', connectionId: 'c', provider: 'PROVIDER_B' };
const KINDS = [
  { type: 'scan', step: 'SCAN', name: 'scan', call: 'runScanStep', priority: 3 },
  { type: 'metricsRefresh', step: 'METRICS_REFRESH', name: 'metrics refresh', call: 'runMetricsStep', priority: 3 },
  { type: 'contentLookup', step: 'LOOKUP', name: 'lookup', call: 'runLookupStep', priority: 1 },
] as const;

const linesOf = ({ step, name, call, priority }: (typeof KINDS)[number]) => ({
  start: `${step}: ${name}: trying.`,
  inline: `${call}Inline local (${name}) {"provider":"PROVIDER_B","input":{"jobId":"j","connectionId":"c"}}`,
  queued: `${call} on PROVIDER_B, priority ${priority} (${name}) {"jobId":"j","connectionId":"c"}`,
  background: `${call} on PROVIDER_B, priority 5 (${name}) {"jobId":"j","connectionId":"c"}`,
  end: [`ENDED: ${name}: ended; the job's row has the result.`, 'returns undefined'],
});
const pages = () => inTurn({ done: false }, { done: false }, { done: true });

describe('a read job', () => {
  test('its steps and calls, for every read', async ({ temporal }) => {
    const seen = await readTranscripts(
      temporal,
      KINDS.map(({ type, call }) => ({ type, input, activities: { [call]: pages() } })),
    );
    expect(seen).toEqual(
      KINDS.map((kind) => {
        const { start, inline, queued, end } = linesOf(kind);
        return [start, inline, queued, queued, queued, ...end];
      }),
    );
  });

  const { start, inline, queued, background, end } = linesOf(KINDS[0]);
  const of = (activities: object, rest: object = {}) => ({ type: 'scan', input, activities, ...rest });
  const tried = (done: boolean) => ({ runScanStepInline: async () => ({ tried: true, result: { done } }) });

  test('its first step inline, and the steps after a failure', async ({ temporal }) => {
    const [done, begun, failed] = await readTranscripts(temporal, [
      of(tried(true)),
      of({ ...tried(false), runScanStep: pages() }),
      of({
        runScanStepInline: inTurn(failure('QuotaSpent', { retryAfterSeconds: 600 })),
        runScanStep: inTurn(failure('GrantDead')),
        recordReadFailure: inTurn(wait(600), { ended: true, code: 'RECONNECT_REQUIRED' }),
      }),
    ]);
    expect(done).toEqual([start, inline, ...end]);
    expect(begun).toEqual([start, inline, queued, queued, queued, ...end]);
    const failedTry = (type: string, seconds: number | null) =>
      'recordReadFailure local (record the failed try) ' +
      `{"jobId":"j","failedTry":{"type":"${type}","retryAfterSeconds":${seconds},"answer":null}}`;
    expect(failed).toEqual([
      start,
      inline,
      failedTry('QuotaSpent', 600),
      expect.stringMatching(
        /^SCAN, 1 tries, PROVIDER_UNAVAILABLE, NEXT_TRY for .* Last PROVIDER_UNAVAILABLE \(QuotaSpent\)/,
      ),
      'waits 600000 ms (next scan: PROVIDER_UNAVAILABLE)',
      'SCAN, 1 tries, PROVIDER_UNAVAILABLE: scan: trying.',
      queued,
      failedTry('GrantDead', null),
      "ENDED: scan: ended, RECONNECT_REQUIRED; the job's row has the result.",
      'returns undefined',
    ]);
  });

  test('in the background: is last until a caller waits for it, also in a new run', async ({ temporal }) => {
    const BACKGROUND = { ...input, urgency: 'BACKGROUND' };
    const [trying, asked] = [gate(), gate()];
    const runScanStep = vi.fn(inTurn({ done: false }, { done: true })).mockImplementationOnce(async () => {
      trying.open();
      await asked.opened; // It stands for a step that waits behind all others.
      return { done: false } as never;
    });
    const retried = async (run: WorkflowHandle) => {
      await trying.opened;
      await run.signal('retryNow');
      await run.result();
      asked.open();
    };
    const twice = () => ({ runScanStep: inTurn({ done: false }, { done: true }) });
    const [usual, long, wanted, waited] = await readTranscripts(temporal, [
      of({ runScanStep: pages() }, { input: BACKGROUND }),
      of(twice(), { input: BACKGROUND, longAt: 9 }),
      of(twice(), { input: BACKGROUND, longAt: 9, signal: 'retryNow' }),
      of({ runScanStep }, { input: BACKGROUND, meanwhile: retried }),
    ]);
    const anew = (urgency: string) =>
      `continues as new {"jobId":"j","connectionId":"c","provider":"PROVIDER_B"${urgency}}`;
    expect(usual).toEqual([start, background, background, background, ...end]);
    expect(long).toEqual([start, background, anew(',"urgency":"BACKGROUND"'), start, background, ...end]);
    expect(wanted).toEqual([start, inline, queued, anew(''), start, inline, queued, ...end]);
    expect(waited).toEqual([start, background, queued, queued, ...end]);
  });
});
