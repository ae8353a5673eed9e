import { createHash } from 'node:crypto';
import { expect, onTestFinished } from 'vitest';
import { type AttemptId, type CorrelationId, type JobId, newId } from '../../src/basics/ids.ts';
import { listDueUpkeep, postponeUpkeep } from '../../src/store/connections/upkeep.ts';
import type { Database } from '../../src/store/driver/sql.ts';
import type { Due, DuePage } from '../../src/store/due.ts';
import { insertLookup } from '../../src/store/jobs/new-reads.ts';
import { listOverdueAttempts, listOverdueReadJobs } from '../../src/store/overdue.ts';
import { businessNow, HOUR_MS, SECOND_MS } from '../kit/clock.ts';
import { withoutIndexes } from '../kit/plans.ts';
import { asWorker, createTestDatabase, test } from '../kit/postgres.ts';
import { at, type SeededApp, seedApp, seedConnection } from '../kit/seed.ts';
import { answerAttempt, seedAttempt } from '../kit/seed-attempts.ts';

/** A database of its own: the rows of others would be due too. */
async function createDatabase(): Promise<{ sql: Database; now: Date }> {
  const { sql, drop } = await createTestDatabase();
  onTestFinished(drop);
  return { sql, now: await businessNow(sql) };
}

/** An id that comes after those of smaller numbers. */
const idOf = (number: number) => `0000000${number}-0000-4000-8000-000000000000`;
const numbersOf = (rows: readonly Due[]) => rows.map(({ id }) => Number(id.slice(0, 8)));

test('due rows come the oldest first, page by page, each once', async () => {
  const { sql, now } = await createDatabase();
  const seeded = await seedApp(sql);
  // Not in the order of their ids: three of one moment after one of a later one, then an earlier one.
  const moments = [
    [1, 2],
    [4, 1],
    [2, 1],
    [3, 1],
    [5, 0],
  ] as const;
  for (const [number, seconds] of moments) {
    await at(sql, now, seconds * SECOND_MS, () =>
      seedAttempt(sql, seeded, { attemptId: idOf(number) as AttemptId }, answerAttempt),
    );
  }
  const read = async (limit: number, count: number) => {
    const pages: number[][] = [];
    let after: Due | null = null;
    for (let page = 0; page < count; page += 1) {
      const rows: Due[] = await at(sql, now, HOUR_MS, () =>
        withoutIndexes(asWorker(sql), (tx) => listOverdueAttempts(tx, { after, limit })),
      );
      pages.push(numbersOf(rows));
      after = rows.at(-1) ?? after;
    }
    return pages;
  };
  expect(await read(2, 4)).toEqual([[5, 2], [3, 4], [1], []]);
  expect(await read(1, 6)).toEqual([[5], [2], [3], [4], [1], []]);
});

/** Reads pages until one is not full. */
async function readPages(list: (page: DuePage) => Promise<Due[]>, limit: number): Promise<number[][]> {
  const pages: number[][] = [];
  for (let after: Due | null = null; ; ) {
    const rows: Due[] = await list({ after, limit });
    pages.push(numbersOf(rows));
    if (rows.length < limit || pages.length > 9) return pages;
    after = rows.at(-1) ?? null;
  }
}

test('the longest due row comes first, whichever app it belongs to, and each row once', async () => {
  const { sql, now } = await createDatabase();
  const [busy, quiet] = [await seedApp(sql), await seedApp(sql)];
  const queue = async (seeded: SeededApp, number: number, seconds: number) => {
    const connectionId = await seedConnection(sql, seeded, { scope: seeded.newScope() });
    const url = `https://platform.example/${number}`;
    const of = { connectionId, appId: seeded.app.appId, provider: 'PROVIDER_B', requestedBy: 'CALLER' } as const;
    const job = { ...of, jobId: idOf(number) as JobId, url, urlSha256: createHash('sha256').update(url).digest() };
    await at(sql, now, seconds * SECOND_MS, () => insertLookup(sql, { ...job, correlationId: newId<CorrelationId>() }));
  };
  await queue(busy, 1, 3);
  await queue(busy, 6, 2);
  await queue(busy, 5, 2);
  await queue(quiet, 7, 1);
  await queue(quiet, 2, 600); // Not due yet.
  const list = (page: DuePage) =>
    at(sql, now, 120 * SECOND_MS, () => withoutIndexes(asWorker(sql), (tx) => listOverdueReadJobs(tx, page)));
  expect(await readPages(list, 5)).toEqual([[7, 5, 6, 1]]);
  expect(await readPages(list, 3)).toEqual([[7, 5, 6], [1]]);
  expect(await readPages(list, 1)).toEqual([[7], [5], [6], [1], []]);
});

test('only the due rows of the asked provider are listed', async () => {
  const { sql, now } = await createDatabase();
  const [seeded, other] = [await seedApp(sql), await seedApp(sql)];
  const connect = async (of: SeededApp, provider: 'PROVIDER_A' | 'PROVIDER_B' | 'PROVIDER_C', seconds: number) => {
    const connectionId = await at(sql, now, 0, () => seedConnection(sql, of, { scope: of.newScope(), provider }));
    await at(sql, now, seconds * SECOND_MS, () => postponeUpkeep(sql, connectionId, 60));
    return connectionId;
  };
  const [first, second] = [await connect(seeded, 'PROVIDER_B', 1), await connect(seeded, 'PROVIDER_B', 2)];
  await connect(seeded, 'PROVIDER_A', 0);
  await connect(seeded, 'PROVIDER_C', 0);
  await connect(other, 'PROVIDER_C', 0);
  await connect(other, 'PROVIDER_B', HOUR_MS / SECOND_MS);
  const due = await at(sql, now, 120 * SECOND_MS, () =>
    listDueUpkeep(asWorker(sql), 'PROVIDER_B', { after: null, limit: 10 }),
  );
  expect(due.map(({ id }) => id)).toEqual([first, second]);
});
