import type { CreateFailure } from '../answer-with-fault.ts';
import { createJsonResponse } from '../json.ts';

/** The API's error shape. The OAuth endpoints have another, where `error` is a string. */
export function createProviderAApiError(
  status: number,
  reason: string,
  message: string,
  more: { domain?: string; status?: string; detail?: string; headers?: Readonly<Record<string, string>> } = {},
): Response {
  const { domain = 'global', detail, headers = {} } = more;
  const details = detail && {
    details: [{ '@type': 'type.googleapis.com/google.rpc.ErrorInfo', reason: detail, domain: 'googleapis.com' }],
  };
  const error = {
    code: status,
    message,
    errors: [{ message, domain, reason }],
    ...(more.status && { status: more.status }),
    ...details,
  };
  return createJsonResponse({ error }, status, headers);
}

export const createProviderAOAuthError = (status: number, error: string, description: string): Response =>
  createJsonResponse({ error, error_description: description }, status, { 'cache-control': 'no-store' });

/** Both forms of a used-up daily quota: one of its own, and a rate limit that only its message calls a daily one. */
export function createQuotaExceededError(form: 'quotaExceeded' | 'rateLimitExceeded' = 'quotaExceeded'): Response {
  if (form === 'rateLimitExceeded') {
    const metric = "quota metric 'Queries' and limit 'Queries per day'";
    const message = `Quota exceeded for ${metric} of service 'youtube.googleapis.com' for consumer 'project_number:1'.`;
    return createProviderAApiError(429, form, message, { status: 'RESOURCE_EXHAUSTED', detail: 'RATE_LIMIT_EXCEEDED' });
  }
  return createProviderAApiError(
    403,
    'quotaExceeded',
    'The request cannot be completed because you have exceeded your quota.',
    {
      domain: 'youtube.quota',
      status: 'PERMISSION_DENIED',
    },
  );
}

/** A fault of the project looks like a refusal of the account: only the detail differs. */
export const createSuspendedProjectError = (): Response =>
  createProviderAApiError(403, 'forbidden', "Permission denied: Consumer 'project_number:1' has been suspended.", {
    status: 'PERMISSION_DENIED',
    detail: 'CONSUMER_SUSPENDED',
  });

export const createInvalidCredentialsError = (): Response =>
  createProviderAApiError(401, 'authError', 'Request had invalid authentication credentials.', {
    status: 'UNAUTHENTICATED',
    headers: { 'www-authenticate': 'Bearer realm="https://accounts.google.com/", error="invalid_token"' },
  });

const REASONS: Readonly<Record<number, readonly [reason: string, status: string]>> = {
  401: ['authError', 'UNAUTHENTICATED'],
  403: ['rateLimitExceeded', 'PERMISSION_DENIED'],
  429: ['rateLimitExceeded', 'RESOURCE_EXHAUSTED'],
  503: ['backendError', 'UNAVAILABLE'],
};

export const createProviderAApiFailure: CreateFailure = (failure, retryAfterSeconds) => {
  if (failure === 'quota') return createQuotaExceededError();
  const [reason, status] = REASONS[failure] ?? ['internalError', 'INTERNAL'];
  const headers = retryAfterSeconds === undefined ? {} : { 'retry-after': String(retryAfterSeconds) };
  return createProviderAApiError(failure, reason, 'Something went wrong in the sandbox, as asked.', {
    status,
    headers,
  });
};

export const createProviderAOAuthFailure: CreateFailure = (failure, retryAfterSeconds) => {
  const headers = retryAfterSeconds === undefined ? {} : { 'retry-after': String(retryAfterSeconds) };
  const status = failure === 'quota' ? 429 : failure;
  return createJsonResponse({ error: 'internal_failure', error_description: 'Backend Error' }, status, headers);
};
