import { expect, test } from 'vitest';
import { readLogo } from '../../src/domain/rules/read-logo.ts';
import { makePng, makePngOfBytes } from '../kit/images.ts';

const at = (place: number, byte: number) => {
  const changed = makePng(64, 64);
  changed[place] = byte;
  return changed;
};
const NO_PNG = 'must be a PNG image';

test.for<[string, Buffer, string | { width: number; height: number }]>([
  ['the smallest side and the largest', makePng(16, 1024), { width: 16, height: 1024 }],
  ['32 KiB', makePngOfBytes(32_768), { width: 64, height: 64 }],
  ['one byte more', makePngOfBytes(32_769), 'must be at most 32768 bytes; this has 32769'],
  ['too narrow', makePng(15, 64), 'must be 16 to 1024 pixels wide and high; this is 15 × 64'],
  ['too high', makePng(64, 1025), 'must be 16 to 1024 pixels wide and high; this is 64 × 1025'],
  ['a side of 2 GiB', at(16, 0x80), 'must be 16 to 1024 pixels wide and high; this is 2147483712 × 64'],
  ['another signature', at(1, 0x51), NO_PNG],
  ['only a part of the head', makePng(64, 64).subarray(0, 32), NO_PNG],
  ['an SVG', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'), NO_PNG],
])('%s', ([, image, expected]) => {
  expect(readLogo(image)).toEqual(typeof expected === 'string' ? expected : { ...expected, image });
});
