import fc from 'fast-check';
import { afterEach, describe, expect } from 'vitest';
import { CAPABILITIES, PROVIDER_NAMES, type ProviderName } from '../../src/basics/codes.ts';
import type { JobId } from '../../src/basics/ids.ts';
import { createAdapters } from '../../src/providers/adapters.ts';
import { createHttp } from '../../src/providers/http.ts';
import type { Provider, Window } from '../../src/providers/provider.ts';
import type { Database } from '../../src/store/driver/sql.ts';
import { openStageWith } from '../kit/activity-stage.ts';
import { callerOf, createDeps } from '../kit/caller.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '../kit/clock.ts';
import { runActivity } from '../kit/deps.ts';
import { configFor, openFakePlatform } from '../kit/fake-platform.ts';
import { ACCOUNT, newTokens } from '../kit/fake-provider.ts';
import { test as postgresTest } from '../kit/postgres.ts';
import { freezeClock, releaseClock } from '../kit/seed.ts';
import {
  changes,
  chooseWindow,
  edges,
  faults,
  isIn,
  isPromised,
  type ModelPost,
  MovingList,
  type Shape,
  shape,
} from '../providers/moving-list.ts';

// `COMPLETE_RUNS=500 npx vitest run test/activities/complete-scans.test.ts` looks longer; another seed looks elsewhere.
const RUNS = Number(process.env.COMPLETE_RUNS ?? 15);
const SEED = Number(process.env.COMPLETE_SEED ?? 1);

const test = postgresTest.extend<{ platform: Awaited<ReturnType<typeof openFakePlatform>> }>({
  // biome-ignore lint/correctness/noEmptyPattern: the runner reads from it which fixtures this one needs.
  platform: async ({}, use) => {
    const platform = await openFakePlatform();
    await use(platform);
    await platform.close();
  },
});
afterEach<{ sql: Database }>(({ sql }) => releaseClock(sql));

const START = Date.parse('2030-06-01T00:00:00.000Z');

/** Permissions of every platform. */
const PERMISSIONS = [
  'https://www.googleapis.com/auth/youtube.readonly',
  'user.info.basic',
  'video.list',
  'instagram_business_basic',
  'instagram_business_manage_insights',
];

/** A jump of our own clock after a call to an adapter; the platform's continues. */
interface Jump {
  readonly after: number;
  readonly ms: number;
}

/** A scan with its continuations, and the platform's changes before and during it. */
interface Round {
  /** Time that passes before it, for all parts. */
  readonly passes: number;
  readonly window: Parameters<typeof chooseWindow>[1] | null;
  readonly maxItems: number;
  readonly mostLinks: number;
}

/** A scan that reported that it was complete, as the platform saw it. */
interface CompleteScan {
  readonly range: Window;
  readonly startedAt: number;
  readonly firstCall: number;
  readonly lastCall: number;
}

/** An account at a platform whose list moves, our service, and a caller. Only the test moves the clocks. */
async function openWorld(
  sql: Database,
  platform: Awaited<ReturnType<typeof openFakePlatform>>,
  provider: ProviderName,
  plan: {
    size: Shape;
    moves: Parameters<typeof createList>[2];
    failures: Parameters<typeof createList>[3];
    jumps: readonly Jump[];
  },
) {
  const list = createList(provider, plan.size, plan.moves, plan.failures);
  let now = START;
  let platformNow = START;
  await freezeClock(sql, new Date(now));
  platform.script((request, response) => list.answer(request, response));
  const http = createHttp({ production: false, userAgent: 'scan-tests/1' });
  const adapters = createAdapters(configFor(platform.url), http, () => new Date());
  let adapterCalls = 0;
  const jumpAfter = async <T>(work: Promise<T>): Promise<T> => {
    try {
      return await work;
    } finally {
      adapterCalls += 1;
      for (const { after, ms } of plan.jumps) if (after === adapterCalls) await setNow(now + ms);
    }
  };
  const jumping: Provider = {
    ...adapters[provider],
    listContent: (...args) => jumpAfter(adapters[provider].listContent(...args)),
    readContent: (...args) => jumpAfter(adapters[provider].readContent(...args)),
  };
  const stage = await openStageWith(sql, { ...adapters, [provider]: jumping });
  const service = await createDeps(sql);
  const scope = stage.seeded.newScope();
  const call = callerOf(service, stage.seeded);
  const { connectionId } = await stage.newConnection({
    provider,
    scope,
    // Views and shares of PROVIDER_C take a call for each post.
    capabilities: plan.size.count > 200 ? ['CONTENT_LIST'] : CAPABILITIES,
    tokens: newTokens({
      accessExpiresAt: new Date(START + 900 * DAY_MS),
      refreshExpiresAt: null,
      permissions: PERMISSIONS,
    }),
  });
  await sql`update connection set provider_account_id = ${ACCOUNT} where connection_id = ${connectionId}`;

  async function setNow(ms: number): Promise<void> {
    now = ms;
    await freezeClock(sql, new Date(now));
  }

  return {
    list,
    stage,
    connectionId,
    now: () => now,
    async pass(ms: number): Promise<void> {
      platformNow += ms;
      list.setNow(platformNow);
      await setNow(now + ms);
    },
    ask: (field: Parameters<typeof call>[0], variables: object = {}) =>
      call(field, { scope, connectionId, ...variables }),
    close: () => http.close(),
  };
}
type World = Awaited<ReturnType<typeof openWorld>>;

const createList = (
  provider: ProviderName,
  size: Shape,
  moves: ConstructorParameters<typeof MovingList>[3],
  failures: ConstructorParameters<typeof MovingList>[4],
) => new MovingList(provider, size, START, moves, failures);

/** The most calls of one step: one reading of a listing, or one batch by id with each of its posts. */
const MOST_CALLS = 120;

/** Takes one step of a scan as its workflow does, and waits as that would. */
async function step({ stage, list, pass }: World, jobId: JobId): Promise<boolean> {
  const before = list.calls;
  try {
    return (await runActivity(stage.activities.runScanStep, { jobId })).done;
  } catch (error) {
    const { type, details } = error as { type: string; details?: [{ retryAfterSeconds?: number }] };
    const failedTry = { type, retryAfterSeconds: details?.[0]?.retryAfterSeconds ?? null };
    const verdict = await runActivity(stage.activities.recordReadFailure, { jobId, failedTry });
    if (!verdict.ended) await pass(verdict.waitSeconds * SECOND_MS);
    return verdict.ended;
  } finally {
    expect(list.calls - before).toBeLessThanOrEqual(MOST_CALLS);
  }
}

const iso = (at: Date | number) => new Date(at).toISOString();

/** Runs a scan, and its continuations. @returns the scan, if its last part reported that it was complete. */
async function runRound(world: World, round: Round): Promise<CompleteScan | undefined> {
  const { list, ask, now } = world;
  const chosen = round.window && chooseWindow(list, round.window, now());
  const window = chosen && {
    publishedAfter: iso(chosen.publishedAfter),
    publishedBefore: iso(chosen.publishedBefore),
    maxItems: round.maxItems,
  };
  let job = await ask('requestRefresh', { window });
  const createdAt = now();
  /** When, and with which call, the first page of the chain was asked for. */
  let asked: { at: number; call: number } | undefined;
  for (let links = 0; ; links += 1) {
    for (let steps = 0; ; steps += 1) {
      expect(steps).toBeLessThan(3 * list.posts.length + 100);
      const [at, callNumber] = [now(), list.calls + 1];
      const done = await step(world, job.id);
      const [row] = await world.stage.sql`select steps from read_job where job_id = ${job.id}`;
      if (row?.steps > 0) asked ??= { at, call: callNumber };
      if (done) break;
    }
    job = await ask('syncJob', { id: job.id });
    if (job.continuationCursor === null || links >= round.mostLinks) break;
    job = await ask('requestRefresh', { continuationCursor: job.continuationCursor });
  }
  expect(['SUCCEEDED', 'FAILED']).toContain(job.status);
  if (job.completeForWindow !== true || asked === undefined) return undefined;
  const after = chosen?.publishedAfter.getTime() ?? asked.at - 7 * DAY_MS;
  const before = chosen?.publishedBefore.getTime() ?? asked.at;
  // A window that ended "now" was read up to its first request.
  const end = before >= createdAt - 5 * MINUTE_MS ? asked.at : Math.min(before, asked.at);
  const range = { publishedAfter: new Date(after), publishedBefore: new Date(Math.max(after, end)) };
  return { range, startedAt: asked.at, firstCall: asked.call, lastCall: list.calls };
}

/** All pages of a window. */
async function readPages({ ask }: World, { publishedAfter, publishedBefore }: Window) {
  const items: { providerContentId: string; availability: string }[] = [];
  const verdicts = new Set<boolean>();
  for (let after: string | null = null; ; ) {
    const window = { publishedAfter: iso(publishedAfter), publishedBefore: iso(publishedBefore), first: 50, after };
    const page = await ask('content', { window });
    items.push(...page.items);
    verdicts.add(page.pageInfo.completeForWindow);
    if (!page.pageInfo.hasNextPage) break;
    after = page.pageInfo.endCursor;
  }
  expect(verdicts.size).toBe(1);
  return { items, isComplete: verdicts.has(true) };
}

/** A page called complete holds exactly the posts that the platform listed when the last scan of each date began. */
async function checkPages(world: World, scans: readonly CompleteScan[], window: Window): Promise<boolean> {
  const { list, stage, connectionId } = world;
  const { items, isComplete } = await readPages(world, window);
  if (!isComplete) return false;
  const scanOf = (post: ModelPost) => scans.findLast(({ range }) => isIn(post, range));
  const shown = new Set(items.map(({ providerContentId }) => providerContentId));
  const missing = list.posts.filter((post) => {
    const scan = scanOf(post);
    if (!isIn(post, window) || !list.isShown(post) || !scan || !isPromised(list.provider, post, scan.range))
      return false;
    return post.since <= scan.firstCall && post.until > scan.lastCall && !shown.has(post.id);
  });
  expect(missing.map(({ id }) => id)).toEqual([]);

  // A post that is gone stays for a while, in doubt: the platform may be wrong.
  const rows = await stage.sql`
    select provider_content_id from content_item where connection_id = ${connectionId} and missing_since is not null
  `;
  const doubted = new Set(rows.map((row) => row.providerContentId));
  const known = new Map(list.posts.map((post) => [post.id, post]));
  const wrong = items.filter(({ providerContentId: id, availability }) => {
    const post = known.get(id);
    const scan = post && scanOf(post);
    const isThere = post && scan && list.isShown(post) && isIn(post, window) && post.until > scan.firstCall;
    return availability === 'AVAILABLE' && !isThere && !doubted.has(id);
  });
  expect(wrong).toEqual([]);
  return true;
}

/** A scan that waits for a while reads more than its window: up to its first request. */
const asLongAsAsked = ({ publishedAfter, publishedBefore }: Window): Window => ({
  publishedAfter: new Date(Math.max(publishedAfter.getTime(), publishedBefore.getTime() - 90 * DAY_MS)),
  publishedBefore,
});

const lastSyncOf = async ({ ask, connectionId }: World): Promise<number | null> => {
  const { lastSuccessfulSyncAt } = await ask('connection', { id: connectionId });
  return lastSuccessfulSyncAt === null ? null : Date.parse(lastSuccessfulSyncAt);
};

const round: fc.Arbitrary<Round> = fc.record({
  passes: fc.constantFrom(0, SECOND_MS, MINUTE_MS, 2 * HOUR_MS, DAY_MS + HOUR_MS, 8 * DAY_MS),
  window: fc.option(edges, { freq: 3 }),
  maxItems: fc.oneof(fc.constantFrom(1, 10, 20, 50), fc.constant(100)),
  mostLinks: fc.constantFrom(0, 3, 60),
});
const jumps: fc.Arbitrary<Jump[]> = fc.array(
  fc.record({
    after: fc.integer({ min: 1, max: 30 }),
    ms: fc.constantFrom(-SECOND_MS, -MINUTE_MS, -MINUTE_MS, -HOUR_MS, -DAY_MS, -40 * DAY_MS, MINUTE_MS, DAY_MS),
  }),
  { maxLength: 3 },
);

describe.each(PROVIDER_NAMES)('scans of %s', (provider) => {
  test('lead to complete pages that hold exactly what the platform listed', { timeout: 900_000 }, async ({
    sql,
    platform,
  }) => {
    let complete = 0;
    let asked = 0;
    await fc.assert(
      fc.asyncProperty(
        shape,
        changes,
        faults,
        jumps,
        fc.array(round, { minLength: 1, maxLength: 3 }),
        edges,
        async (size, moves, failures, clockJumps, rounds, other) => {
          const world = await openWorld(sql, platform, provider, { size, moves, failures, jumps: clockJumps });
          const scans: CompleteScan[] = [];
          try {
            for (const one of rounds) {
              await world.pass(one.passes);
              const before = await lastSyncOf(world);
              const scan = await runRound(world, one);
              const after = await lastSyncOf(world);
              const isSteady = clockJumps.length === 0;
              if (scan) scans.push(scan);
              else if (isSteady) expect(after).toBe(before);
              if (scan && scan.range.publishedAfter < scan.range.publishedBefore) {
                asked += 1;
                const isComplete = await checkPages(world, scans, asLongAsAsked(scan.range));
                if (isComplete) complete += 1;
                if (!isSteady) continue;
                expect(isComplete).toBe(true);
                expect(after).toBe(Math.max(before ?? 0, scan.startedAt));
              }
              await checkPages(world, scans, chooseWindow(world.list, other, world.now()));
            }
          } finally {
            await world.close();
          }
        },
      ),
      { numRuns: RUNS, seed: SEED },
    );
    // Otherwise nothing was asked.
    expect(asked).toBeGreaterThan(RUNS / 3);
    expect(complete).toBeGreaterThan(RUNS / 4);
  });
});
