import { describe, expect, test } from 'vitest';
import { addressOfGroup, FAILURES, filterOfGroup, ofFailure } from '../../src/console/ask/job-filters.ts';
import { JOB_ERROR_CODES } from '../../src/store/read-jobs.ts';

const failing = {
  appId: 'app-1',
  provider: 'PROVIDER_B',
  kind: 'REVOKE',
  lastFailure: { code: 'PROVIDER_UNAVAILABLE', message: 'The provider did not answer.' },
} as const;
const silent = { ...failing, lastFailure: null };
const group = { stuck: true, appId: 'app-1', provider: 'PROVIDER_B', kinds: ['REVOKE'] };

describe('a group of what is stuck', () => {
  test('names the jobs that failed as it did, and no others', () => {
    expect(filterOfGroup(failing, [])).toEqual({ ...group, lastFailure: 'PROVIDER_UNAVAILABLE' });
  });
  test('of which nothing has been heard names none that failed', () => {
    expect(filterOfGroup(silent, [])).toEqual({ ...group, neverFailed: true });
  });
  test('counted among jobs of some statuses names none of another', () => {
    expect(filterOfGroup(silent, ['QUEUED'])).toEqual({ ...group, statuses: ['QUEUED'], neverFailed: true });
  });
  test.each([
    [failing, [], '/jobs?stuck=true&app=app-1&provider=PROVIDER_B&kind=REVOKE&failure=PROVIDER_UNAVAILABLE'],
    [silent, [], '/jobs?stuck=true&app=app-1&provider=PROVIDER_B&kind=REVOKE&failure=NONE'],
    [
      silent,
      ['QUEUED', 'RUNNING'] as const,
      '/jobs?stuck=true&app=app-1&provider=PROVIDER_B&kind=REVOKE&status=QUEUED%2CRUNNING&failure=NONE',
    ],
  ])('has an address that says as much', (one, statuses, address) => {
    expect(addressOfGroup(one, statuses)).toBe(address);
  });
});

test('a failure is chosen by its code, as none, or not at all', () => {
  expect([ofFailure('INTERNAL'), ofFailure('NONE'), ofFailure(null)]).toEqual([
    { lastFailure: 'INTERNAL' },
    { neverFailed: true },
    { lastFailure: null },
  ]);
});

test('every code by which a job fails can be chosen, so that no address filters less than it says', () => {
  expect([...FAILURES].sort()).toEqual(['NONE', ...JOB_ERROR_CODES].sort());
});
