import { ATTEMPT_ENDS, JOB_ENDS } from '../../basics/failure-codes.ts';

/** A code of a closed set and its meaning. */
export interface Failure {
  readonly code: string;
  readonly message: string;
}

/** A row may have a code of a newer version. */
const find = <Column>(ends: Readonly<Record<string, Column>>, code: string): Column | undefined =>
  Object.hasOwn(ends, code) ? ends[code] : undefined;

/**
 * @param open true if the job has not ended. Then the message also names the next step.
 * @param lastAnswer what came back: `HTTP_503`, or the code of a request without an answer. Null if it is not known, or differs
 * @param refusedClient set if the platform refuses our client, with its answer
 */
export function describeFailure(
  code: string | null,
  {
    open,
    lastAnswer = null,
    refusedClient = null,
  }: { open: boolean; lastAnswer?: string | null; refusedClient?: RefusedClient | null },
): Failure | null {
  if (code === null) return null;
  if (refusedClient !== null) return { code, message: describeRefusedClient(refusedClient) };
  const { explains: inGeneral = 'An unknown failure.', next } = find(JOB_ENDS, code) ?? {};
  const explains = (code === 'PROVIDER_UNAVAILABLE' && describeAnswer(lastAnswer)) || inGeneral;
  return { code, message: open && next !== undefined ? `${explains} ${next}` : explains };
}

interface RefusedClient {
  readonly answer: string | null;
  readonly answerCode: string | null;
}

function describeRefusedClient({ answer, answerCode }: RefusedClient): string {
  const parts = [answer?.replace('_', ' '), answerCode].filter((part) => part !== null && part !== undefined);
  return `The platform refuses our client${parts.length > 0 ? `: ${parts.join(' ')}` : ''}.`;
}

function describeAnswer(lastAnswer: string | null): string | undefined {
  if (lastAnswer === null) return undefined;
  const status = /^HTTP_(\d+)$/.exec(lastAnswer)?.[1];
  return status === undefined
    ? `The provider gave no complete answer (${lastAnswer}).`
    : `The provider answered with HTTP ${status}.`;
}

export const describeResult = (code: string | null): string | null =>
  code === null ? null : (find(ATTEMPT_ENDS, code)?.explains ?? null);
