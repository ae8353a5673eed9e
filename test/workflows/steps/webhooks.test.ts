import { expect } from 'vitest';
import type { WaitingDeliveries } from '../../../src/workflows/results.ts';
import { until } from '../../kit/fake-activities.ts';
import { type Line, TRANSCRIPT } from '../transcript-interceptor.ts';
import { inTurn, readTranscripts, test } from '../transcripts.ts';

test('webhooks of one endpoint: the steps, calls, waits and new runs', async ({ temporal }) => {
  const type = 'sendWebhooks';
  const input = { endpointId: 'w' };
  const SINCE = '2026-11-28T19:00:00.000Z';
  const of = (...answers: { waitSeconds: number | null; paused?: boolean; waiting?: WaitingDeliveries }[]) => ({
    type,
    input,
    activities: { sendDueWebhooks: inTurn(...answers) },
  });
  const [usual, waiting, signaled, long] = await readTranscripts(temporal, [
    of({ waitSeconds: null }),
    of(
      { waitSeconds: 0 },
      { waitSeconds: 5, paused: false, waiting: { count: 1, since: SINCE, tries: 1, lastAnswer: 'HTTP_503' } },
      { waitSeconds: 60, paused: true, waiting: { count: 10, since: SINCE, tries: 4, lastAnswer: 'TIMEOUT' } },
      { waitSeconds: 2, paused: false },
      { waitSeconds: null },
    ),
    {
      ...of({ waitSeconds: null }),
      signal: 'webhooksDue',
      meanwhile: async (run) => {
        const isIdle = async () =>
          (await run.query<Line[]>(TRANSCRIPT)).some(({ text }) => text.startsWith('waits 30000 ms'));
        await until(isIdle);
        await run.signal('webhooksDue');
      },
    },
    { ...of({ waitSeconds: 0 }, { waitSeconds: null }), longAt: 9 },
  ]);
  const SEND = ['SEND_WEBHOOKS: Sending.', 'sendDueWebhooks on WEBHOOKS (send due webhooks) {"endpointId":"w"}'];
  const IDLE = ['SEND_WEBHOOKS, EVENTS for 30000 ms: Nothing to send.', 'waits 30000 ms (further events)'];
  const END = ['ENDED', 'returns undefined'];
  const sendAfter = (tries: number) => [`SEND_WEBHOOKS, ${tries} tries: Sending.`, SEND[1]];
  const tryAgain = (seconds: number, why: string, tries = '') => [
    `SEND_WEBHOOKS${tries}, NEXT_TRY for ${seconds}000 ms: ${why} Next try UNTIL; the signal webhooksDue asks for one at once.`,
    `waits ${seconds}000 ms (next try)`,
  ];
  expect(usual).toEqual([...SEND, ...IDLE, ...END]);
  expect(waiting).toEqual([
    ...SEND,
    SEND[1],
    ...tryAgain(5, `1 delivery waits, the oldest since ${SINCE}. Last answer HTTP_503, try 1 of 10.`, ', 1 tries'),
    ...sendAfter(1),
    ...tryAgain(
      60,
      `10 or more deliveries wait, the oldest since ${SINCE}. Last answer TIMEOUT, try 4 of 10. The endpoint is paused: it fails, or asked us to wait.`,
      ', 4 tries',
    ),
    ...sendAfter(4),
    ...tryAgain(2, 'Our own database is away.'),
    ...SEND,
    ...IDLE,
    ...END,
  ]);
  expect(signaled).toEqual([...SEND, IDLE[0], `${IDLE[1]}, cut short`, ...SEND, ...IDLE, ...END]);
  expect(long?.slice(0, 5)).toEqual([...SEND, 'continues as new {"endpointId":"w"}', ...SEND]);
});
