import { Context } from '@temporalio/activity';
import type { LogFields } from '../basics/log.ts';

type Fields = Pick<LogFields, 'correlationId' | 'provider' | 'jobId' | 'attemptId'>;

/** By activity: our ids of its work. Temporal's library knows only its own ids. */
const known = new WeakMap<Context, Fields>();

/** Names the work of the current activity in the log line that its failure leaves. Does nothing outside an activity. */
export function nameInLog(
  { correlationId, provider }: { correlationId: string; provider: string },
  id: Pick<Fields, 'jobId' | 'attemptId'>,
): void {
  const context = findContext();
  if (context !== undefined) known.set(context, { correlationId, provider, ...id });
}

/** @returns the ids that the activity has named */
export const findNamedInLog = (context: Context): Fields => known.get(context) ?? {};

function findContext(): Context | undefined {
  try {
    return Context.current();
  } catch {
    return undefined;
  }
}
