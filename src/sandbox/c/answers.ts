import type { CreateFailure } from '../answer-with-fault.ts';
import { createJsonResponse } from '../json.ts';

/** The Graph API's error shape: the code decides, then the subcode. */
export function createGraphError(
  code: number,
  message: string,
  more: { subcode?: number; status?: number; isTransient?: boolean } = {},
) {
  const { subcode, status = 400, isTransient = false } = more;
  const error = {
    message,
    type: 'OAuthException',
    code,
    ...(subcode !== undefined && { error_subcode: subcode }),
    is_transient: isTransient,
    fbtrace_id: 'ASandboxTrace01',
  };
  return createJsonResponse({ error }, status);
}

/** The short-lived token's endpoint has a shape of its own. */
export const createTokenError = (message: string, status = 400): Response =>
  createJsonResponse({ error_type: 'OAuthException', code: status, error_message: message }, status);

const ASKED = 'Something went wrong in the sandbox, as asked.';

export const createGraphFailure: CreateFailure = (failure) => {
  if (failure === 'quota') return createGraphError(80002, 'There have been too many calls to this Instagram account.');
  if (failure === 429)
    return createGraphError(4, 'Application request limit reached', { status: 429, isTransient: true });
  return createGraphError(2, ASKED, { status: failure, isTransient: true });
};

export const createTokenFailure: CreateFailure = (failure) =>
  createTokenError(ASKED, failure === 'quota' ? 429 : failure);
