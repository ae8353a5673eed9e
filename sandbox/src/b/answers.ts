import type { CreateFailure } from '../answer-with-fault.ts';
import { createJsonResponse } from '../json.ts';

let logged = 0;
const logId = (): string => `20261121000000${String(++logged).padStart(12, '0')}SANDBOX`;

const CODES: Readonly<Record<number, string>> = { 401: 'access_token_invalid', 429: 'rate_limit_exceeded' };

/** An answer of the Display API: `error.code` is `ok` on success. */
export const createProviderBApiAnswer = (data: object): Response =>
  createJsonResponse({ data, error: { code: 'ok', message: '', log_id: logId() } });

export const createProviderBApiError = (
  status: number,
  code: string,
  message: string,
  headers: Readonly<Record<string, string>> = {},
): Response => createJsonResponse({ data: {}, error: { code, message, log_id: logId() } }, status, headers);

/** OAuth errors come with HTTP 200: only the body differs. */
export const createProviderBOAuthError = (error: string, description: string, status = 200): Response =>
  createJsonResponse({ error, error_description: description, log_id: logId() }, status, {
    'cache-control': 'no-store',
  });

export const createProviderBApiFailure: CreateFailure = (failure, retryAfterSeconds) => {
  const status = failure === 'quota' ? 429 : failure;
  const code = CODES[status] ?? 'internal_error';
  const headers = retryAfterSeconds === undefined ? {} : { 'x-ratelimit-reset': String(retryAfterSeconds) };
  return createProviderBApiError(status, code, 'Something went wrong in the sandbox, as asked.', headers);
};

export const createProviderBOAuthFailure: CreateFailure = (failure, retryAfterSeconds) => {
  const status = failure === 'quota' ? 429 : failure;
  const headers = retryAfterSeconds === undefined ? {} : { 'retry-after': String(retryAfterSeconds) };
  const error = status >= 500 && status !== 503 ? 'server_error' : 'temporarily_unavailable';
  const answer = { error, error_description: 'Something went wrong in the sandbox, as asked.', log_id: logId() };
  return createJsonResponse(answer, status, headers);
};
