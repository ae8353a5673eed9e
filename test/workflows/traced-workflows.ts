import * as wf from '@temporalio/workflow';

const { note } = wf.proxyActivities<{ note(): Promise<void> }>({ startToCloseTimeout: '10 seconds' });
const local = wf.proxyLocalActivities<{ note(): Promise<void> }>({ startToCloseTimeout: '10 seconds' });

export const go = wf.defineSignal('go');

/** Runs a local activity, runs a normal one after each of `signals` signals, and continues as new once if `anew` is set. */
export async function traced(input: { signals: number; anew: boolean }): Promise<void> {
  let seen = 0;
  wf.setHandler(go, () => {
    seen += 1;
  });
  await local.note();
  for (let count = 1; count <= input.signals; count += 1) {
    await wf.condition(() => seen >= count);
    await note();
  }
  if (input.anew) await wf.continueAsNew<typeof traced>({ signals: 0, anew: false });
}
