import { describe, expect, test } from 'vitest';
import { PROVIDER_NAMES } from '../../src/basics/codes.ts';
import { access, call, failureOf, useAdapters } from '../kit/fake-platform.ts';

const adapters = useAdapters();

const DAY_SECONDS = 86_400;
const permissions = ['user.info.basic', 'video.list', 'instagram_business_basic'];

/** The text that a provider sends, and the delay in seconds that follows; null: none. */
const WRITTEN: readonly (readonly [string, number | null])[] = [
  ['0', 0],
  ['120', 120],
  ['86401', DAY_SECONDS],
  ['999999999', DAY_SECONDS],
  ['Sat, 21 Nov 2026 12:02:00 GMT', 120],
  ['Mon, 21 Nov 2055 12:00:00 GMT', DAY_SECONDS],
  ['-5', null],
  ['later', null],
];

describe.each(PROVIDER_NAMES)('%s', (name) => {
  test.each(WRITTEN)('limits the delay of Retry-After: %s', async (written, heeded) => {
    adapters.platform.script({ status: 503, headers: { 'retry-after': written }, body: '<html>' });
    const reading = adapters.providers[name].readAccount(access(permissions), call());
    const error = await failureOf(reading);
    expect(error).toMatchObject({ type: 'RetryLater', retryAfterSeconds: heeded ?? undefined });
  });
});

test.each(['999999999', '99999999999999999999', 'Infinity', '-1', 'soon'])(
  'PROVIDER_B’s x-ratelimit-reset of %s delays calls by at most a day',
  async (reset) => {
    const body = { error: { code: 'rate_limit_exceeded' } };
    adapters.platform.script({ status: 429, headers: { 'x-ratelimit-reset': reset }, body });
    const error = await failureOf(adapters.providers.PROVIDER_B.readAccount(access(permissions), call()));
    expect(error.retryAfterSeconds).toBeGreaterThanOrEqual(0);
    expect(error.retryAfterSeconds).toBeLessThanOrEqual(DAY_SECONDS);
  },
);

test.each(['99999999', '1e300', '-5', 'Infinity'])(
  'PROVIDER_C’s estimated_time_to_regain_access of %s delays calls by at most a day',
  async (minutes) => {
    const usage = JSON.stringify({ '1': [{ estimated_time_to_regain_access: minutes }] });
    const body = { error: { code: 80002, message: '' } };
    adapters.platform.script({ status: 400, headers: { 'x-business-use-case-usage': usage }, body });
    const error = await failureOf(adapters.providers.PROVIDER_C.readAccount(access(permissions), call()));
    expect(error.retryAfterSeconds).toBeGreaterThan(0);
    expect(error.retryAfterSeconds).toBeLessThanOrEqual(DAY_SECONDS);
  },
);
