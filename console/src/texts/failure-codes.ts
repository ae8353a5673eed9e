/** Options of filters by reason. The admin API takes any code; a test compares the lists with the codes of the service. */

export const ATTEMPT_RESULTS = [
  'ACCESS_DENIED',
  'MISSING_PERMISSION',
  'PARTIAL_PERMISSION',
  'ACCOUNT_MISMATCH',
  'ACCOUNT_DISCONNECTING',
  'EXCHANGE_FAILED',
  'PROVIDER_UNAVAILABLE',
  'REGISTRATION_PAUSED',
  'POLICY_CHANGED',
  'EXPIRED',
  'CANCELED',
];

/** With the refusals that receivers send most often. */
export const DELIVERY_FAILURES = [
  'TIMEOUT',
  'NAME_UNKNOWN',
  'ADDRESS_REFUSED',
  'CONNECTION_FAILED',
  'TLS_FAILED',
  'ANSWER_INVALID',
  'NO_SECRET',
  'HTTP_404',
  'HTTP_410',
  'HTTP_429',
  'HTTP_500',
  'HTTP_503',
];
