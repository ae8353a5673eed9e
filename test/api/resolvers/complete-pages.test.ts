import fc from 'fast-check';
import { afterEach, describe, expect } from 'vitest';
import type { ConnectionId, JobId } from '../../../src/basics/ids.ts';
import { beside } from '../../kit/beside.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../kit/clock.ts';
import { type Database, test } from '../../kit/postgres.ts';
import { iso, openReader, type Reader } from '../../kit/reader.ts';
import { releaseClock, seedContent, seedCoverage } from '../../kit/seed.ts';

afterEach<{ sql: Database }>(({ sql }) => releaseClock(sql));

const NOW = Date.parse('2030-06-01T00:00:00.000Z');

interface Window {
  readonly after: number;
  readonly before: number;
}

/** All pages of a window: the listed posts, and whether each page claims to be complete. */
async function readAll({ ask }: Reader, connectionId: ConnectionId, { after, before }: Window) {
  const ids: string[] = [];
  const verdicts: (string | null)[] = [];
  let lastSuccessfulSyncAt: string | null = null;
  for (let cursor: string | null = null; ; ) {
    const window = { publishedAfter: iso(after), publishedBefore: iso(before), first: 2, after: cursor };
    const page: Awaited<ReturnType<Reader['ask']>> = await ask('content', { connectionId, window });
    expect(page.pageInfo.completeForWindow).toBe(page.pageInfo.incompleteReason === null);
    ids.push(...page.items.map((item: { providerContentId: string }) => item.providerContentId));
    verdicts.push(page.pageInfo.incompleteReason);
    lastSuccessfulSyncAt = page.lastSuccessfulSyncAt;
    if (!page.pageInfo.hasNextPage) return { ids, verdicts, complete: verdicts[0] === null, lastSuccessfulSyncAt };
    cursor = page.pageInfo.endCursor;
  }
}

const scan = async ({ ask }: Reader, connectionId: ConnectionId, { after, before }: Window, maxItems = 100) =>
  (
    await ask('requestRefresh', {
      connectionId,
      window: { publishedAfter: iso(after), publishedBefore: iso(before), maxItems },
    })
  ).id as JobId;

const open = async (sql: Database) => {
  const reader = await openReader(sql, NOW);
  const connectionId = await reader.connect();
  return { reader, connectionId };
};

describe('a complete page', () => {
  test('of a window that ends now reaches lastSuccessfulSyncAt too, even with a clock behind', async ({ database }) => {
    for (const before of [NOW, NOW - 5 * MINUTE_MS]) {
      const { reader, connectionId } = await open(database.sql);
      await reader.finish((await reader.scanInFlight(connectionId)) as JobId);
      const window = { after: NOW - 40 * DAY_MS, before };
      const which = `a window that ended ${(NOW - before) / MINUTE_MS} min before its request`;
      const jobId = await scan(reader, connectionId, window);
      expect(await scan(reader, connectionId, window)).toBe(jobId);
      reader.account.posts.push({ id: 'while it was queued', publishedAt: NOW + MINUTE_MS });
      await reader.move(10 * MINUTE_MS);
      expect(await reader.step(jobId)).toBe('goes on');
      expect(await scan(reader, connectionId, window)).toBe(jobId);
      await reader.finish(jobId);
      const reached = { ...window, before: NOW + 10 * MINUTE_MS };
      expect(await readAll(reader, connectionId, window), which).toMatchObject({ ids: [], verdicts: [null] });
      expect(await readAll(reader, connectionId, reached), which).toMatchObject({
        ids: ['while it was queued'],
        verdicts: [null],
        lastSuccessfulSyncAt: iso(reached.before),
      });
      const longer = { ...window, before: reached.before + 1 };
      expect(await readAll(reader, connectionId, longer), which).toMatchObject({ complete: false });
    }
  });

  test('refers to exactly the posts it lists, also when a scan ends during the read', async ({ database: { sql } }) => {
    const range = { publishedAfter: new Date(NOW - DAY_MS), publishedBefore: new Date(NOW) };
    for (const table of ['coverage', 'content_item']) {
      const { reader, connectionId } = await open(sql);
      const read = () => reader.ask('content', { connectionId, window: { ...range, first: 50 } });
      expect((await read()).pageInfo.completeForWindow).toBe(false);
      const { waited, result } = await beside(
        sql,
        (tx) => tx`lock table ${tx(table)} in access exclusive mode`,
        read,
        async (tx) => {
          await seedContent(tx as never, connectionId, { publishedAt: new Date(NOW - HOUR_MS) });
          await seedCoverage(tx as never, connectionId, { ...range, scannedAt: new Date(NOW) });
        },
      );
      expect(waited, table).toBe(true);
      expect(result.items.length === 1 || !result.pageInfo.completeForWindow, table).toBe(true);
      expect(await read()).toMatchObject({ items: [{}], pageInfo: { completeForWindow: true } });
    }
  });
});

/** The expected answer for a finished scan of the window, written by hand from the contract. */
interface ModelScan extends Window {
  readonly askedAt: number;
  readonly finishedAt: number;
}

const isCovered = (scans: readonly ModelScan[], now: number, { after, before }: Window): boolean => {
  const recent = scans.filter(({ finishedAt }) => now - finishedAt < DAY_MS);
  let reached = after;
  for (let last = Number.NaN; last !== reached; ) {
    last = reached;
    for (const one of recent) {
      if (one.after <= reached) reached = Math.max(reached, Math.min(one.before, one.askedAt));
    }
  }
  return reached >= before;
};

/** Instants lie on a grid of hours around the start, so that edges meet. */
const instant = fc.integer({ min: -60, max: 40 }).map((hours) => NOW + hours * HOUR_MS);
const window = fc
  .tuple(instant, fc.integer({ min: 1, max: 60 }))
  .map(([after, hours]): Window => ({ after, before: after + hours * HOUR_MS }));
const command = fc.oneof(
  fc.record({ do: fc.constant('move' as const), hours: fc.constantFrom(0.5, 1, 2, 5, 12, 20) }),
  fc.record({ do: fc.constant('publish' as const) }),
  fc.record({ do: fc.constant('remove' as const), which: fc.nat() }),
  fc.record({
    do: fc.constant('scan' as const),
    window: fc.option(window, { nil: null }),
    maxItems: fc.integer({ min: 1, max: 5 }),
  }),
  fc.record({ do: fc.constant('step' as const) }),
  fc.record({ do: fc.constant('finish' as const) }),
  fc.record({ do: fc.constant('fail' as const) }),
  fc.record({ do: fc.constant('continue' as const) }),
);

test('after any sequence of events a page is complete exactly when recent scans cover it, and then it has every post', async ({
  sql,
}) => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(command, { minLength: 5, maxLength: 25 }),
      fc.array(window, { minLength: 2, maxLength: 2 }),
      async (commands, windows) => {
        const reader = await openReader(sql, NOW);
        const { account } = reader;
        for (let n = 1; n <= 6; n += 1) account.posts.push({ id: `old-${n}`, publishedAt: NOW - n * 7 * HOUR_MS });
        const connectionId = await reader.connect();
        /** For each job: its window, the time of its request, and the time of the first page of its chain. */
        const jobs = new Map<JobId, { window: Window | null; createdAt: number; askedAt: number | undefined }>();
        const scans: ModelScan[] = [];
        let last: JobId | undefined;

        const step = async (): Promise<'goes on' | 'waits' | 'has ended'> => {
          const jobId = await reader.scanInFlight(connectionId);
          if (jobId === undefined) return 'has ended';
          const job = jobs.get(jobId) ?? { window: null, createdAt: NOW, askedAt: undefined };
          jobs.set(jobId, job);
          const failing = account.failures > 0;
          const askedAt = job.askedAt ?? reader.now();
          const next = await reader.step(jobId);
          if (!failing) job.askedAt = askedAt;
          last = jobId;
          const answer = await reader.ask('syncJob', { connectionId, id: jobId });
          if (next === 'has ended' && answer.completeForWindow === true) {
            const read = job.window ?? { after: askedAt - 7 * DAY_MS, before: askedAt };
            // A window that ended "now" was read up to the time of its request.
            const endsNow = read.before >= job.createdAt - 5 * MINUTE_MS;
            const before = endsNow ? Math.max(read.before, askedAt) : read.before;
            scans.push({ after: read.after, before, askedAt, finishedAt: reader.now() });
          }
          return next;
        };

        const run = async (one: (typeof commands)[number]): Promise<void> => {
          if (one.do === 'move') await reader.move(one.hours * HOUR_MS);
          if (one.do === 'publish')
            account.posts.push({ id: `new-${account.posts.length}`, publishedAt: reader.now() });
          if (one.do === 'remove') {
            const there = account.visible(reader.now());
            const gone = there[one.which % there.length];
            if (gone) gone.removedAt = reader.now();
          }
          if (one.do === 'fail') account.failures = 1;
          if (one.do === 'step') await step();
          if (one.do === 'finish') for (let n = 0; n < 20 && (await step()) === 'goes on'; n += 1);
          if (one.do === 'scan') {
            const asked = one.window && {
              publishedAfter: iso(one.window.after),
              publishedBefore: iso(one.window.before),
              maxItems: one.maxItems,
            };
            const job = await reader.ask('requestRefresh', { connectionId, window: asked }).catch(() => undefined);
            if (job && !jobs.has(job.id))
              jobs.set(job.id, { window: one.window, createdAt: reader.now(), askedAt: undefined });
          }
          if (one.do === 'continue' && last !== undefined) {
            const { continuationCursor } = await reader.ask('syncJob', { connectionId, id: last });
            if (continuationCursor === null) return;
            const source = jobs.get(last);
            const job = await reader.ask('requestRefresh', { connectionId, continuationCursor }).catch(() => undefined);
            if (!job || jobs.has(job.id) || !source) return;
            const read = source.window ?? { after: (source.askedAt ?? 0) - 7 * DAY_MS, before: source.askedAt ?? 0 };
            jobs.set(job.id, { ...source, window: read });
          }
        };

        const look = async (asked: Window): Promise<void> => {
          const { ids, verdicts, lastSuccessfulSyncAt } = await readAll(reader, connectionId, asked);
          const complete = isCovered(scans, reader.now(), asked);
          expect(verdicts.map((reason) => reason === null)).toEqual(verdicts.map(() => complete));
          if (complete) {
            const there = account
              .visible(reader.now())
              .filter(({ publishedAt }) => publishedAt >= asked.after && publishedAt < asked.before);
            expect(ids).toEqual(expect.arrayContaining(there.map(({ id }) => id)));
          }
          const newest = Math.max(...scans.map(({ askedAt }) => askedAt));
          expect(lastSuccessfulSyncAt).toBe(scans.length > 0 ? iso(newest) : null);
        };

        for (const one of commands) {
          await run(one);
          for (const asked of windows) await look(asked);
          const done = scans.at(-1);
          if (done)
            await look({ after: done.after, before: Math.max(done.after + 1, Math.min(done.before, done.askedAt)) });
        }
      },
    ),
    { numRuns: 5 },
  );
});
