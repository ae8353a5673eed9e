import type { WordFailure } from '../breakage.ts';
import { json } from '../json.ts';

/** The Graph API's error shape: the code decides, then the subcode. */
export function graphError(
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
  return json({ error }, status);
}

/** The short-lived token's endpoint has a shape of its own. */
export const tokenError = (message: string, status = 400): Response =>
  json({ error_type: 'OAuthException', code: status, error_message: message }, status);

const ASKED = 'Something went wrong in the sandbox, as asked.';

export const wordGraphFailure: WordFailure = (failure) => {
  if (failure === 'quota') return graphError(80002, 'There have been too many calls to this Instagram account.');
  if (failure === 429) return graphError(4, 'Application request limit reached', { status: 429, isTransient: true });
  return graphError(2, ASKED, { status: failure, isTransient: true });
};

export const wordTokenFailure: WordFailure = (failure) => tokenError(ASKED, failure === 'quota' ? 429 : failure);
