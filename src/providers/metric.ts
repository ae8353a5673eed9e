import type { Metric, MetricName } from './provider.ts';

/**
 * Why a metric has no value.
 * - `NOT_OFFERED_BY_PROVIDER`: the platform has no such number for us at all.
 * - `NOT_OFFERED_FOR_POST`: not for a post of this kind.
 * - `PERMISSION_NOT_GRANTED`: the person did not grant what it takes.
 * - `HIDDEN_BY_OWNER`, `COMMENTS_OFF`: the owner's choice.
 * - `NO_DATA_YET`: the platform has not counted yet. `TOO_FEW_VIEWERS`: it will not say below a number of viewers.
 * - `BEFORE_PROFESSIONAL_ACCOUNT`: the post is older than the account's change to a professional one.
 * - `NOT_SHOWN`: left out without a reason.
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

/** A metric read from a field: a missing count is unavailable for `reason`, never zero. */
export const createMetric = (
  name: MetricName,
  sourceField: string,
  value: string | null,
  reason: MissingReason = 'NOT_SHOWN',
): Metric =>
  value === null
    ? { name, value, availability: 'UNAVAILABLE', reason, sourceField }
    : { name, value, availability: 'AVAILABLE', reason: null, sourceField };

/** A metric the platform does not have. */
export const createUnsupportedMetric = (name: MetricName): Metric => ({
  name,
  value: null,
  availability: 'UNSUPPORTED',
  reason: 'NOT_OFFERED_BY_PROVIDER',
  sourceField: null,
});

/** A metric the grant does not cover. */
export const createNotGrantedMetric = (name: MetricName, sourceField: string): Metric => ({
  name,
  value: null,
  availability: 'NOT_GRANTED',
  reason: 'PERMISSION_NOT_GRANTED',
  sourceField,
});
