import type { ProviderErrorType } from '../../basics/codes.ts';
import type { ResultCode } from '../../basics/failure-codes.ts';
import { ATTEMPT_ENDS } from '../../basics/failure-codes.ts';
import { isProviderErrorType, platformRuleOf } from '../../basics/failures.ts';

/** Why a line of an import became no connection. */
export interface ImportFailure {
  readonly code: string;
  readonly message: string;
  /** Whether the same line can succeed later, without a change. */
  readonly retryable: boolean;
  /** Null if the line may be tried again at any time, or never. */
  readonly retryAfterSeconds: number | null;
}

type Own =
  | 'BAD_LINE'
  | 'DUPLICATE_LINE'
  | 'NO_TOKEN'
  | 'NOT_PERMITTED'
  | 'OTHER_CLIENT'
  | 'CLIENT_UNPROVEN'
  | 'TOKENS_OF_ANOTHER_SUBJECT'
  | 'IMPORT_ENDED'
  | 'ANSWER_LOST'
  | 'INTERNAL';

const OWN: Readonly<Record<Own, readonly [message: string, retryable?: true]>> = {
  BAD_LINE: ['The line does not have the required form.'],
  DUPLICATE_LINE: ['An earlier line of this run has the same token.'],
  NO_TOKEN: ['The line has no token that can be used: give the refresh token, for PROVIDER_C the access token.'],
  NOT_PERMITTED: ['The app may not connect this account.'],
  OTHER_CLIENT: ['The tokens belong to another client than that of the registration.'],
  CLIENT_UNPROVEN: ['The provider does not report which client the tokens belong to. See --accept-unproven.'],
  TOKENS_OF_ANOTHER_SUBJECT: ['These tokens are already imported for another subject.'],
  IMPORT_ENDED: [
    'An earlier run imported this token, and that grant is gone: the person disconnected or connected anew. If they are not connected, only they can connect again.',
  ],
  ANSWER_LOST: [
    'The answer to a refresh was lost. Run the line again; if the grant is dead then, the person must connect again.',
    true,
  ],
  INTERNAL: ['The service failed. Its message is on standard error.', true],
};

const isOwn = (code: string): code is Own => Object.hasOwn(OWN, code);

/** Describes a failure in our own words. @param more.message replaces the usual message. */
export function describeImportFailure(
  code: Own | ProviderErrorType | ResultCode | 'ALREADY_CONNECTED',
  more: { readonly retryAfterSeconds?: number | undefined; readonly message?: string | undefined } = {},
): ImportFailure {
  const build = (name: string, message: string, retryable: boolean): ImportFailure => ({
    code: name,
    message: more.message ?? message,
    retryable,
    retryAfterSeconds: more.retryAfterSeconds ?? null,
  });
  if (isProviderErrorType(code)) {
    const { code: name, message, isRetryable = false } = platformRuleOf(code).import;
    return build(name, message, isRetryable);
  }
  if (isOwn(code)) {
    const [message, retryable] = OWN[code];
    return build(code, message, retryable ?? false);
  }
  if (code === 'ALREADY_CONNECTED') return build(code, 'The grant was not imported.', false);
  const { explains, canPass = false } = ATTEMPT_ENDS[code];
  return build(code, explains, canPass);
}
