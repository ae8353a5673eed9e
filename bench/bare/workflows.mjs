import * as wf from '@temporalio/workflow';

/** On a queue of its own, as calls to a provider are. */
const call = () => {
  const { nothing } = wf.proxyActivities({
    taskQueue: `${wf.workflowInfo().taskQueue}-calls`,
    startToCloseTimeout: '1 minute',
  });
  return nothing();
};

/** The least that calls anything. */
export const callOnce = call;

/** The least that waits to be woken for its call. */
export async function callWhenWoken() {
  let woken = false;
  wf.setHandler(wf.defineSignal('wake'), () => {
    woken = true;
  });
  wf.setHandler(wf.defineQuery('isWaiting'), () => !woken);
  await wf.condition(() => woken);
  await call();
}
