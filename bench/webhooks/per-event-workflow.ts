import * as wf from '@temporalio/workflow';
import { WEBHOOK_QUEUE } from '../../src/workflows/contract.ts';

/** The alternative to one workflow for each endpoint: one for each delivery, which waits for its own next try. */
export async function sendOneWebhook(input: { deliveryId: string }): Promise<void> {
  const { tryWebhook } = wf.proxyActivities<{ tryWebhook(input: { deliveryId: string }): Promise<number | null> }>({
    taskQueue: `${wf.workflowInfo().taskQueue}-${WEBHOOK_QUEUE}`,
    startToCloseTimeout: '30 seconds',
    retry: { initialInterval: '1 second', maximumInterval: '30 seconds' },
  });
  for (;;) {
    const waitSeconds = await tryWebhook(input);
    if (waitSeconds === null) return;
    await wf.sleep(waitSeconds * 1_000);
  }
}
