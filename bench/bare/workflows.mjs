import * as wf from '@temporalio/workflow';

/** Calls on a queue of its own, like calls to a provider. */
const call = () => {
  const { nothing } = wf.proxyActivities({
    taskQueue: `${wf.workflowInfo().taskQueue}-calls`,
    startToCloseTimeout: '1 minute',
  });
  return nothing();
};

/** The minimal workflow with a call. */
export const callOnce = call;

/** The minimal workflow that waits for a signal before its call. */
export async function callWhenWoken() {
  let woken = false;
  wf.setHandler(wf.defineSignal('wake'), () => {
    woken = true;
  });
  wf.setHandler(wf.defineQuery('isWaiting'), () => !woken);
  await wf.condition(() => woken);
  await call();
}
