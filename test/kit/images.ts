import { crc32, deflateSync } from 'node:zlib';

/** Images made byte by byte from the formats' specifications, so that each of their rules can be broken. */

/** A chunk of a PNG or WebP. */
export interface Chunk {
  readonly type: string;
  readonly data: Buffer;
}

export const pngChunk = (type: string, data: Buffer): Buffer => {
  const content = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  sum.writeUInt32BE(crc32(content));
  return Buffer.concat([length, content, sum]);
};

export const PNG_SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

/** A PNG of one gray. @param more chunks between its header and its pixels */
export function makePng(width: number, height: number, { gray = 128, more = [] as Chunk[] } = {}): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header[8] = 8;
  const rows = Buffer.alloc(height * (width + 1), gray);
  for (let y = 0; y < height; y += 1) rows[y * (width + 1)] = 0;
  return Buffer.concat([
    PNG_SIGNATURE,
    pngChunk('IHDR', header),
    ...more.map(({ type, data }) => pngChunk(type, data)),
    pngChunk('IDAT', deflateSync(rows)),
    pngChunk('IEND', Buffer.alloc(0)),
  ]);
}

/** A PNG of exactly so many bytes: a text chunk fills it. */
export function makePngOfBytes(bytes: number): Buffer {
  const missing = bytes - makePng(64, 64, { more: [{ type: 'tEXt', data: Buffer.alloc(0) }] }).length;
  return makePng(64, 64, { more: [{ type: 'tEXt', data: Buffer.alloc(missing, 'a') }] });
}

/** A WebP file of these chunks. */
export function makeWebp(chunks: readonly Chunk[]): Buffer {
  const body = chunks.flatMap(({ type, data }) => {
    const length = Buffer.alloc(4);
    length.writeUInt32LE(data.length);
    return [Buffer.from(type, 'latin1'), length, data, Buffer.alloc(data.length % 2)];
  });
  const content = Buffer.concat([Buffer.from('WEBP', 'latin1'), ...body]);
  const length = Buffer.alloc(4);
  length.writeUInt32LE(content.length);
  return Buffer.concat([Buffer.from('RIFF', 'latin1'), length, content]);
}

/** The head of a lossless image; its pixels are missing. */
export function losslessChunk(width: number, height: number): Chunk {
  const data = Buffer.alloc(12);
  data[0] = 0x2f;
  data.writeUInt32LE(((width - 1) | ((height - 1) << 14)) >>> 0, 1);
  return { type: 'VP8L', data };
}

/** The head of a lossy image; its pixels are missing. */
export function lossyChunk(width: number, height: number): Chunk {
  const data = Buffer.alloc(12);
  data.set([0x10, 0, 0, 0x9d, 0x01, 0x2a], 0);
  data.writeUInt16LE(width, 6);
  data.writeUInt16LE(height, 8);
  return { type: 'VP8 ', data };
}

/** The header of an extended file. @param flags as bits */
export function extendedChunk(width: number, height: number, flags = 0): Chunk {
  const data = Buffer.alloc(10);
  data[0] = flags;
  data.writeUIntLE(width - 1, 4, 3);
  data.writeUIntLE(height - 1, 7, 3);
  return { type: 'VP8X', data };
}
