import { Context } from '@temporalio/activity';

const EVERY_MS = 4_000;

/** Says every few seconds that the activity lives, so that a crashed worker's work is taken over soon. */
export function heartbeating<Input, Output>(
  activity: (input: Input) => Promise<Output>,
): (input: Input) => Promise<Output> {
  return async (input) => {
    const context = Context.current();
    const beat = setInterval(() => context.heartbeat(), EVERY_MS);
    try {
      return await activity(input);
    } finally {
      clearInterval(beat);
    }
  };
}
