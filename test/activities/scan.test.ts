import { describe, expect, onTestFinished } from 'vitest';
import type { ConnectionId, JobId } from '../../src/basics/ids.ts';
import { ProviderError } from '../../src/providers/provider.ts';
import { failureOf, openStage, type Stage, stageTest as test } from '../kit/activity-stage.ts';
import { businessNow, DAY_MS, HOUR_MS, MINUTE_MS, moveClock, SECOND_MS } from '../kit/clock.ts';
import { runActivity } from '../kit/deps.ts';
import { newTokens, post } from '../kit/fake-provider.ts';
import { gate } from '../kit/gate.ts';
import { findContent, moveConnection, seedContent, updateQuotaSpent } from '../kit/seed.ts';
import { findReadJob } from '../kit/seed-jobs.ts';

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
  test('keeps the pages before a failed one', async ({ sql }) => {
    const stage = await openStage(sql, { timeSliceMs: MINUTE_MS });
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
      const stage = await openStage(sql, { timeSliceMs: MINUTE_MS });
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
});

describe('a scan', () => {
  for (const cursor of ['next', null]) {
    test(`counts a page once if a crash made it be read twice, ${cursor ? 'with more pages' : 'the last page'}`, async ({
      stage,
    }) => {
      const { connectionId, ago } = await open(stage);
      const page = { items: [post('a', ago(HOUR_MS)), post('b', ago(DAY_MS))], cursor, reachedEnd: cursor === null };
      const reading = gate();
      stage.provider.listContent.mockImplementation(async () => {
        if (stage.provider.listContent.mock.calls.length === 2) reading.open();
        await reading.opened;
        return page;
      });
      const { jobId } = await stage.newScan(connectionId);
      await Promise.all([step(stage, jobId), step(stage, jobId)]);
      expect(await stage.job('read_job', jobId)).toMatchObject({ itemCount: 2, providerCursor: cursor });
      expect(await stored(stage, connectionId)).toEqual(['a', 'b']);
    });
  }

  test('rechecks at most as many posts at once as the provider accepts', async ({ sql, stage }) => {
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

  test('leaves missing posts as they are while the platform shows no post by its id at all', async ({ sql, stage }) => {
    const { now, ago, window } = await open(stage);
    const tokens = newTokens({ accessExpiresAt: new Date(now.getTime() + 90 * DAY_MS) });
    const { connectionId } = await stage.newConnection({ tokens });
    const [kept, gone] = [post('kept', ago(DAY_MS)), post('gone', ago(2 * DAY_MS))];
    const scan = async (...items: (typeof kept)[]) => {
      await moveClock(sql, 4 * HOUR_MS);
      stage.provider.listContent.mockResolvedValueOnce({ items, cursor: null, reachedEnd: true });
      await scanToTheEnd(stage, (await stage.newScan(connectionId, { window })).jobId);
    };
    await scan(kept, gone);
    const before = await findContent(sql, connectionId, 'gone');
    stage.provider.readContent.mockResolvedValue([]);
    for (let scans = 0; scans < 6; scans += 1) await scan(kept);
    expect(await findContent(sql, connectionId, 'gone')).toEqual(before);
    stage.provider.readContent.mockImplementation(async (_access, { providerContentIds }) =>
      [kept, gone].filter(({ providerContentId }) => providerContentIds.includes(providerContentId)),
    );
    await scan(kept);
    const [row] = await sql`
      select missing_since from content_item
      where connection_id = ${connectionId} and provider_content_id = 'gone'
    `;
    expect(row).toEqual({ missingSince: null });
    await moveClock(sql, -8 * 4 * HOUR_MS);
  });

  test('takes a bounded number of steps through a circular listing', async ({ sql, stage }) => {
    const { connectionId } = await stage.newConnection({ capabilities: ['CONTENT_LIST'] });
    const { jobId } = await stage.newScan(connectionId);
    let pages = 0;
    stage.provider.listContent.mockImplementation(async () => {
      pages += 1;
      return { items: [], cursor: `place ${pages % 3}`, reachedEnd: false };
    });
    const step = () => runActivity(stage.activities.runScanStep, { jobId });
    await step();
    expect(await stage.job('read_job', jobId)).toMatchObject({ status: 'RUNNING', steps: 1 });
    // As after most of the allowed steps.
    await sql`update read_job set steps = 995 where job_id = ${jobId}`;
    for (let left = 5; left > 0; left -= 1) expect(await step()).toEqual({ done: false });
    expect(await step()).toMatchObject({ done: true });
    expect(pages).toBe(6);
    expect(await stage.job('read_job', jobId)).toMatchObject({
      status: 'SUCCEEDED',
      incompleteReason: 'PROVIDER_LIMIT',
      steps: 1_000,
    });
  });
});
