import { expect } from 'vitest';
import { findContent, findKnownContent } from '../../src/store/content/content.ts';
import { forgetContent, recallContent } from '../../src/store/content/forgotten-content.ts';
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
