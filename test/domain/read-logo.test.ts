import { expect, test } from 'vitest';
import { readLogo } from '../../src/domain/rules/read-logo.ts';
import type { Logo } from '../../src/store/apps/branding.ts';
import {
  type Chunk,
  extendedChunk,
  losslessChunk,
  lossyChunk,
  makePng,
  makePngOfBytes,
  makeWebp,
  PNG_SIGNATURE,
  pngChunk,
} from '../kit/images.ts';

const INCOMPLETE = 'must be a complete PNG or WebP image';
const png = makePng(64, 64);
const animated = [extendedChunk(64, 64, 2), { type: 'ANIM', data: Buffer.alloc(6) }];
const PNG_HEADER = png.subarray(8, 33);
const PNG_END = png.subarray(-12);
const withBytes = (image: Buffer, at: number, bytes: Iterable<number>) => {
  const changed = Buffer.from(image);
  changed.set([...bytes], at);
  return changed;
};
const withData = ({ type, data }: Chunk, at: number, bytes: number[]) => ({ type, data: withBytes(data, at, bytes) });
/** A WebP of one lossy image of 64 × 64 whose chunk says another length than it has. */
const ofLength = (length: number) => withBytes(makeWebp([lossyChunk(64, 64)]), 16, [length]);
/** The same with the first bytes of another chunk. */
const endsWithin = (bytes: number) => {
  const file = Buffer.concat([makeWebp([lossyChunk(64, 64)]), Buffer.alloc(bytes)]);
  return withBytes(file, 4, [file.length - 8]);
};

const accepted: [string, Buffer, object][] = [
  ['a PNG', makePng(16, 1024), { mediaType: 'image/png', width: 16, height: 1024 }],
  ['a lossless WebP', makeWebp([losslessChunk(17, 300)]), { mediaType: 'image/webp', width: 17, height: 300 }],
  ['a lossy WebP', makeWebp([lossyChunk(1024, 16)]), { mediaType: 'image/webp', width: 1024, height: 16 }],
  [
    'an extended WebP',
    makeWebp([
      extendedChunk(64, 32, 0x10),
      { type: 'ALPH', data: Buffer.alloc(3) },
      lossyChunk(64, 32),
      { type: 'EXIF', data: Buffer.alloc(5) },
    ]),
    { mediaType: 'image/webp', width: 64, height: 32 },
  ],
  ['a PNG of 32 KiB', makePngOfBytes(32_768), { mediaType: 'image/png', width: 64, height: 64 }],
  [
    'an extended WebP with all features but animation',
    makeWebp([extendedChunk(64, 32, 0xfd), losslessChunk(64, 32)]),
    { mediaType: 'image/webp', width: 64, height: 32 },
  ],
  [
    'a WebP whose last chunk is empty',
    makeWebp([losslessChunk(64, 32), { type: 'EXIF', data: Buffer.alloc(0) }]),
    { mediaType: 'image/webp', width: 64, height: 32 },
  ],
  [
    'a lossless WebP of ten bytes',
    makeWebp([{ type: 'VP8L', data: losslessChunk(64, 32).data.subarray(0, 10) }]),
    { mediaType: 'image/webp', width: 64, height: 32 },
  ],
  [
    'a lossy WebP that asks to be scaled, of another version',
    makeWebp([withData(lossyChunk(64 | 0x4000, 32 | 0xc000), 0, [0x12])]),
    { mediaType: 'image/webp', width: 64, height: 32 },
  ],
];
const refused: [string, Buffer, string][] = [
  ['nothing', Buffer.alloc(0), INCOMPLETE],
  ['a PNG of one byte too many', makePngOfBytes(32_769), 'must be at most 32768 bytes; this has 32769'],
  ['a PNG that is too small', makePng(15, 64), 'must be 16 to 1024 pixels wide and high; this is 15 × 64'],
  ['a PNG that is too wide', makePng(1025, 64), 'must be 16 to 1024 pixels wide and high; this is 1025 × 64'],
  [
    'a WebP that is too high',
    makeWebp([losslessChunk(64, 1025)]),
    'must be 16 to 1024 pixels wide and high; this is 64 × 1025',
  ],
  ['an animated PNG', makePng(64, 64, { more: [{ type: 'acTL', data: Buffer.alloc(8) }] }), 'must not be animated'],
  ['an animated WebP', makeWebp([...animated, { type: 'ANMF', data: Buffer.alloc(30) }]), 'must not be animated'],
  [
    'a WebP of frames',
    makeWebp([lossyChunk(64, 64), { type: 'ANMF', data: Buffer.alloc(30) }]),
    'must not be animated',
  ],
  ['a WebP with an animation of nothing', makeWebp(animated), 'must not be animated'],
  ['a WebP that says it is animated', makeWebp([extendedChunk(64, 64, 2), lossyChunk(64, 64)]), INCOMPLETE],
  ['a WebP whose canvas is larger', makeWebp([extendedChunk(4_000, 64), lossyChunk(64, 64)]), INCOMPLETE],
  ['a WebP without an image', makeWebp([extendedChunk(64, 64)]), INCOMPLETE],
  ['a WebP that is cut off', makeWebp([lossyChunk(64, 64)]).subarray(0, -4), INCOMPLETE],
  ['a WebP with more behind it', Buffer.concat([makeWebp([lossyChunk(64, 64)]), png]), INCOMPLETE],
  ['a WebP whose length is wrong', withBytes(makeWebp([lossyChunk(64, 64)]), 4, [2]), INCOMPLETE],
  ['a sound file with an image', withBytes(makeWebp([lossyChunk(64, 64)]), 8, Buffer.from('WAVE')), INCOMPLETE],
  ['no RIFF file', withBytes(makeWebp([lossyChunk(64, 64)]), 3, Buffer.from('X')), INCOMPLETE],
  ['the beginning of a WebP', Buffer.from('RIFF'), INCOMPLETE],
  ['a WebP that ends within the head of a chunk', endsWithin(5), INCOMPLETE],
  ['a WebP whose chunk is longer than the file', ofLength(13), INCOMPLETE],
  ['a WebP whose chunk is much longer than the file', ofLength(200), INCOMPLETE],
  [
    'a lossless WebP of nine bytes',
    makeWebp([{ type: 'VP8L', data: losslessChunk(64, 64).data.subarray(0, 9) }]),
    INCOMPLETE,
  ],
  ['an empty WebP', makeWebp([]), INCOMPLETE],
  [
    'a WebP that begins with another chunk',
    makeWebp([{ type: 'EXIF', data: Buffer.alloc(4) }, lossyChunk(64, 64)]),
    INCOMPLETE,
  ],
  ['a WebP whose canvas is higher', makeWebp([extendedChunk(64, 4_000), lossyChunk(64, 64)]), INCOMPLETE],
  [
    'a WebP whose extended header is cut off',
    makeWebp([{ type: 'VP8X', data: Buffer.alloc(9) }, lossyChunk(64, 64)]),
    INCOMPLETE,
  ],
  ['a lossy WebP without its start code', makeWebp([withData(lossyChunk(64, 64), 3, [0x9e])]), INCOMPLETE],
  ['a lossy WebP of a frame that needs another', makeWebp([withData(lossyChunk(64, 64), 0, [0x11])]), INCOMPLETE],
  ['a lossless WebP without its signature', makeWebp([withData(losslessChunk(64, 64), 0, [0x2e])]), INCOMPLETE],
  ['a WebP without pixels', makeWebp([{ type: 'VP8L', data: Buffer.from([0x2f, 0, 0, 0, 0]) }]), INCOMPLETE],
  ['a PNG that is cut off', png.subarray(0, -12), INCOMPLETE],
  ['a PNG that ends within a chunk', png.subarray(0, -11), INCOMPLETE],
  ['a PNG with more behind it', Buffer.concat([png, Buffer.from('<script>')]), INCOMPLETE],
  ['a PNG with a chunk behind its end', Buffer.concat([png, PNG_END]), INCOMPLETE],
  ['a PNG without pixels', Buffer.concat([PNG_SIGNATURE, PNG_HEADER, PNG_END]), INCOMPLETE],
  [
    'a PNG whose header is too long',
    Buffer.concat([PNG_SIGNATURE, pngChunk('IHDR', Buffer.alloc(14, 64)), png.subarray(33)]),
    INCOMPLETE,
  ],
  ['a damaged PNG', Buffer.from(png).fill(7, 45, 50), INCOMPLETE],
  [
    'a PNG without a header',
    Buffer.concat([PNG_SIGNATURE, pngChunk('IDAT', png), pngChunk('IEND', Buffer.alloc(0))]),
    INCOMPLETE,
  ],
  ['a PNG whose chunk is endless', Buffer.concat([PNG_SIGNATURE, Buffer.alloc(40, 0xff)]), INCOMPLETE],
  ['an SVG', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'), INCOMPLETE],
  ['a GIF', Buffer.from('GIF89a\x01\x00\x01\x00\x80\x00\x00', 'latin1'), INCOMPLETE],
  ['a JPEG', Buffer.from('ffd8ffe000104a46494600010100', 'hex'), INCOMPLETE],
];
test.each(accepted)('%s is accepted', (_name, image, shape) => {
  const { image: kept, ...read } = readLogo(image) as Logo;
  expect(read).toEqual(shape);
  expect(kept).toBe(image);
});

test.each(refused)('%s is refused', (_name, image, fault) => {
  expect(readLogo(image)).toBe(fault);
});
