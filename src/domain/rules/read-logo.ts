import { crc32 } from 'node:zlib';
import type { Logo } from '../../store/apps/branding.ts';

/** The limits of a logo: bytes, and pixels of each side. */
export const MAX_LOGO_BYTES = 32 * 1024;
const [MIN_SIDE, MAX_SIDE] = [16, 1024];

type Picture = Omit<Logo, 'image'> | 'ANIMATED';

/**
 * Reads a logo by its own bytes: no name and no declared type is believed. It must be one complete file, because bytes
 * behind its end could be read as another format.
 * @returns the fault, to follow a field's name, if it cannot be accepted.
 */
export function readLogo(image: Buffer): Logo | string {
  if (image.length > MAX_LOGO_BYTES) return `must be at most ${MAX_LOGO_BYTES} bytes; this has ${image.length}`;
  const picture = readPng(image) ?? readWebp(image);
  if (picture === undefined) return 'must be a complete PNG or WebP image';
  if (picture === 'ANIMATED') return 'must not be animated';
  const { width, height } = picture;
  if ([width, height].some((side) => side < MIN_SIDE || side > MAX_SIDE)) {
    return `must be ${MIN_SIDE} to ${MAX_SIDE} pixels wide and high; this is ${width} × ${height}`;
  }
  return { ...picture, image };
}

const PNG_SIGNATURE = Buffer.from('89504e470d0a1a0a', 'hex');
/** Those of animated PNG files. */
const PNG_ANIMATION = ['acTL', 'fcTL', 'fdAT'];

/** PNG, third edition, sections 5 and 11. */
function readPng(file: Buffer): Picture | undefined {
  if (!file.subarray(0, 8).equals(PNG_SIGNATURE)) return undefined;
  const types: string[] = [];
  for (let at = 8; at < file.length; ) {
    if (types.at(-1) === 'IEND' || at + 12 > file.length) return undefined;
    const end = at + 12 + file.readUInt32BE(at);
    if (end > file.length || crc32(file.subarray(at + 4, end - 4)) !== file.readUInt32BE(end - 4)) return undefined;
    types.push(file.toString('latin1', at + 4, at + 8));
    at = end;
  }
  if (types[0] !== 'IHDR' || file.readUInt32BE(8) !== 13) return undefined;
  if (types.at(-1) !== 'IEND' || !types.includes('IDAT')) return undefined;
  if (types.some((type) => PNG_ANIMATION.includes(type))) return 'ANIMATED';
  return { mediaType: 'image/png', width: file.readUInt32BE(16), height: file.readUInt32BE(20) };
}

interface Size {
  readonly width: number;
  readonly height: number;
}

/** RFC 9649, section 2. */
function readWebp(file: Buffer): Picture | undefined {
  if (file.toString('latin1', 0, 4) !== 'RIFF') return undefined;
  if (file.toString('latin1', 8, 12) !== 'WEBP' || file.readUInt32LE(4) + 8 !== file.length) return undefined;
  const chunks: { readonly type: string; readonly data: Buffer }[] = [];
  for (let at = 12; at < file.length; ) {
    if (at + 8 > file.length) return undefined;
    const length = file.readUInt32LE(at + 4);
    if (at + 8 + length > file.length) return undefined;
    chunks.push({ type: file.toString('latin1', at, at + 4), data: file.subarray(at + 8, at + 8 + length) });
    at += 8 + length + (length % 2); // An odd chunk is followed by one byte of padding.
  }
  const [first] = chunks;
  const bitmap = chunks.find(({ type }) => type === 'VP8 ' || type === 'VP8L');
  if (first?.type !== 'VP8X' && first !== bitmap) return undefined;
  if (chunks.some(({ type }) => type === 'ANIM' || type === 'ANMF')) return 'ANIMATED';
  const size = bitmap && readBitmapSize(bitmap);
  if (size === undefined || (first?.type === 'VP8X' && !hasCanvas(first.data, size))) return undefined;
  return { mediaType: 'image/webp', ...size };
}

function readBitmapSize({ type, data }: { type: string; data: Buffer }): Size | undefined {
  if (data.length < 10) return undefined;
  if (type === 'VP8L') {
    if (data[0] !== 0x2f) return undefined;
    const bits = data.readUInt32LE(1);
    return { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 };
  }
  // A key frame, its start code, and two numbers of 14 bits (RFC 6386, section 9.1).
  const isKeyFrame = (data.readUInt8(0) & 1) === 0 && data.readUIntBE(3, 3) === 0x9d012a;
  return isKeyFrame ? { width: data.readUInt16LE(6) & 0x3fff, height: data.readUInt16LE(8) & 0x3fff } : undefined;
}

/** Whether the extended header describes a still image of this size. */
function hasCanvas(header: Buffer, { width, height }: Size): boolean {
  if (header.length < 10) return false;
  const isAnimated = (header.readUInt8(0) & 2) !== 0;
  return !isAnimated && header.readUIntLE(4, 3) + 1 === width && header.readUIntLE(7, 3) + 1 === height;
}
