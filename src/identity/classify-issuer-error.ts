import * as client from 'openid-client';
import { ProviderError } from '../providers/provider.ts';

const TRY_AGAIN = [429, 503];
/** RFC 6749, section 5.2. Keycloak answers a wrong secret with the second. */
const CLIENT_REJECTED = ['invalid_client', 'unauthorized_client'];

/**
 * Classifies the error of a request to an issuer. The library wraps the cause, so the answer or our own client's error
 * is somewhere in the chain of causes.
 */
export function classifyIssuerError(error: unknown): ProviderError {
  for (let cause: unknown = error; cause instanceof Error; cause = cause.cause) {
    if (cause instanceof ProviderError) return cause;
  }
  const status = statusOf(error);
  if (status !== undefined && TRY_AGAIN.includes(status)) {
    return new ProviderError('RetryLater', 'The issuer asks us to retry later.', { status });
  }
  const platformCode = error instanceof client.ResponseBodyError ? error.error : '';
  const isRejection = CLIENT_REJECTED.includes(platformCode);
  const type = isRejection ? 'ClientRejected' : 'ContractBroken';
  return new ProviderError(type, 'The issuer sent an invalid answer.', { status, platformCode });
}

function statusOf(error: unknown): number | undefined {
  for (let cause: unknown = error; cause !== null && typeof cause === 'object'; cause = (cause as Error).cause) {
    if ('status' in cause && typeof cause.status === 'number') return cause.status;
  }
  return undefined;
}
