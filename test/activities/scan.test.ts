import { describe, expect, onTestFinished } from 'vitest';
import type { ConnectionId, JobId } from '../../src/basics/ids.ts';
import { ProviderError } from '../../src/providers/provider.ts';
import { moveConnection } from '../../src/store/connections/connections.ts';
import { findContent } from '../../src/store/content/content.ts';
import { getCoverage } from '../../src/store/content/coverage.ts';
import { listContent } from '../../src/store/content/listing.ts';
import { inTransaction } from '../../src/store/driver/sql.ts';
import { cancelReadJobs, findReadJob } from '../../src/store/jobs/read-jobs.ts';
import { updateQuotaSpent } from '../../src/store/registrations/registrations.ts';
import { failureOf, openStage, type Stage } from '../kit/activity-stage.ts';
import { businessNow, DAY_MS, HOUR_MS, MINUTE_MS, moveClock, SECOND_MS } from '../kit/clock.ts';
import { runActivity } from '../kit/deps.ts';
import { post } from '../kit/fake-provider.ts';
import { test } from '../kit/postgres.ts';
import { seedContent } from '../kit/seed.ts';
import { setNextTurn } from '../kit/turns.ts';

const step = (stage: Stage, jobId: JobId) => runActivity(stage.activities.runScanStep, { jobId });

/** Takes steps as the workflow does. @returns their number. */
async function scanToTheEnd(stage: Stage, jobId: JobId): Promise<number> {
  for (let steps = 1; ; steps += 1) if ((await step(stage, jobId)).done) return steps;
}

async function open(stage: Stage) {
  const now = await businessNow(stage.sql);
  const { connectionId } = await stage.newConnection();
  const ago = (ms: number) => new Date(now.getTime() - ms);
  return { connectionId, now, ago, window: { publishedAfter: ago(7 * DAY_MS), publishedBefore: ago(10 * MINUTE_MS) } };
}

const stored = async (stage: Stage, connectionId: ConnectionId) => {
  const rows = await stage.sql`
    select provider_content_id, availability, reason from content_item where connection_id = ${connectionId} order by 1
  `;
  return rows.map((row) => row.providerContentId);
};

describe('one activity of a scan', () => {
  const pages = (stage: Stage, ago: (ms: number) => Date) =>
    stage.provider.listContent
      .mockResolvedValueOnce({ items: [post('a', ago(HOUR_MS))], cursor: 'next', reachedEnd: false })
      .mockResolvedValueOnce({ items: [post('b', ago(DAY_MS))], cursor: null, reachedEnd: true });

  test('reads all pages while no call has to wait for its turn', async ({ sql }) => {
    const stage = await openStage(sql, { stretchMs: MINUTE_MS });
    const { connectionId, ago, window } = await open(stage);
    pages(stage, ago);
    const { jobId } = await stage.newScan(connectionId, { window });
    expect(await step(stage, jobId)).toEqual({ done: true });
    expect(await stored(stage, connectionId)).toEqual(['a', 'b']);
    expect(await stage.job('read_job', jobId)).toMatchObject({ status: 'SUCCEEDED', itemCount: 2 });
  });

  test('ends after a call that waited for its turn, so that others get theirs', async ({ sql }) => {
    const stage = await openStage(sql, { stretchMs: MINUTE_MS });
    const { connectionId, ago, window } = await open(stage);
    stage.provider.listContent.mockImplementationOnce(async (_access, _input, meter) => {
      await meter.admit({ quotaUnits: 0, cannotWait: false });
      return { items: [post('a', ago(HOUR_MS))], cursor: 'next', reachedEnd: false };
    });
    // The line of the provider's calls ends 200 ms from now.
    await setNextTurn(sql, 'PROVIDER_B', 0.2);
    const { jobId } = await stage.newScan(connectionId, { window });
    expect(await step(stage, jobId)).toEqual({ done: false });
    expect(await stored(stage, connectionId)).toEqual(['a']);
  });

  test('keeps the pages before a failed one', async ({ sql }) => {
    const stage = await openStage(sql, { stretchMs: MINUTE_MS });
    const { connectionId, ago, window } = await open(stage);
    stage.provider.listContent
      .mockResolvedValueOnce({ items: [post('a', ago(HOUR_MS))], cursor: 'next', reachedEnd: false })
      .mockRejectedValueOnce(new ProviderError('RetryLater', 'A test wants it so.'));
    const { jobId } = await stage.newScan(connectionId, { window });
    expect(await failureOf(step(stage, jobId))).toMatchObject({ type: 'RetryLater' });
    expect(await stored(stage, connectionId)).toEqual(['a']);
    expect(await findReadJob(sql, jobId)).toMatchObject({ status: 'RUNNING', providerCursor: 'next', itemCount: 1 });
  });

  const changes: [
    string,
    (stage: Stage, ids: { connectionId: ConnectionId; jobId: JobId }) => Promise<unknown>,
    string,
  ][] = [
    ['a suspended connection', ({ sql }, { connectionId }) => moveConnection(sql, connectionId, 'SUSPENDED'), 'Paused'],
    [
      'a used-up quota',
      ({ sql, seeded }) => updateQuotaSpent(sql, seeded.registrations.PROVIDER_B, 3_600),
      'QuotaSpent',
    ],
    [
      'a grant that has ended',
      ({ sql }, { connectionId }) =>
        sql`update account_grant set refresh_expires_at = business_now() where connection_id = ${connectionId}`,
      'GrantDead',
    ],
  ];
  for (const [what, change, type] of changes) {
    const keeps = type === 'QuotaSpent' ? ['a'] : [];
    test(`ends with ${type} after ${what} during a page, and stores ${keeps.length} of it`, async ({ sql }) => {
      const stage = await openStage(sql, { stretchMs: MINUTE_MS });
      const { connectionId, ago, window } = await open(stage);
      const { jobId } = await stage.newScan(connectionId, { window });
      stage.provider.listContent.mockImplementationOnce(async () => {
        await change(stage, { connectionId, jobId });
        return { items: [post('a', ago(HOUR_MS))], cursor: 'next', reachedEnd: false };
      });
      expect(await failureOf(step(stage, jobId))).toMatchObject({ type });
      expect(stage.provider.listContent).toHaveBeenCalledOnce();
      expect(await stored(stage, connectionId)).toEqual(keeps);
    });
  }

  test('calls no more once its job is canceled between two pages', async ({ sql }) => {
    const stage = await openStage(sql, { stretchMs: MINUTE_MS });
    const { connectionId, ago, window } = await open(stage);
    const { jobId } = await stage.newScan(connectionId, { window });
    stage.provider.listContent.mockImplementation(async () => {
      await inTransaction(sql, (tx) => cancelReadJobs(tx, connectionId, 'CAPABILITY_UNAVAILABLE'));
      return { items: [post('a', ago(HOUR_MS))], cursor: 'next', reachedEnd: false };
    });
    expect(await step(stage, jobId)).toEqual({ done: true });
    expect(stage.provider.listContent).toHaveBeenCalledOnce();
    expect(await stored(stage, connectionId)).toEqual([]);
  });

  test('makes few statements for each page', async ({ sql }) => {
    const stage = await openStage(sql, { stretchMs: MINUTE_MS });
    const { connectionId, ago, window } = await open(stage);
    const statements: string[] = [];
    const { options } = stage.deps.sql;
    const countsOfPages: number[] = [];
    for (const cursor of ['2', '3', '4', null]) {
      stage.provider.listContent.mockImplementationOnce(async () => {
        countsOfPages.push(statements.length);
        return { items: [post(String(cursor), ago(HOUR_MS))], cursor, reachedEnd: cursor === null };
      });
    }
    const { jobId } = await stage.newScan(connectionId, { window });
    Object.assign(options, { debug: (_connection: number, statement: string) => void statements.push(statement) });
    await step(stage, jobId).finally(() => Object.assign(options, { debug: false }));
    const [, second = 0, third = 0, fourth = 0] = countsOfPages;
    // The permit before the call; then begin, two locks, the permit, the ids of forgotten posts, the page, the quota and commit.
    expect([third - second, fourth - third]).toEqual([8, 8]);
  });
});

describe('a scan', () => {
  test('reads page by page from its cursor, and ends with its window covered', async ({ sql }) => {
    const stage = await openStage(sql);
    const { connectionId, ago, window } = await open(stage);
    stage.provider.listContent
      .mockResolvedValueOnce({
        items: [post('a', ago(HOUR_MS)), post('b', ago(DAY_MS))],
        cursor: 'next',
        reachedEnd: false,
      })
      .mockResolvedValueOnce({ items: [post('c', ago(2 * DAY_MS))], cursor: null, reachedEnd: true });
    const { jobId } = await stage.newScan(connectionId, { window });
    await scanToTheEnd(stage, jobId);
    const asked = stage.provider.listContent.mock.calls.map(([, input]) => input);
    expect(asked).toEqual([
      { window, cursor: null, limit: 100, withMetrics: true },
      { window, cursor: 'next', limit: 98, withMetrics: true },
    ]);
    expect(await stage.job('read_job', jobId)).toMatchObject({
      status: 'SUCCEEDED',
      itemCount: 3,
      incompleteReason: null,
    });
    expect(await stored(stage, connectionId)).toEqual(['a', 'b', 'c']);
    expect(await getCoverage(sql, connectionId, window)).toEqual({ complete: true });
    const [row] =
      await sql`select sync_status, last_successful_sync_at from connection where connection_id = ${connectionId}`;
    expect(row).toMatchObject({ syncStatus: 'READY', lastSuccessfulSyncAt: expect.any(Date) });
  });

  test('is RUNNING while it runs', async ({ sql }) => {
    const stage = await openStage(sql);
    const { connectionId } = await open(stage);
    stage.provider.listContent.mockResolvedValueOnce({ items: [], cursor: 'next', reachedEnd: false });
    const { jobId } = await stage.newScan(connectionId);
    await step(stage, jobId);
    const [row] = await sql`select sync_status from connection where connection_id = ${connectionId}`;
    expect(row?.syncStatus).toBe('RUNNING');
  });

  for (const cursor of ['next', null]) {
    test(`counts a page once if a crash made it be read twice, ${cursor ? 'with more pages' : 'the last page'}`, async ({
      sql,
    }) => {
      const stage = await openStage(sql);
      const { connectionId, ago } = await open(stage);
      const page = { items: [post('a', ago(HOUR_MS)), post('b', ago(DAY_MS))], cursor, reachedEnd: cursor === null };
      let bothAreReading: () => void = () => undefined;
      const reading = new Promise<void>((resolve) => {
        bothAreReading = resolve;
      });
      stage.provider.listContent.mockImplementation(async () => {
        if (stage.provider.listContent.mock.calls.length === 2) bothAreReading();
        await reading;
        return page;
      });
      const { jobId } = await stage.newScan(connectionId);
      await Promise.all([step(stage, jobId), step(stage, jobId)]);
      expect(await stage.job('read_job', jobId)).toMatchObject({ itemCount: 2, providerCursor: cursor });
      expect(await stored(stage, connectionId)).toEqual(['a', 'b']);
    });
  }

  test('overwrites stored posts: each is there once, as last read', async ({ sql }) => {
    const stage = await openStage(sql);
    const { connectionId, ago } = await open(stage);
    await seedContent(sql, connectionId, { providerContentId: 'a', publishedAt: ago(HOUR_MS), title: 'Before' });
    const items = [post('a', ago(HOUR_MS), { title: 'After' })];
    stage.provider.listContent.mockResolvedValueOnce({ items, cursor: null, reachedEnd: true });
    const { jobId } = await stage.newScan(connectionId);
    await scanToTheEnd(stage, jobId);
    expect(await stored(stage, connectionId)).toEqual(['a']);
    expect(await findContent(sql, connectionId, 'a')).toMatchObject({ title: 'After', availability: 'AVAILABLE' });
  });

  test('rechecks by id the stored posts of its window that no page contained', async ({ sql }) => {
    const stage = await openStage(sql);
    const { connectionId, ago, window } = await open(stage);
    const metrics = [{ name: 'VIEWS', value: '1', availability: 'AVAILABLE', reason: null, sourceField: 'view_count' }];
    await seedContent(sql, connectionId, { providerContentId: 'gone', publishedAt: ago(DAY_MS), metrics });
    await seedContent(sql, connectionId, { providerContentId: 'still there', publishedAt: ago(2 * DAY_MS) });
    await seedContent(sql, connectionId, { providerContentId: 'seen', publishedAt: ago(3 * DAY_MS) });
    await seedContent(sql, connectionId, { providerContentId: 'outside', publishedAt: ago(8 * DAY_MS) });
    onTestFinished(() => moveClock(sql, -SECOND_MS));
    await moveClock(sql, SECOND_MS);
    const items = [post('seen', ago(3 * DAY_MS))];
    stage.provider.listContent.mockResolvedValueOnce({ items, cursor: null, reachedEnd: true });
    stage.provider.readContent.mockResolvedValueOnce([post('still there', ago(2 * DAY_MS))]);
    const { jobId } = await stage.newScan(connectionId, { window });
    await scanToTheEnd(stage, jobId);
    expect(stage.provider.readContent.mock.calls.map(([, input]) => [...input.providerContentIds])).toEqual([
      ['gone', 'still there'],
    ]);
    expect(await findContent(sql, connectionId, 'gone')).toMatchObject({ availability: 'AVAILABLE', metrics });
    const [row] =
      await sql`select missing_since from content_item where connection_id = ${connectionId} and provider_content_id = 'gone'`;
    expect(row?.missingSince).toEqual(expect.any(Date));
    for (const id of ['still there', 'seen', 'outside'])
      expect(await findContent(sql, connectionId, id)).toMatchObject({ availability: 'AVAILABLE' });
    expect(await stage.job('read_job', jobId)).toMatchObject({ status: 'SUCCEEDED' });
  });

  test('rechecks at most as many posts at once as the provider accepts', async ({ sql }) => {
    const stage = await openStage(sql);
    const { connectionId, ago, window } = await open(stage);
    for (let i = 0; i < 45; i += 1) await seedContent(sql, connectionId, { publishedAt: ago(DAY_MS) });
    onTestFinished(() => moveClock(sql, -SECOND_MS));
    await moveClock(sql, SECOND_MS);
    const { jobId } = await stage.newScan(connectionId, { window });
    await scanToTheEnd(stage, jobId);
    expect(stage.provider.readContent.mock.calls.map(([, input]) => input.providerContentIds.length)).toEqual([
      20, 1, 20, 1, 5,
    ]); // After a batch that the provider shows nothing of, one other post.
  });

  test('ends with MAX_ITEMS, incomplete and continuable, at the requested number', async ({ sql }) => {
    const stage = await openStage(sql);
    const { connectionId, ago, window } = await open(stage);
    stage.provider.listContent.mockResolvedValueOnce({
      items: [post('a', ago(HOUR_MS)), post('b', ago(2 * HOUR_MS))],
      cursor: 'next',
      reachedEnd: false,
    });
    const { jobId } = await stage.newScan(connectionId, { window, maxItems: 2 });
    await scanToTheEnd(stage, jobId);
    expect(await findReadJob(sql, jobId)).toMatchObject({
      status: 'SUCCEEDED',
      incompleteReason: 'MAX_ITEMS',
      continuable: true,
    });
    expect(stage.provider.listContent).toHaveBeenCalledOnce();
    expect(await getCoverage(sql, connectionId, window)).toMatchObject({ complete: false });
    const [row] = await sql`select sync_status from connection where connection_id = ${connectionId}`;
    expect(row?.syncStatus).toBe('PARTIAL');
  });

  test('is complete if the last requested item is also the last post', async ({ sql }) => {
    const stage = await openStage(sql);
    const { connectionId, ago, window } = await open(stage);
    const items = [post('a', ago(HOUR_MS)), post('b', ago(2 * HOUR_MS))];
    stage.provider.listContent.mockResolvedValueOnce({ items, cursor: null, reachedEnd: true });
    const { jobId } = await stage.newScan(connectionId, { window, maxItems: 2 });
    await scanToTheEnd(stage, jobId);
    expect(await findReadJob(sql, jobId)).toMatchObject({ status: 'SUCCEEDED', incompleteReason: null });
  });

  test('ends with PROVIDER_LIMIT at the provider’s limit, and cannot be continued', async ({ sql }) => {
    const stage = await openStage(sql);
    const { connectionId, ago, window } = await open(stage);
    const items = [post('a', ago(HOUR_MS))];
    stage.provider.listContent.mockResolvedValueOnce({ items, cursor: null, reachedEnd: false });
    const { jobId } = await stage.newScan(connectionId, { window });
    expect(await scanToTheEnd(stage, jobId)).toBe(1);
    expect(await findReadJob(sql, jobId)).toMatchObject({
      status: 'SUCCEEDED',
      incompleteReason: 'PROVIDER_LIMIT',
      continuable: false,
    });
    expect(await stored(stage, connectionId)).toEqual(['a']);
  });

  test('continues from the cursor, and its coverage is valid for a day from its end', async ({ sql }) => {
    const stage = await openStage(sql);
    const { connectionId, ago, window } = await open(stage);
    stage.provider.listContent.mockResolvedValueOnce({
      items: [post('a', ago(HOUR_MS))],
      cursor: 'next',
      reachedEnd: false,
    });
    const first = await stage.newScan(connectionId, { window, maxItems: 1 });
    await scanToTheEnd(stage, first.jobId);

    onTestFinished(() => moveClock(sql, -34 * HOUR_MS)); // The fake platform's tokens expire by the real clock.
    await moveClock(sql, 10 * HOUR_MS);
    const before = await findReadJob(sql, first.jobId);
    if (!before) throw new Error('The first scan is gone.');
    const items = [post('b', ago(2 * DAY_MS))];
    stage.provider.listContent.mockResolvedValueOnce({ items, cursor: null, reachedEnd: true });
    const second = await stage.newScan(connectionId, { window, continues: before });
    await scanToTheEnd(stage, second.jobId);
    expect(stage.provider.listContent.mock.calls[1]?.[1].cursor).toBe('next');
    // Posts that the first scan of the chain returned count as seen.
    expect(stage.provider.readContent).not.toHaveBeenCalled();
    expect(await getCoverage(sql, connectionId, window)).toEqual({ complete: true });

    await moveClock(sql, 24 * HOUR_MS - MINUTE_MS);
    expect(await getCoverage(sql, connectionId, window)).toEqual({ complete: true });
    await moveClock(sql, MINUTE_MS);
    expect(await getCoverage(sql, connectionId, window)).toEqual({ complete: false, reason: 'SCAN_STALE' });
  });

  test('stores nothing after it was canceled', async ({ sql }) => {
    const stage = await openStage(sql);
    const connection = await stage.newConnection();
    const { jobId } = await stage.newScan(connection.connectionId);
    stage.provider.listContent.mockImplementationOnce(async () => {
      await stage.disconnect(connection);
      return { items: [post('late', new Date())], cursor: null, reachedEnd: true };
    });
    await step(stage, jobId);
    expect(await stored(stage, connection.connectionId)).toEqual([]);
    expect(await step(stage, jobId)).toEqual({ done: true });
    expect(await stage.job('read_job', jobId)).toMatchObject({ status: 'CANCELED' });
  });

  test('stores nothing, and does not fail, if its connection was erased during a call', async ({ sql }) => {
    const stage = await openStage(sql);
    const { connectionId } = await stage.newConnection();
    const { jobId } = await stage.newScan(connectionId);
    stage.provider.listContent.mockImplementationOnce(async () => {
      await sql`delete from read_job where connection_id = ${connectionId}`;
      await sql`update account_grant set connection_id = null, status = 'DEAD', sealed_tokens = null where connection_id = ${connectionId}`;
      await sql`delete from connection where connection_id = ${connectionId}`;
      return { items: [post('late', new Date())], cursor: 'next', reachedEnd: false };
    });
    expect(await step(stage, jobId)).toEqual({ done: false });
    expect(await step(stage, jobId)).toEqual({ done: true });
    expect(await stored(stage, connectionId)).toEqual([]);
  });
});

describe('stored posts', () => {
  test('are listed newest first in their window; posts without a date are in none', async ({ sql }) => {
    const stage = await openStage(sql);
    const { connectionId, ago, window } = await open(stage);
    const items = [post('old', ago(DAY_MS)), post('new', ago(HOUR_MS)), post('x', new Date(0), { publishedAt: null })];
    stage.provider.listContent.mockResolvedValueOnce({ items, cursor: null, reachedEnd: true });
    const { jobId } = await stage.newScan(connectionId, { window });
    await scanToTheEnd(stage, jobId);
    const listed = await listContent(sql, connectionId, { ...window, limit: 10, after: null });
    expect(listed.map(({ providerContentId }) => providerContentId)).toEqual(['new', 'old']);
  });
});
