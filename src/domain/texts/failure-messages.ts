import { ATTEMPT_ENDS, JOB_ENDS } from '../../basics/failure-codes.ts';

/** A code of a closed set and its meaning. */
export interface Failure {
  readonly code: string;
  readonly message: string;
}

/** A row may have a code of a newer version. */
const find = <Column>(ends: Readonly<Record<string, Column>>, code: string): Column | undefined =>
  Object.hasOwn(ends, code) ? ends[code] : undefined;

/** @param open true if the job has not ended. Then the message also names the next step. */
export function describeFailure(code: string | null, { open }: { open: boolean }): Failure | null {
  if (code === null) return null;
  const { explains = 'An unknown failure.', next } = find(JOB_ENDS, code) ?? {};
  return { code, message: open && next !== undefined ? `${explains} ${next}` : explains };
}

export const describeResult = (code: string | null): string | null =>
  code === null ? null : (find(ATTEMPT_ENDS, code)?.explains ?? null);
