import type { WorkflowHandle } from '@temporalio/client';
import { expect, vi } from 'vitest';
import { PROGRESS, type Progress } from '../../../src/workflows/contract.ts';
import { quiet, until } from '../../kit/fake-activities.ts';
import { gate } from '../../kit/gate.ts';
import { type Line, TRANSCRIPT } from '../transcript-interceptor.ts';
import { inTurn, readLines, readOutlines, test } from '../transcripts.ts';

test('webhooks of one endpoint: the next tries, a run that lingers, and a signal in its wait', async ({ temporal }) => {
  const of = (...answers: { waitSeconds: number | null; paused?: boolean }[]) => ({
    type: 'sendWebhooks',
    input: { endpointId: 'w' },
    activities: { sendDueWebhooks: inTurn(...answers) },
  });
  const [waiting, signaled, long] = await readOutlines(temporal, [
    of({ waitSeconds: 0 }, { waitSeconds: 5 }, { waitSeconds: 60, paused: true }, { waitSeconds: null }),
    {
      ...of({ waitSeconds: null }),
      signal: 'webhooksDue',
      meanwhile: async (run) => {
        const isIdle = async () =>
          (await run.query<Line[]>(TRANSCRIPT)).some(({ text }) => text.startsWith('waits 30 s'));
        await until(isIdle);
        await run.signal('webhooksDue');
      },
    },
    { ...of({ waitSeconds: 0 }, { waitSeconds: null }), longAt: 9 },
  ]);
  const SEND = 'sendDueWebhooks';
  const LAST = [SEND, 'waits 30 s', 'returns undefined'];
  expect(waiting).toEqual([SEND, SEND, 'waits 5 s', SEND, 'waits 60 s', ...LAST]);
  expect(signaled).toEqual([SEND, 'waits 30 s, cut short', ...LAST]);
  expect(long).toEqual([SEND, 'continues as new {"endpointId":"w"}', ...LAST]);
});

test('webhooks are tried once more after one or many events that arrive during a try', async ({ temporal }) => {
  const [trying, told] = [gate(), gate()];
  const sendDueWebhooks = vi.fn(quiet.sendDueWebhooks).mockImplementationOnce(async () => {
    trying.open();
    await told.opened;
    return { waitSeconds: null, paused: false }; // It looked before the events were committed.
  });
  await readOutlines(temporal, [
    {
      type: 'sendWebhooks',
      input: { endpointId: 'w' },
      activities: { sendDueWebhooks },
      meanwhile: async (run) => {
        await trying.opened;
        for (let count = 0; count < 2; count += 1) await run.signal('webhooksDue');
        told.open();
      },
    },
  ]);
  expect(sendDueWebhooks).toHaveBeenCalledTimes(2);
});

test('a wait after failed tries has the last answer in its summary and in the progress', async ({ temporal }) => {
  const waiting = { count: 2, since: '2026-11-28T19:00:00.000Z', tries: 3 };
  const shown: Progress[] = [];
  const course = (lastAnswer: string | null) => ({
    type: 'sendWebhooks',
    input: { endpointId: 'w' },
    activities: {
      sendDueWebhooks: inTurn(
        { waitSeconds: 60, paused: false, waiting: { ...waiting, lastAnswer } },
        { waitSeconds: null, paused: false },
      ),
    },
    meanwhile: async (run: WorkflowHandle) => {
      const read = () => run.query<Progress>(PROGRESS);
      await until(async () => (await read()).waitingFor === 'NEXT_TRY');
      shown.push(await read());
    },
  });
  const lines = await readLines(temporal, [course('HTTP_503'), course('TIMEOUT'), course(null)]);
  expect(shown.map(({ tries, lastCode }) => [tries, lastCode])).toEqual([
    [3, 'HTTP_503'],
    [3, 'TIMEOUT'],
    [3, null],
  ]);
  const summaries = lines.map((run) => run.find(({ text }) => text === 'waits 60 s')?.options);
  expect(summaries).toEqual(['next try: HTTP_503', 'next try: TIMEOUT', 'next try'].map((summary) => ({ summary })));
});
