import type { MetricName } from '../basics/codes.ts';
import type { Metric } from './provider.ts';

/**
 * Why a metric has no value.
 * - `NOT_OFFERED_BY_PROVIDER`: the platform does not offer this metric.
 * - `NOT_OFFERED_FOR_POST`: the platform does not offer it for posts of this kind.
 * - `PERMISSION_NOT_GRANTED`: the person did not grant the permission.
 * - `HIDDEN_BY_OWNER`, `COMMENTS_OFF`: the owner turned it off.
 * - `NO_DATA_YET`: the platform has not counted yet. `TOO_FEW_VIEWERS`: it withholds the number for small audiences.
 * - `BEFORE_PROFESSIONAL_ACCOUNT`: the post is older than the account's switch to a professional account.
 * - `NOT_SHOWN`: the platform omits it without a reason.
 */
export type MissingReason =
  | 'NOT_OFFERED_BY_PROVIDER'
  | 'NOT_OFFERED_FOR_POST'
  | 'PERMISSION_NOT_GRANTED'
  | 'HIDDEN_BY_OWNER'
  | 'COMMENTS_OFF'
  | 'NO_DATA_YET'
  | 'TOO_FEW_VIEWERS'
  | 'BEFORE_PROFESSIONAL_ACCOUNT'
  | 'NOT_SHOWN';

/** Creates a metric from a field. A missing count is UNAVAILABLE with `reason`, never zero. */
export const createMetric = (
  name: MetricName,
  sourceField: string,
  value: string | null,
  reason: MissingReason = 'NOT_SHOWN',
): Metric =>
  value === null
    ? { name, value, availability: 'UNAVAILABLE', reason, sourceField }
    : { name, value, availability: 'AVAILABLE', reason: null, sourceField };

/** Creates a metric that the platform does not offer. */
export const createUnsupportedMetric = (name: MetricName): Metric => ({
  name,
  value: null,
  availability: 'UNSUPPORTED',
  reason: 'NOT_OFFERED_BY_PROVIDER',
  sourceField: null,
});

/** Creates a metric that the grant does not cover. */
export const createNotGrantedMetric = (name: MetricName, sourceField: string): Metric => ({
  name,
  value: null,
  availability: 'NOT_GRANTED',
  reason: 'PERMISSION_NOT_GRANTED',
  sourceField,
});
