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

  test('has every id once, and difficult texts', () => {
    const { posts } = seedPlatform(platform, EMULATIONS[platform].look, 'demo', TODAY);
    expect(new Set(posts.map(({ id }) => id)).size).toBe(posts.length);
    const texts = posts.map(({ title, caption }) => title + caption);
    expect(texts.some((text) => /\p{Extended_Pictographic}/u.test(text))).toBe(true);
    expect(texts.some((text) => /\p{Script=Arabic}/u.test(text))).toBe(true);
    expect(texts.some((text) => text.length > 2000)).toBe(true);
    expect(posts.some(({ likes }) => likes === null)).toBe(true);
    expect(posts.some(({ isPublic }) => !isPublic)).toBe(true);
  });
});
