import { describe, expect, vi } from 'vitest';
import {
  type BulkDisconnectId,
  type ConnectionId,
  newId,
  type RegistrationId,
  type WebhookEndpointId,
} from '../../src/basics/ids.ts';
import { connectAttempt } from '../../src/workflows/connect-attempt.ts';
import type { Progress } from '../../src/workflows/contract.ts';
import { disconnect } from '../../src/workflows/disconnect.ts';
import { disconnectAll } from '../../src/workflows/disconnect-all.ts';
import * as workflows from '../../src/workflows/index.ts';
import { retryNow } from '../../src/workflows/retry-until-settled.ts';
import { sendWebhooks, webhooksDue } from '../../src/workflows/send-webhooks.ts';
import { verifySiblings } from '../../src/workflows/verify-siblings.ts';
import {
  failure,
  gate,
  newAttempt,
  newDisconnect,
  newReadJob,
  newSignIn,
  newUpkeep,
  quiet,
  until,
  wait,
} from '../kit/fake-activities.ts';
import { currentDetails, test } from '../kit/temporal.ts';

const ask = (handle: { query<T>(name: string): Promise<T> }) => handle.query<Progress>('progress');

/** Progress of a step that works and has not failed. */
const WORKING = { tries: 0, lastCode: null, waitingFor: null, waitingUntil: null, done: null, total: null };

const INPUTS: Readonly<Record<string, (nowMs: number) => object>> = {
  connectAttempt: newAttempt,
  connectionUpkeep: newUpkeep,
  disconnect: newDisconnect,
  disconnectAll: () => ({ bulkDisconnectId: newId<BulkDisconnectId>() }),
  identityAttempt: newSignIn,
  contentLookup: newReadJob,
  metricsRefresh: newReadJob,
  scan: newReadJob,
  revokeGrant: newReadJob,
  sendWebhooks: () => ({ endpointId: newId<WebhookEndpointId>() }),
  clientProbe: () => ({ registrationId: newId<RegistrationId>(), provider: 'PROVIDER_B' }),
  sweep: () => ({ kind: 'minute' }),
  verifyGrant: newUpkeep,
  verifySiblings: newReadJob,
};

describe('the query progress', () => {
  test('is answered by every workflow, and names its end', async ({ temporal }) => {
    expect(Object.keys(INPUTS).sort()).toEqual(Object.keys(workflows).sort());
    await temporal.run(quiet, async (start) => {
      for (const [type, newInput] of Object.entries(INPUTS)) {
        const run = await start(type, newInput(await temporal.now()) as never);
        await run.result();
        expect(await ask(run), type).toMatchObject({ step: 'ENDED', waitingFor: null, waitingUntil: null });
      }
    });
  });

  test('tells a waiting revoke from one that is tried, with its tries and last code', async ({ temporal }) => {
    const trying = gate();
    const tryRevoke = vi
      .fn(quiet.tryRevoke)
      .mockRejectedValueOnce(failure('RetryLater'))
      .mockImplementationOnce(async () => void (await trying.opened));
    const exchanging = gate();
    const obtainGrant = async () => void (await exchanging.opened);
    const answers = { tryRevoke, obtainGrant, recordDisconnectFailure: async () => wait(3600, 7) };
    await temporal.run({ ...quiet, ...answers }, async (start) => {
      const [run, other] = [
        await start(disconnect, newDisconnect()),
        await start(connectAttempt, newAttempt(await temporal.now())),
      ];
      await until(async () => (await ask(run)).waitingFor !== null);
      const waiting = await ask(run);
      expect(new Date(waiting.since).toISOString()).toBe(waiting.since);
      expect(Date.parse(waiting.since)).toBeLessThanOrEqual(await temporal.now());
      expect(waiting).toEqual({
        ...WORKING,
        step: 'REVOKE',
        since: waiting.since,
        tries: 7,
        lastCode: 'PROVIDER_UNAVAILABLE',
        waitingFor: 'NEXT_TRY',
        waitingUntil: '2026-01-01T00:00:00.000Z',
      });
      // Runs share a process, never their state.
      expect((await ask(other)).step).toBe('EXCHANGE_CODE');
      await run.signal(retryNow);
      await until(() => tryRevoke.mock.calls.length === 2);
      expect(await ask(run)).toEqual({ ...waiting, waitingFor: null, waitingUntil: null });
      trying.open();
      await run.result();
      exchanging.open();
      await other.result();
    });
  });

  test('does not show our own rate limit as a failure of the provider', async ({ temporal }) => {
    const tryRevoke = vi.fn(quiet.tryRevoke).mockRejectedValueOnce(failure('OwnRateLimit'));
    const obtainGrant = vi.fn(quiet.obtainGrant).mockRejectedValueOnce(failure('OwnRateLimit'));
    const recordDisconnectFailure = async () => ({ ...wait(60, 0), code: 'PROVIDER_RATE_LIMITED' }) as never;
    await temporal.run({ ...quiet, tryRevoke, obtainGrant, recordDisconnectFailure }, async (start) => {
      const run = await start(disconnect, newDisconnect());
      await until(async () => (await ask(run)).waitingFor !== null);
      expect(await ask(run)).toMatchObject({ waitingFor: 'RATE_LIMIT', tries: 0, lastCode: 'PROVIDER_RATE_LIMITED' });
      await run.result();
      const attempt = await start(connectAttempt, newAttempt(await temporal.now()));
      await until(async () => (await ask(attempt)).waitingFor !== null);
      expect(await ask(attempt)).toMatchObject({
        step: 'EXCHANGE_CODE',
        waitingFor: 'RATE_LIMIT',
        tries: 0,
        lastCode: 'PROVIDER_RATE_LIMITED',
      });
      await attempt.result();
    });
  });

  test('counts the parts of a bulk disconnect and of a verification', async ({ temporal }) => {
    const batch = gate();
    const disconnectBatch = vi
      .fn(quiet.disconnectBatch)
      .mockResolvedValueOnce({ disconnected: 3, total: 5, done: false })
      .mockImplementationOnce(async () => {
        await batch.opened;
        return { disconnected: 5, total: 5, done: true };
      });
    const [alive, failing] = [newId<ConnectionId>(), newId<ConnectionId>()];
    const asked = gate();
    const checkGrant = vi.fn(async ({ connectionId }: { connectionId: ConnectionId }) => {
      if (connectionId !== failing) return;
      if (checkGrant.mock.calls.length <= 2) throw failure('RetryLater');
      await asked.opened;
    });
    const siblings = { listSiblings: async () => [alive, failing], checkGrant };
    await temporal.run({ ...quiet, ...siblings, disconnectBatch }, async (start) => {
      const bulk = await start(disconnectAll, { bulkDisconnectId: newId<BulkDisconnectId>() });
      await until(() => disconnectBatch.mock.calls.length === 2);
      expect(await ask(bulk)).toMatchObject({ step: 'DISCONNECT_ALL', done: 3, total: 5 });
      batch.open();
      await bulk.result();
      const verification = await start(verifySiblings, newReadJob());
      await until(async () => (await ask(verification)).waitingFor !== null);
      expect(await ask(verification)).toMatchObject({
        step: 'VERIFY',
        tries: 1,
        lastCode: 'PROVIDER_UNAVAILABLE',
        waitingFor: 'NEXT_TRY',
        done: 1,
        total: 2,
      });
      await verification.signal(retryNow);
      await until(() => checkGrant.mock.calls.length === 3);
      const asking = await ask(verification);
      asked.open();
      expect(asking).toMatchObject({ waitingFor: null, waitingUntil: null, done: 1, total: 2 });
      await verification.result();
    });
  });

  test('shows why webhooks wait: a delivery failed, the endpoint is paused, or nothing is due', async ({
    temporal,
  }) => {
    const waiting = { count: 2, since: '2026-11-28T19:00:00.000Z', tries: 3, lastAnswer: 'HTTP_503' };
    const sendDueWebhooks = vi
      .fn(quiet.sendDueWebhooks)
      .mockResolvedValueOnce({ waitSeconds: 60, paused: false, waiting })
      .mockResolvedValueOnce({ waitSeconds: 60, paused: true, waiting: { ...waiting, lastAnswer: null } });
    await temporal.run({ ...quiet, sendDueWebhooks }, async (start) => {
      const run = await start(sendWebhooks, { endpointId: newId<WebhookEndpointId>() });
      const seen: string[] = [];
      for (const waitingFor of ['NEXT_TRY', 'NEXT_TRY', 'EVENTS'] as const) {
        const tries = seen.length + 1;
        await until(async () => sendDueWebhooks.mock.calls.length === tries && (await ask(run)).waitingFor !== null);
        expect(await ask(run)).toMatchObject({ step: 'SEND_WEBHOOKS', waitingFor });
        seen.push((await currentDetails(run)).replace(/ Next try .*/, ''));
        if (waitingFor === 'NEXT_TRY') await run.signal(webhooksDue);
      }
      expect(seen).toEqual([
        `2 deliveries wait, the oldest since ${waiting.since}. Last answer HTTP_503, try 3 of 10.`,
        `2 deliveries wait, the oldest since ${waiting.since}. The endpoint is paused: it fails, or asked us to wait.`,
        'Nothing to send.',
      ]);
      await run.result();
    });
  });
});

test('webhooks are tried once more after events that arrive during a try, however many', async ({ temporal }) => {
  const [trying, told] = [gate(), gate()];
  const sendDueWebhooks = vi.fn(quiet.sendDueWebhooks).mockImplementationOnce(async () => {
    trying.open();
    await told.opened;
    return { waitSeconds: null, paused: false }; // It looked before the events were committed.
  });
  await temporal.run({ ...quiet, sendDueWebhooks }, async (start) => {
    const run = await start(sendWebhooks, { endpointId: newId<WebhookEndpointId>() });
    await trying.opened;
    await run.signal(webhooksDue);
    await run.signal(webhooksDue);
    told.open();
    await run.result();
  });
  expect(sendDueWebhooks).toHaveBeenCalledTimes(2);
});
