import { crc32, deflateSync } from 'node:zlib';

export const DEMO_COLOR = '#b4491f';
/** Pixels a side; pages show it in half the size. */
const SIDE = 128;
/** The drawing has 24 units a side: a rounded square, and three bars with round ends. */
const UNITS = 24;
const CORNER = 7;
const HALF_WIDTH = 1.2;
const BARS = [
  { x: 7, from: 12.5, to: 16.5 },
  { x: 12, from: 7.5, to: 16.5 },
  { x: 17, from: 10.5, to: 16.5 },
];

/** Draws the logo of the demo app, the same as the icon of the example caller, as a PNG. */
export function drawDemoLogo(): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(SIDE, 0);
  header.writeUInt32BE(SIDE, 4);
  header.set([8, 6], 8); // 8 bits each of red, green, blue and alpha.
  return Buffer.concat([
    Buffer.from('89504e470d0a1a0a', 'hex'),
    buildChunk('IHDR', header),
    buildChunk('IDAT', deflateSync(drawPixels())),
    buildChunk('IEND', Buffer.alloc(0)),
  ]);
}

function drawPixels(): Buffer {
  const color = [1, 3, 5].map((at) => Number.parseInt(DEMO_COLOR.slice(at, at + 2), 16));
  const rowBytes = 1 + 4 * SIDE; // A row begins with the number of its filter: 0 for none.
  const pixels = Buffer.alloc(rowBytes * SIDE);
  for (let y = 0; y < SIDE; y += 1) {
    for (let x = 0; x < SIDE; x += 1) {
      const [u, v] = [toUnits(x), toUnits(y)];
      const white = Math.max(...BARS.map((bar) => toCoverage(measureToBar(u, v, bar))));
      const shades = color.map((value) => Math.round(value + (255 - value) * white));
      pixels.set([...shades, Math.round(255 * toCoverage(measureToSquare(u, v)))], y * rowBytes + 1 + 4 * x);
    }
  }
  return pixels;
}

const toUnits = (pixel: number) => ((pixel + 0.5) / SIDE) * UNITS;
/** Smooths an edge over one pixel. @param distance in units, negative inside */
const toCoverage = (distance: number) => Math.min(1, Math.max(0, 0.5 - (distance * SIDE) / UNITS));

function measureToSquare(u: number, v: number): number {
  const beyond = (at: number) => Math.max(0, Math.abs(at - UNITS / 2) - (UNITS / 2 - CORNER));
  return Math.hypot(beyond(u), beyond(v)) - CORNER;
}

const measureToBar = (u: number, v: number, { x, from, to }: (typeof BARS)[number]) =>
  Math.hypot(u - x, v - Math.min(to, Math.max(from, v))) - HALF_WIDTH;

function buildChunk(type: string, data: Buffer): Buffer {
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  const content = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  length.writeUInt32BE(data.length);
  sum.writeUInt32BE(crc32(content));
  return Buffer.concat([length, content, sum]);
}
