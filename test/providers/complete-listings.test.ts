import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { PROVIDER_NAMES, type ProviderName } from '../../src/basics/codes.ts';
import { type Provider, ProviderError, type Window } from '../../src/providers/provider.ts';
import { access as accessOf, call, NOW, useAdapters } from '../kit/fake-platform.ts';
import {
  changes,
  chooseWindow,
  edges,
  faults,
  isIn,
  isPromised,
  MARGIN_DAYS,
  MovingList,
  shape,
} from './moving-list.ts';

// `COMPLETE_RUNS=2000 npx vitest run test/providers/complete-listings.test.ts` looks longer; another seed looks elsewhere.
const RUNS = Number(process.env.COMPLETE_RUNS ?? 25);
const SEED = Number(process.env.COMPLETE_SEED ?? 1);

const adapters = useAdapters({ PROVIDER_A_UPLOAD_MARGIN_DAYS: MARGIN_DAYS });

const access = accessOf(['video.list', 'instagram_business_basic', 'instagram_business_manage_insights']);

/** The most calls of one reading of a listing: its pages, a restart, and the calls for the posts of a page. */
const MOST_CALLS: Readonly<Record<ProviderName, number>> = { PROVIDER_A: 30, PROVIDER_B: 5, PROVIDER_C: 70 };

interface Asked {
  readonly window: Window;
  /** The limits of one call after the other, over and over. */
  readonly limits: readonly number[];
  readonly withMetrics: boolean;
}

/** Reads a listing as a scan does: again after a failure, and from its cursor. */
async function readToEnd(provider: Provider, list: MovingList, { window, limits, withMetrics }: Asked) {
  const read: string[] = [];
  let cursor: string | null = null;
  for (let step = 0; step < 2 * list.shape.count + 400; step += 1) {
    const limit = limits[step % limits.length] ?? 100;
    const before = list.calls;
    try {
      const page = await provider.listContent(access, { window, cursor, limit, withMetrics }, call());
      expect(page.items.length).toBeLessThanOrEqual(limit);
      read.push(...page.items.map(({ providerContentId }) => providerContentId));
      if (page.cursor === null) return { read, reachedEnd: page.reachedEnd };
      expect(page.reachedEnd).toBe(false);
      cursor = page.cursor;
    } catch (error) {
      if (!(error instanceof ProviderError)) throw error;
    } finally {
      expect(list.calls - before).toBeLessThanOrEqual(MOST_CALLS[provider.name]);
    }
  }
  throw new Error('The listing does not end.');
}

/** The most posts of one second among those of a window. */
function mostOfOneSecond(list: MovingList, window: Window): number {
  const counts = new Map<number, number>();
  for (const post of list.listed())
    if (isIn(post, window)) counts.set(post.publishedAt, (counts.get(post.publishedAt) ?? 0) + 1);
  return Math.max(0, ...counts.values());
}

const plan = fc.record({
  size: shape,
  moves: changes,
  failures: faults,
  between: edges,
  limits: fc.array(
    fc.oneof(fc.integer({ min: 1, max: 100 }), fc.constantFrom(1, 19, 20, 49, 50, 51, 52, 53, 75, 99, 100)),
    {
      minLength: 1,
      maxLength: 3,
    },
  ),
  withMetrics: fc.boolean(),
});

describe.each(PROVIDER_NAMES)('a listing of %s', (name) => {
  test('that has reached the end holds exactly the posts that the platform listed', async () => {
    let complete = 0;
    await fc.assert(
      fc.asyncProperty(plan, async ({ size, moves, failures, between, limits, withMetrics }) => {
        const list = new MovingList(name, size, NOW.getTime(), moves, failures);
        const window = chooseWindow(list, between, NOW.getTime());
        adapters.platform.script((request, response) => list.answer(request, response));
        const asked = {
          window,
          limits: size.count > 130 ? limits.map((one) => Math.max(one, 19)) : limits,
          withMetrics,
        };
        const { read, reachedEnd } = await readToEnd(adapters.providers[name], list, asked);

        const shown = list.posts.filter((post) => list.isShown(post) && isIn(post, window));
        const throughout = shown.filter((post) => post.since <= 1 && post.until > list.calls);
        const missing = throughout.filter((post) => isPromised(name, post, window) && !read.includes(post.id));
        if (reachedEnd) expect(missing.map(({ id }) => id)).toEqual([]);
        const known = new Set(shown.filter(({ until }) => until > 1).map(({ id }) => id));
        expect(read.filter((id) => !known.has(id))).toEqual([]);

        // Of a list that rests, every listing reaches the end, and shows each post once.
        if (moves.length === 0 && failures.length === 0) {
          expect(new Set(read).size).toBe(read.length);
          if (name !== 'PROVIDER_B' || mostOfOneSecond(list, window) < 20) expect(reachedEnd).toBe(true);
        }
        complete += reachedEnd ? 1 : 0;
      }),
      { numRuns: RUNS, seed: SEED },
    );
    // Otherwise nothing was asked.
    expect(complete).toBeGreaterThan(RUNS / 2);
  });
});
