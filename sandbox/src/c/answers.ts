import type { CreateFailure } from '../answer-with-fault.ts';
import { createJsonResponse } from '../json.ts';
import type { Settings } from './settings.ts';

/** The Graph API's error shape: the code decides, then the subcode. */
export function createGraphError(
  code: number,
  message: string,
  more: { subcode?: number; status?: number; isTransient?: boolean; headers?: Record<string, string> } = {},
) {
  const { subcode, status = 400, isTransient = false, headers } = more;
  const error = {
    message,
    type: 'OAuthException',
    code,
    ...(subcode !== undefined && { error_subcode: subcode }),
    is_transient: isTransient,
    fbtrace_id: 'ASandboxTrace01',
  };
  return createJsonResponse({ error }, status, headers);
}

/** The refusal of every call by an app or for an account that the platform does not serve. Undefined if it serves both. */
export function findServiceRefusal({ appState, accountsNotServed }: Settings, accountId: string): Response | undefined {
  if (appState === 'blocked') return createGraphError(200, 'API access blocked.');
  if (appState === 'deactivated') {
    return createGraphError(200, 'API access deactivated. To reactivate, go to the app dashboard.');
  }
  if (accountsNotServed.includes(accountId)) return createGraphError(100, 'Unsupported request - method type: get');
  return undefined;
}

/** The short-lived token's endpoint has a shape of its own. */
export const createTokenError = (message: string, status = 400): Response =>
  createJsonResponse({ error_type: 'OAuthException', code: status, error_message: message }, status);

const ASKED = 'Something went wrong in the sandbox, as asked.';

/** Formats the header with the used budget of an account, and the minutes until it may call again. */
export const formatUsage = (accountId: string, usage: object, regainMinutes: number): Record<string, string> => ({
  'x-business-use-case-usage': JSON.stringify({
    [accountId]: [{ type: 'instagram', ...usage, estimated_time_to_regain_access: regainMinutes }],
  }),
});

/** A fault happens before anything looks at the caller's account. */
const NOBODY = '0';

export const createGraphFailure: CreateFailure = (failure, retryAfterSeconds) => {
  if (failure === 'quota') return createGraphError(80002, 'There have been too many calls to this Instagram account.');
  if (failure === 429) {
    const headers = retryAfterSeconds === undefined ? {} : formatUsage(NOBODY, {}, Math.ceil(retryAfterSeconds / 60));
    return createGraphError(4, 'Application request limit reached', { status: 429, isTransient: true, headers });
  }
  return createGraphError(2, ASKED, { status: failure, isTransient: true });
};

export const createTokenFailure: CreateFailure = (failure) =>
  createTokenError(ASKED, failure === 'quota' ? 429 : failure);
