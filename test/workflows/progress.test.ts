import { expect, vi } from 'vitest';
import { type BulkDisconnectId, newId, type RegistrationId, type WebhookEndpointId } from '../../src/basics/ids.ts';
import type { Progress } from '../../src/workflows/contract.ts';
import * as workflows from '../../src/workflows/index.ts';
import { sendWebhooks, webhooksDue } from '../../src/workflows/send-webhooks.ts';
import { gate, newAttempt, newDisconnect, newReadJob, newSignIn, newUpkeep, quiet } from '../kit/fake-activities.ts';
import { test } from '../kit/temporal.ts';

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

test('the query progress is answered by every workflow, and names its end', async ({ temporal }) => {
  expect(Object.keys(INPUTS).sort()).toEqual(Object.keys(workflows).sort());
  await temporal.run(quiet, async (start) => {
    for (const [type, newInput] of Object.entries(INPUTS)) {
      const run = await start(type, newInput(await temporal.now()) as never);
      await run.result();
      const progress = await run.query<Progress>('progress');
      expect(progress, type).toMatchObject({ step: 'ENDED', waitingFor: null, waitingUntil: null });
    }
  });
});

test('webhooks are tried once more after one or many events that arrive during a try', async ({ temporal }) => {
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
