import { describe, expect, test } from 'vitest';
import { EMULATIONS } from '../../sandbox/src/emulations.ts';
import { PLATFORMS } from '../../sandbox/src/model.ts';
import { seedPlatform } from '../../sandbox/src/seed.ts';

const TODAY = Date.UTC(2026, 10, 21);
const WEEK_MS = 7 * 86_400_000;

describe.for(PLATFORMS)('the seeded world of %s', (platform) => {
  test('is the same for the same seed, and different for another', () => {
    expect(seedPlatform(platform, EMULATIONS[platform].look, 'demo', TODAY)).toEqual(
      seedPlatform(platform, EMULATIONS[platform].look, 'demo', TODAY),
    );
    const ids = (seed: string) =>
      seedPlatform(platform, EMULATIONS[platform].look, seed, TODAY).posts.map(({ id }) => id);
    expect(ids('other')).not.toEqual(ids('demo'));
  });

  test('has accounts with 0, 40 and 250 posts, some of them from the last week', () => {
    const { accounts, posts } = seedPlatform(platform, EMULATIONS[platform].look, 'demo', TODAY);
    const numbers = accounts.map(({ id }) => posts.filter(({ accountId }) => accountId === id).length);
    expect(numbers).toEqual(expect.arrayContaining([0, 40, 250]));
    for (const { id } of accounts.filter((_, index) => (numbers[index] ?? 0) >= 40)) {
      const dates = posts.flatMap(({ accountId, publishedAt }) =>
        accountId === id && publishedAt !== null ? publishedAt : [],
      );
      expect(dates.every((date) => date < TODAY)).toBe(true);
      expect(dates.some((date) => date > TODAY - WEEK_MS)).toBe(true);
    }
  });
});
