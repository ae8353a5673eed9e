import { describe, expect, vi } from 'vitest';
import { openStage, type Stage } from '../kit/activity-stage.ts';
import { runActivity } from '../kit/deps.ts';
import { test } from '../kit/postgres.ts';
import { seedContent } from '../kit/seed.ts';
import { holdPauses } from './pauses.ts';

async function newDisconnecting(stage: Stage) {
  const connection = await stage.newConnection();
  await seedContent(stage.sql, connection.connectionId, { publishedAt: new Date() });
  const { jobId } = await stage.newScan(connection.connectionId);
  await runActivity(stage.activities.runScanStep, { jobId });
  return { ...connection, ...(await stage.disconnect(connection)) };
}

const rowsOf = async ({ sql }: Stage, { connectionId }: { connectionId: string }) => {
  const [row] = await sql`
    select (select count(*)::int from content_item where connection_id = ${connectionId}) as posts,
      (select count(*)::int from connection where connection_id = ${connectionId}) as connections
  `;
  return row;
};

/** How many posts of 2,501 some work deletes: at most with one statement, and in all. */
async function countDeletions(
  { sql }: Stage,
  { connectionId }: { connectionId: string },
  work: () => Promise<void>,
): Promise<unknown> {
  await sql`
    insert into content_item (content_item_id, connection_id, provider_content_id, kind, availability, observed_at)
    select gen_random_uuid(), ${connectionId}, 'post-' || n, 'VIDEO', 'AVAILABLE', business_now()
    from generate_series(1, 2500) as n
  `;
  await sql`create table deletion (rows integer not null)`;
  await sql`
    create function note_deletion() returns trigger language plpgsql security definer as $$
    begin
      insert into deletion select count(*) from removed;
      return null;
    end
    $$
  `;
  await sql`
    create trigger content_item_deleted after delete on content_item
    referencing old table as removed for each statement execute function note_deletion()
  `;
  try {
    await work();
    return (await sql`select max(rows) as largest, sum(rows)::int as total from deletion`)[0];
  } finally {
    await sql`drop function note_deletion cascade`;
    await sql`drop table deletion`;
  }
}

test('an erase whose purge never began ends its receipt', async ({ sql }) => {
  const stage = await openStage(sql);
  const { connectionId, eraseJobId } = await newDisconnecting(stage);
  await sql`update disconnect_job set status = 'SUCCEEDED', finished_at = business_now() where connection_id = ${connectionId} and kind = 'REVOKE'`;
  await runActivity(stage.activities.eraseConnection, { connectionId, eraseJobId });
  const [erase] = await sql`select status from disconnect_job where job_id = ${eraseJobId}`;
  expect(erase).toEqual({ status: 'SUCCEEDED' });
});

describe('purgeContent', () => {
  test('waits for the journal without delaying the revoke; the erase then deletes the rest', async ({ sql }) => {
    const stage = await openStage(sql);
    const going = await newDisconnecting(stage);
    const { connectionId, revokeJobId, eraseJobId } = going;
    const ship = vi.spyOn(stage.deps.journal, 'ship').mockRejectedValue(new Error('no space'));
    await expect(
      runActivity(stage.activities.purgeContent, { connectionId, revokeJobId, eraseJobId }, 6),
    ).rejects.toThrow();
    await runActivity(stage.activities.purgeContent, { connectionId, revokeJobId, eraseJobId }, 7);
    expect(await rowsOf(stage, going)).toMatchObject({ posts: 1, connections: 1 });
    expect(stage.deps.lines.join('')).toContain('The erase will purge the content');
    await expect(runActivity(stage.activities.eraseConnection, { connectionId, eraseJobId })).rejects.toThrow();
    // The revoke has settled: it holds no sibling now.
    expect(await stage.connectionStatus(connectionId)).toBe('DELETING');
    ship.mockRestore();
    await runActivity(stage.activities.eraseConnection, { connectionId, eraseJobId });
    expect(await rowsOf(stage, going)).toMatchObject({ posts: 0, connections: 0 });
  });

  test('gives up a try after ten seconds without an answer of the journal, and keeps the posts', async ({ sql }) => {
    const stage = await openStage(sql);
    const going = await newDisconnecting(stage);
    const { connectionId, revokeJobId, eraseJobId } = going;
    const ship = vi.spyOn(stage.deps.journal, 'ship').mockReturnValue(new Promise(() => undefined));
    const { left, keepAlive, end } = holdPauses();
    const tried = runActivity(stage.activities.purgeContent, { connectionId, revokeJobId, eraseJobId });
    const failed = expect(tried).rejects.toThrow();
    await vi.waitUntil(() => ship.mock.calls.length === 1 && left().includes(10_000), { interval: 5 });
    expect(keepAlive()).not.toContain(10_000);
    end(10_000);
    await failed;
    expect(await rowsOf(stage, going)).toMatchObject({ posts: 1 });
  });
});

describe('eraseConnection', () => {
  test('deletes the rows that a purge left, at most 1,000 posts in one statement', async ({ sql }) => {
    const stage = await openStage(sql);
    const going = await newDisconnecting(stage);
    const { connectionId, eraseJobId } = going;
    const erase = () => runActivity(stage.activities.eraseConnection, { connectionId, eraseJobId });
    expect(await countDeletions(stage, going, erase)).toEqual({ largest: 1_000, total: 2_501 });
  });
});
