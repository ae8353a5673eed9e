import { expect } from 'vitest';
import { findContent, findKnownContent, listUnseenContent } from '../../src/store/content/content.ts';
import { forgetContent, recallContent } from '../../src/store/content/forgotten-content.ts';
import { moveReadJobToRunning } from '../../src/store/jobs/running-reads.ts';
import { insertPage } from '../../src/store/jobs/scans.ts';
import { openStage } from '../kit/activity-stage.ts';
import { test } from '../kit/postgres.ts';
import { seedContent } from '../kit/seed.ts';

const DAY = (day: number) => new Date(Date.UTC(2026, 0, day));

test('a blanked post is found by a hash of an older key, and gets its id back from a read', async ({ sql }) => {
  const stage = await openStage(sql);
  const { before, mac } = stage.deps;
  const [{ connectionId }, other] = [await stage.newConnection(), await stage.newConnection()];
  const old = { publishedAt: DAY(1), observedAt: new Date(Date.now() - 31 * 86_400_000) };
  for (const id of [connectionId, other.connectionId]) await seedContent(sql, id, { providerContentId: 'one', ...old });
  // Blanked with the key of then, and, after a rotation, with the key of now.
  const due = [connectionId, other.connectionId].map((id) => ({ id, dueAt: old.observedAt }));
  expect(await forgetContent(sql, before.mac, due)).toBe(2);
  await seedContent(sql, connectionId, { providerContentId: 'two', ...old });
  const kept =
    await sql`select content_item_id as id from content_item where connection_id = ${connectionId} order by 1`;
  expect(await forgetContent(sql, mac, due)).toBe(1);
  for (const id of ['one', 'two']) {
    expect(await findContent(sql, connectionId, id)).toBeUndefined();
    expect(await findKnownContent(sql, mac, connectionId, id)).toMatchObject({ providerContentId: id, expired: true });
  }
  expect(await findKnownContent(sql, mac, other.connectionId, 'two')).toBeUndefined();
  await recallContent(sql, mac, connectionId, ['one', 'two', 'three']);
  const recalled = await sql`
    select content_item_id as id, content_mac from content_item
    where connection_id = ${connectionId} and provider_content_id is not null order by 1
  `;
  expect(recalled).toEqual(kept.map(({ id }) => ({ id, contentMac: null })));
  expect(await findContent(sql, other.connectionId, 'one')).toBeUndefined();
});

test('a scan misses only posts of its connection, inside the range that it has read', async ({ sql }) => {
  const stage = await openStage(sql);
  const [{ connectionId }, other] = [await stage.newConnection(), await stage.newConnection()];
  for (const day of [1, 2, 3, 4, 5]) {
    for (const id of [connectionId, other.connectionId])
      await seedContent(sql, id, { providerContentId: `day ${day}`, publishedAt: DAY(day) });
  }
  const scan = { ...(await stage.newScan(connectionId)), publishedAfter: DAY(2), readBefore: DAY(5) };
  expect(await listUnseenContent(sql, scan, 10)).toEqual(['day 4', 'day 3', 'day 2']);
  expect(await listUnseenContent(sql, scan, 2)).toEqual(['day 4', 'day 3']);
});

test('an empty first page is stored once, also if two workers read it', async ({ sql }) => {
  const stage = await openStage(sql);
  const { connectionId } = await stage.newConnection();
  const { jobId } = await stage.newScan(connectionId);
  const job = await moveReadJobToRunning(sql, jobId);
  if (!job) throw new Error('The scan has ended.');
  const window = { publishedAfter: DAY(1), publishedBefore: DAY(5), readBefore: DAY(5), chainStartedAt: DAY(5) };
  const page = { items: [], cursor: null, reachedEnd: true };
  const store = () => insertPage(sql, job, { window, page }, { withMetrics: false, permit: async () => undefined });
  expect(await store()).toMatchObject({ job: { jobId, reachedEnd: true }, limits: { clientRefused: false } });
  expect(await store()).toBeUndefined();
  expect(await stage.job('read_job', jobId)).toMatchObject({ steps: 1 });
});
