import type { WorkflowHandle } from '@temporalio/client';
import { describe, expect, vi } from 'vitest';
import { failure, wait } from '../../kit/fake-activities.ts';
import { gate } from '../../kit/gate.ts';
import { inTurn, readTranscripts, test } from '../transcripts.ts';

const input = { jobId: 'j', connectionId: 'c', provider: 'PROVIDER_B' };
const inline = 'runScanStepInline local {"provider":"PROVIDER_B","input":{"jobId":"j","connectionId":"c"}}';
const queued = 'runScanStep on PROVIDER_B, priority 3 {"jobId":"j","connectionId":"c"}';
const background = 'runScanStep on PROVIDER_B, priority 5 {"jobId":"j","connectionId":"c"}';
const END = 'returns undefined';
const of = (activities: object, rest: object = {}) => ({ type: 'scan', input, activities, ...rest });
const pages = () => inTurn({ done: false }, { done: false }, { done: true });

describe('a read job', () => {
  test('its first step inline, and the steps after a failure', async ({ temporal }) => {
    const tried = (done: boolean) => ({ runScanStepInline: async () => ({ tried: true, result: { done } }) });
    const [done, begun, failed] = await readTranscripts(temporal, [
      of(tried(true)),
      of({ ...tried(false), runScanStep: pages() }),
      of({
        runScanStepInline: inTurn(failure('QuotaSpent', { retryAfterSeconds: 600 })),
        runScanStep: inTurn(failure('GrantDead')),
        recordReadFailure: inTurn(wait(600), { ended: true, code: 'RECONNECT_REQUIRED' }),
      }),
    ]);
    expect(done).toEqual([inline, END]);
    expect(begun).toEqual([inline, queued, queued, queued, END]);
    const failedTry = (type: string, seconds: number | null) =>
      `recordReadFailure local {"jobId":"j","failedTry":{"type":"${type}","retryAfterSeconds":${seconds},"answer":null}}`;
    const steps = [inline, failedTry('QuotaSpent', 600), 'waits 600 s', queued, failedTry('GrantDead', null), END];
    expect(failed).toEqual(steps);
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
    const [long, wanted, waited] = await readTranscripts(temporal, [
      of(twice(), { input: BACKGROUND, longAt: 9 }),
      of(twice(), { input: BACKGROUND, longAt: 9, signal: 'retryNow' }),
      of({ runScanStep }, { input: BACKGROUND, meanwhile: retried }),
    ]);
    const anew = (urgency: string) =>
      `continues as new {"jobId":"j","connectionId":"c","provider":"PROVIDER_B"${urgency}}`;
    expect(long).toEqual([background, anew(',"urgency":"BACKGROUND"'), background, END]);
    expect(wanted).toEqual([inline, queued, anew(''), inline, queued, END]);
    expect(waited).toEqual([background, queued, queued, END]);
  });
});
