import { DELIVERY_FAILURES } from '../../../src/basics/codes.ts';

/** Options of the filter by last failure: every code, and the refusals that receivers send most often. The admin API takes any. */
export const FREQUENT_DELIVERY_FAILURES = [
  ...DELIVERY_FAILURES,
  'HTTP_404',
  'HTTP_410',
  'HTTP_429',
  'HTTP_500',
  'HTTP_503',
];
