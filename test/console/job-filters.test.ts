import { describe, expect, test } from 'vitest';
import { toGroupFilter } from '../../console/src/admin-client/job-filters.ts';

const failing = {
  appId: 'app-1',
  provider: 'PROVIDER_B',
  kind: 'REVOKE',
  lastFailure: { code: 'PROVIDER_UNAVAILABLE', message: 'The provider did not answer.' },
} as const;
const silent = { ...failing, lastFailure: null };
const group = { stuck: true, appId: 'app-1', provider: 'PROVIDER_B', kinds: ['REVOKE'] };

describe('a group of stuck jobs', () => {
  test('selects only jobs with the same failure', () => {
    expect(toGroupFilter(failing, [])).toEqual({ ...group, lastFailure: 'PROVIDER_UNAVAILABLE' });
  });
  test('without a failure selects no job that failed', () => {
    expect(toGroupFilter(silent, [])).toEqual({ ...group, neverFailed: true });
  });
  test('with statuses selects no job of another status', () => {
    expect(toGroupFilter(silent, ['QUEUED'])).toEqual({ ...group, statuses: ['QUEUED'], neverFailed: true });
  });
});
