import { describe, expect } from 'vitest';
import { toSyncJob } from '../../src/api/resolvers/sync-job.ts';
import type { ConnectionId, JobId } from '../../src/basics/ids.ts';
import type { Content, Provider } from '../../src/providers/provider.ts';
import { openStage, type Stage } from '../kit/activity-stage.ts';
import { businessNow, DAY_MS, HOUR_MS, MINUTE_MS, moveClock } from '../kit/clock.ts';
import { runActivity } from '../kit/deps.ts';
import { newTokens, post } from '../kit/fake-provider.ts';
import { test } from '../kit/postgres.ts';
import { findContent } from '../kit/seed.ts';
import { findReadJob, type ScanWindow } from '../kit/seed-jobs.ts';

/**
 * A scan read two posts an hour ago; a new scan of the same window returned only one of them, and our clock moved meanwhile.
 */
async function openUnseen(stage: Stage, { clockMovesMs = 0 } = {}) {
  const now = await businessNow(stage.sql);
  const window = { publishedAfter: new Date(now.getTime() - 7 * DAY_MS), publishedBefore: now };
  const tokens = newTokens({ accessExpiresAt: new Date(Date.now() + 90 * DAY_MS) });
  const { connectionId } = await stage.newConnection({ tokens });
  const [kept, gone] = [
    post('kept', new Date(now.getTime() - DAY_MS)),
    post('gone', new Date(now.getTime() - 2 * DAY_MS)),
  ];
  const listing = (...items: (typeof kept)[]) => ({ items, cursor: null, reachedEnd: true });
  stage.provider.listContent.mockResolvedValueOnce(listing(kept, gone));
  const first = await stage.newScan(connectionId, { window });
  while (!(await step(stage, first.jobId)).done);
  const readAt = (await findContent(stage.sql, connectionId, 'gone'))?.observedAt;
  await moveClock(stage.sql, HOUR_MS);
  stage.provider.listContent.mockImplementationOnce(async () => {
    await moveClock(stage.sql, clockMovesMs);
    return listing(kept);
  });
  const { jobId } = await stage.newScan(connectionId, { window });
  expect(await step(stage, jobId)).toEqual({ done: false });
  return { connectionId, jobId, window, kept, gone, readAt };
}
/** Shows these posts, and no other, when they are read by id. */
const onlyShows =
  (...ids: string[]): Provider['readContent'] =>
  async (_access, { providerContentIds }) =>
    providerContentIds.filter((id) => ids.includes(id)).map((id) => post(id, new Date()));

/** Another scan of the window, an hour later. */
async function scanAgain(stage: Stage, connectionId: ConnectionId, window: ScanWindow, items: Content[]) {
  await moveClock(stage.sql, HOUR_MS + MINUTE_MS);
  stage.provider.listContent.mockResolvedValueOnce({ items, cursor: null, reachedEnd: true });
  const { jobId } = await stage.newScan(connectionId, { window });
  while (!(await step(stage, jobId)).done);
}
const step = (stage: Stage, jobId: JobId) => runActivity(stage.activities.runScanStep, { jobId });
const shown = async (stage: Stage, jobId: JobId) => {
  const job = await findReadJob(stage.sql, jobId);
  if (!job) throw new Error('There is no such job.');
  return { job, ...toSyncJob(stage.deps.mac, job) };
};
describe('a post that the provider no longer returns', () => {
  test('stays as it is if the platform shows no other post of the account by its id either', async ({ sql }) => {
    const stage = await openStage(sql);
    const { connectionId, jobId, window, kept } = await openUnseen(stage);
    const before = await findContent(sql, connectionId, 'gone');
    stage.provider.readContent.mockResolvedValue([]);
    while (!(await step(stage, jobId)).done);
    for (let hour = 0; hour < 24; hour += 4) {
      await moveClock(sql, 4 * HOUR_MS);
      await scanAgain(stage, connectionId, window, [kept]);
    }
    expect(await findContent(sql, connectionId, 'gone')).toEqual(before);
    stage.provider.readContent.mockImplementation(onlyShows('kept', 'gone'));
    await scanAgain(stage, connectionId, window, [kept]);
    const [row] =
      await sql`select missing_since from content_item where connection_id = ${connectionId} and provider_content_id = 'gone'`;
    expect(row?.missingSince).toBeNull();
  });
});

describe('a clock that is set back during a scan', () => {
  for (const clockMovesMs of [-MINUTE_MS, -DAY_MS]) {
    test(`by ${-clockMovesMs / MINUTE_MS} minutes repeats no recheck`, async ({ sql }) => {
      const stage = await openStage(sql);
      const { jobId } = await openUnseen(stage, { clockMovesMs });
      stage.provider.readContent.mockImplementation(onlyShows('kept'));
      let steps = 0;
      for (let done = false; !done && steps < 50; steps += 1) ({ done } = await step(stage, jobId));
      expect(steps).toBe(2);
      expect(stage.provider.readContent.mock.calls.map(([, input]) => input.providerContentIds)).toEqual([
        ['gone'],
        ['kept'],
      ]);
      expect(await shown(stage, jobId)).toMatchObject({ status: 'SUCCEEDED', completeForWindow: true });
    });
  }

  test('counts the posts of another scan as read by it alone', async ({ sql }) => {
    const stage = await openStage(sql);
    const { connectionId, jobId, window, kept, gone } = await openUnseen(stage, { clockMovesMs: -MINUTE_MS });
    stage.provider.readContent.mockImplementation(async (_access, { providerContentIds }) =>
      [kept, gone].filter(({ providerContentId }) => providerContentIds.includes(providerContentId)),
    );
    while (!(await step(stage, jobId)).done);
    stage.provider.readContent.mockClear();
    // A newer one shows neither: it asks for both, although both were read after its start by the clock.
    stage.provider.listContent.mockResolvedValueOnce({ items: [], cursor: null, reachedEnd: true });
    const next = await stage.newScan(connectionId, { window });
    await moveClock(sql, -HOUR_MS);
    while (!(await step(stage, next.jobId)).done);
    expect(stage.provider.readContent.mock.calls[0]?.[1].providerContentIds.toSorted()).toEqual(
      [gone, kept].map(({ providerContentId }) => providerContentId),
    );
  });
});
