import { expect } from 'vitest';
import { countUpTo } from '../../src/store/count-rows.ts';
import { asApi, test } from '../kit/postgres.ts';

test('up to 10,000 rows are counted exactly, and more are shown as more', async ({ sql }) => {
  const count = (rows: number) => countUpTo(asApi(sql), sql`from generate_series(1, ${rows}::int)`);
  expect(await count(0)).toEqual({ count: 0, isExact: true });
  expect(await count(9_999)).toEqual({ count: 9_999, isExact: true });
  expect(await count(10_000)).toEqual({ count: 10_000, isExact: true });
  expect(await count(10_001)).toEqual({ count: 10_000, isExact: false });
  expect(await count(20_000)).toEqual({ count: 10_000, isExact: false });
});
