/** Why a try got no answer. A leaf: tables, pages and documents name them by this list. */
export const DELIVERY_FAILURES = [
  'TIMEOUT',
  'NAME_UNKNOWN',
  'ADDRESS_REFUSED',
  'CONNECTION_FAILED',
  'TLS_FAILED',
  'ANSWER_INVALID',
  'NO_SECRET',
] as const;
export type DeliveryFailure = (typeof DELIVERY_FAILURES)[number];
