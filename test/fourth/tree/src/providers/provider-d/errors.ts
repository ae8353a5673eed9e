import { z } from 'zod';
import type { ProviderErrorType } from '../../basics/codes.ts';
import {
  classifyStatus,
  classifyUnknownAnswer,
  createClassified,
  createUnexpected,
  findEntry,
  readJson,
  readRetryAfter,
} from '../answers.ts';
import type { HttpAnswer } from '../http.ts';
import type { ProviderError } from '../provider.ts';

const ERRORS: Readonly<Record<string, ProviderErrorType>> = {
  invalid_grant: 'GrantDead',
  invalid_client: 'ClientRejected',
  token_worn: 'TokenStale',
  not_allowed: 'PermissionMissing',
  enough_today: 'QuotaSpent',
};

const ErrorAnswer = z.object({ error: z.string() });

/** @returns undefined for a successful answer */
export function findProviderDError(
  answer: HttpAnswer,
  where: string,
  now: Date,
  ifUnknown: { outcomeUnknown?: boolean } = {},
): ProviderError | undefined {
  const { status } = answer;
  if (status === 204) return undefined;
  const json = readJson(answer);
  const code = ErrorAnswer.safeParse(json).data?.error;
  if (code === undefined) {
    return status === 200 && json !== undefined ? undefined : classifyUnknownAnswer(answer, where, now, ifUnknown);
  }
  const pause = readRetryAfter(answer, now);
  const type = findEntry(ERRORS, code);
  return type === undefined
    ? createUnexpected(classifyStatus(status), where, answer, { ...ifUnknown, ...pause })
    : createClassified(type, where, answer, pause);
}
