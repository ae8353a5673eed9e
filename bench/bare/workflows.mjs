import * as wf from '@temporalio/workflow';

/** Calls an empty activity on a queue of its own, like calls to a provider. */
function call(name) {
  const activities = wf.proxyActivities({
    taskQueue: `${wf.workflowInfo().taskQueue}-calls`,
    startToCloseTimeout: '1 minute',
  });
  return activities[name]();
}

/** The minimal workflow with one call. */
export const callOnce = () => call('nothing');

/** The minimal workflow with two calls, one after the other. */
export async function callTwice() {
  await call('nothing');
  await call('nothing');
}

/** The minimal workflow that waits for a signal before its call. */
export async function callWhenWoken() {
  let woken = false;
  wf.setHandler(wf.defineSignal('wake'), () => {
    woken = true;
  });
  wf.setHandler(wf.defineQuery('isWaiting'), () => !woken);
  await wf.condition(() => woken);
  await call('report');
}
