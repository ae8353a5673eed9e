import { expect } from 'vitest';
import { findContentByCode } from '../../src/store/content/content.ts';
import { test } from '../kit/postgres.ts';
import { seedApp, seedConnection, seedContent } from '../kit/seed.ts';

test('a post is found by the last segment of its URL’s path, and by no other part', async ({ sql }) => {
  const seeded = await seedApp(sql);
  const scope = seeded.newScope();
  const connectionId = await seedConnection(sql, seeded, { scope });
  const other = await seedConnection(sql, seeded, { scope });
  const now = Date.now();
  const post = async (url: string, of = connectionId, ageMs = 0) => {
    const id = await seedContent(sql, of, { publishedAt: null, observedAt: new Date(now - ageMs) });
    await sql`update content_item set canonical_url = ${url} where connection_id = ${of} and provider_content_id = ${id}`;
    return id;
  };
  const plain = await post('https://www.instagram.com/reel/Abc_-12345/');
  const named = await post('https://www.instagram.com/harbour/p/Def67890');
  const queried = await post('https://www.instagram.com/p/Ghi67890/?igsh=a/b#c');
  await post('https://www.instagram.com/p/Twice123/', connectionId, 60_000);
  const newest = await post('https://www.instagram.com/reel/Twice123/');
  await post('https://www.instagram.com/p/Elsewhere/', other);
  // Longer than any code, and than an entry of an index may be.
  await post(`https://www.instagram.com/p/${'x1y2z3w4'.repeat(500)}`);

  const find = (code: string) => findContentByCode(sql, connectionId, code);
  expect(await find('Abc_-12345')).toBe(plain);
  expect(await find('Def67890')).toBe(named);
  expect(await find('Ghi67890')).toBe(queried);
  expect(await find('Twice123')).toBe(newest);
  for (const code of ['Elsewhere', 'abc_-12345', 'harbour', 'reel', 'www.instagram.com', 'Abc', '']) {
    expect(await find(code), code).toBeUndefined();
  }
});
