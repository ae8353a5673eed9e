import { expect } from 'vitest';
import { newAttempt, newDisconnect, newSignIn, quiet } from '../kit/fake-activities.ts';
import { gate } from '../kit/gate.ts';
import { test } from '../kit/temporal.ts';

test.for([
  ['connectAttempt', 'obtainGrant', newAttempt],
  ['identityAttempt', 'exchangeIdentityCode', newSignIn],
  ['disconnect', 'tryRevoke', newDisconnect],
] as const)('%s completes the person’s request, even if an operator cancels it', async (row, { temporal }) => {
  const [type, step, newInput] = row;
  const [begun, canceled] = [gate(), gate()];
  const activities = {
    ...quiet,
    [step]: async () => {
      begun.open();
      await canceled.opened;
    },
  };
  await temporal.run(activities, async (start) => {
    const run = await start(type, newInput(await temporal.now()) as never);
    await begun.opened;
    await run.cancel();
    canceled.open();
    await run.result();
    expect((await run.describe()).status.name).toBe('COMPLETED');
  });
});
