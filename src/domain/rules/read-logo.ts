import type { Logo } from '../../store/apps/branding.ts';

/** The limits of a logo: bytes, and pixels of each side. */
export const MAX_LOGO_BYTES = 32 * 1024;
const [MIN_SIDE, MAX_SIDE] = [16, 1024];

/** The signature of a PNG and the head of its first chunk, of 13 bytes. Width and height follow. */
const PNG_HEAD = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex');

/**
 * Reads a logo by its own bytes: a name or a declared type does not count. The browser reads it as a PNG or not at all, because
 * its type is fixed and sniffing is off.
 * @returns the fault, to follow a field's name, if it cannot be accepted.
 */
export function readLogo(image: Buffer): Logo | string {
  if (image.length > MAX_LOGO_BYTES) return `must be at most ${MAX_LOGO_BYTES} bytes; this has ${image.length}`;
  if (image.length < 33 || !image.subarray(0, 16).equals(PNG_HEAD)) return 'must be a PNG image';
  const [width, height] = [image.readUInt32BE(16), image.readUInt32BE(20)];
  if ([width, height].some((side) => side < MIN_SIDE || side > MAX_SIDE)) {
    return `must be ${MIN_SIDE} to ${MAX_SIDE} pixels wide and high; this is ${width} × ${height}`;
  }
  return { image, width, height };
}
