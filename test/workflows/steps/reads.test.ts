import type { WorkflowHandle } from '@temporalio/client';
import { describe, expect, vi } from 'vitest';
import { failure, gate, wait } from '../../kit/fake-activities.ts';
import { inTurn, readTranscripts, test } from '../../kit/transcripts.ts';

const input = { jobId: 'j', connectionId: 'c', provider: 'PROVIDER_B' };
const KINDS = [
  { type: 'scan', step: 'SCAN', name: 'scan', call: 'runScanStep', priority: 3 },
  { type: 'metricsRefresh', step: 'METRICS_REFRESH', name: 'metrics refresh', call: 'runMetricsStep', priority: 3 },
  { type: 'contentLookup', step: 'LOOKUP', name: 'lookup', call: 'runLookupStep', priority: 1 },
] as const;

const linesOf = ({ step, name, call, priority }: (typeof KINDS)[number]) => ({
  start: `${step}: ${name}: trying.`,
  inPlace: `${call}InPlace in place (${name}) {"provider":"PROVIDER_B","input":{"jobId":"j","connectionId":"c"}}`,
  queued: `${call} on PROVIDER_B, priority ${priority} (${name}) {"jobId":"j","connectionId":"c"}`,
  background: `${call} on PROVIDER_B, priority 5 (${name}) {"jobId":"j","connectionId":"c"}`,
  end: [`ENDED: ${name}: ended; the job's row has the result.`, 'returns undefined'],
});
const pages = () => inTurn({ done: false }, { done: false }, { done: true });

describe('a read job', () => {
  test('its steps and calls, whatever it reads', async ({ temporal }) => {
    const seen = await readTranscripts(
      temporal,
      KINDS.map(({ type, call }) => ({ type, input, activities: { [call]: pages() } })),
    );
    expect(seen).toEqual(
      KINDS.map((kind) => {
        const { start, inPlace, queued, end } = linesOf(kind);
        return [start, inPlace, queued, queued, queued, ...end];
      }),
    );
  });

  const { start, inPlace, queued, background, end } = linesOf(KINDS[0]);
  const of = (activities: object, rest: object = {}) => ({ type: 'scan', input, activities, ...rest });
  const tried = (done: boolean) => ({ runScanStepInPlace: async () => ({ tried: true, result: { done } }) });

  test('its first step in place, and what follows a failure', async ({ temporal }) => {
    const [done, begun, failed] = await readTranscripts(temporal, [
      of(tried(true)),
      of({ ...tried(false), runScanStep: pages() }),
      of({
        runScanStepInPlace: inTurn(failure('QuotaSpent', { retryAfterSeconds: 600 })),
        runScanStep: inTurn(failure('GrantDead')),
        recordReadSetback: inTurn(wait(600), { ended: true, code: 'RECONNECT_REQUIRED' }),
      }),
    ]);
    expect(done).toEqual([start, inPlace, ...end]);
    expect(begun).toEqual([start, inPlace, queued, queued, queued, ...end]);
    const setback = (type: string, seconds: number | null) =>
      'recordReadSetback in place (record the failed try) ' +
      `{"jobId":"j","setback":{"type":"${type}","retryAfterSeconds":${seconds},"answer":null}}`;
    expect(failed).toEqual([
      start,
      inPlace,
      setback('QuotaSpent', 600),
      expect.stringMatching(
        /^SCAN, 1 tries, PROVIDER_UNAVAILABLE, NEXT_TRY for .* Last PROVIDER_UNAVAILABLE \(QuotaSpent\)/,
      ),
      'waits 600000 ms (next scan: PROVIDER_UNAVAILABLE)',
      'SCAN, 1 tries, PROVIDER_UNAVAILABLE: scan: trying.',
      queued,
      setback('GrantDead', null),
      ...end,
    ]);
  });

  test('in the background: comes last until somebody waits for it, also in a new run', async ({ temporal }) => {
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
    expect(wanted).toEqual([start, inPlace, queued, anew(''), start, inPlace, queued, ...end]);
    expect(waited).toEqual([start, background, queued, queued, ...end]);
  });
});
