import { expect, test } from 'vitest';
import { Shares } from '../../../src/api/fast/shares.ts';

function open(most: { each: number; all: number }) {
  const lost: string[] = [];
  return { shares: new Shares<string>(most, (item) => void lost.push(item)), lost };
}

test('a holder over its share loses what it has not used for longest', () => {
  const { shares, lost } = open({ each: 3, all: 100 });
  for (const item of ['a', 'b', 'c', 'a', 'd']) shares.use('one', item, 1);
  expect(lost).toEqual(['b']);
});

test('if all is full, the holder with most loses, not the one with least', () => {
  const { shares, lost } = open({ each: 4, all: 5 });
  shares.use('small', 's', 1);
  for (const item of ['a', 'b', 'c', 'd']) shares.use('large', item, 1);
  expect(lost).toEqual([]);
  shares.use('new', 'n', 1);
  expect(lost).toEqual(['a']);
});

test('holders are bounded', () => {
  const { shares, lost } = open({ each: 2, all: 10_000 });
  for (let holder = 0; holder < 1_001; holder += 1) shares.use(`h${holder}`, `i${holder}`, 1);
  expect(lost).toEqual(['i0']);
});
