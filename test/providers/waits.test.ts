import { describe, expect, test } from 'vitest';
import { PROVIDER_NAMES } from '../../src/basics/codes.ts';
import { ProviderError } from '../../src/providers/provider.ts';
import { access, call, client, failureOf, NOW, tokens, useAdapters } from '../kit/fake-platform.ts';

const adapters = useAdapters();

const DAY_SECONDS = 86_400;
const permissions = ['user.info.basic', 'video.list', 'instagram_business_basic'];

/** The text that a provider sends, and the delay in seconds that follows; null: none. */
const WRITTEN: readonly (readonly [string, number | null])[] = [
  ['0', 0],
  ['120', 120],
  ['86400', DAY_SECONDS],
  ['86401', DAY_SECONDS],
  ['999999999', DAY_SECONDS],
  ['9'.repeat(400), DAY_SECONDS],
  ['Sat, 21 Nov 2026 12:02:00 GMT', 120],
  ['Saturday, 21-Nov-26 12:02:00 GMT', 120],
  ['Sat Nov 21 12:02:00 2026', 120],
  ['Fri, 21 Nov 2025 12:00:00 GMT', 0],
  ['Mon, 21 Nov 2055 12:00:00 GMT', DAY_SECONDS],
  ['-5', null],
  ['1e9', null],
  ['1.5', null],
  ['0x7fffffff', null],
  ['NaN', null],
  ['Infinity', null],
  ['2055', 2_055],
  ['2055-01-01T00:00:00Z', null],
  ['later', null],
  ['Mon, 99 Foo 2055 99:99:99 GMT', null],
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

test('a token of PROVIDER_C that claims to live for decades waits one day for its refresh', async () => {
  const held = tokens({ accessExpiresAt: new Date(NOW.getTime() + 1e12) });
  const error = await failureOf(adapters.providers.PROVIDER_C.refresh(client, held, call()));
  expect(error).toMatchObject({ type: 'RetryLater', retryAfterSeconds: DAY_SECONDS });
});

test('a provider’s failure has a delay between nothing and a day', () => {
  const of = (retryAfterSeconds: number) =>
    new ProviderError('QuotaSpent', 'x', { retryAfterSeconds }).retryAfterSeconds;
  expect([1e9, Infinity, 0.2, -3, -Infinity, NaN].map(of)).toEqual([DAY_SECONDS, DAY_SECONDS, 1, 0, 0, undefined]);
});
