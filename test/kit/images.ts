import { crc32, deflateSync } from 'node:zlib';

/** A chunk of a PNG. */
interface Chunk {
  readonly type: string;
  readonly data: Buffer;
}

const pngChunk = (type: string, data: Buffer): Buffer => {
  const content = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  sum.writeUInt32BE(crc32(content));
  return Buffer.concat([length, content, sum]);
};

const PNG_SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

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
