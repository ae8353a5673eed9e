import { expect, test } from 'vitest';
import { toGroupFilter } from '../../console/src/admin-client/job-filters.ts';

const lastFailure = { code: 'PROVIDER_UNAVAILABLE', message: 'The provider did not answer.' };
const silent = { appId: 'app-1', provider: 'PROVIDER_B', kind: 'REVOKE', lastFailure: null } as const;

test.each([
  [
    'with a failure selects only jobs with the same one',
    { ...silent, lastFailure },
    [],
    { lastFailure: lastFailure.code },
  ],
  ['without a failure selects no job that failed', silent, [], { neverFailed: true }],
  ['with statuses selects no other', silent, ['QUEUED'], { statuses: ['QUEUED'], neverFailed: true }],
] as const)('a group of stuck jobs %s', (_name, group, statuses, filter) => {
  const base = { stuck: true, appId: 'app-1', provider: 'PROVIDER_B', kinds: ['REVOKE'] };
  expect(toGroupFilter(group, statuses)).toEqual({ ...base, ...filter });
});
