import { badInput } from '../errors.ts';
import type { Mac } from '../vault/mac.ts';

/**
 * Where a listing goes on, as callers carry it: opaque to them, and good only for the listing it was given out for.
 */
export interface CursorBinding {
  readonly kind: 'connections' | 'content' | 'continuation' | 'admin';
  /** What the listing is of: a scope; a connection and window; a connection; an admin query and its filter. */
  readonly of: readonly string[];
}

const MAC_BYTES = 32;

/** A keyed hash over binding and place, then the place. */
export function writeCursor(mac: Mac, { kind, of }: CursorBinding, place: readonly string[]): string {
  const text = JSON.stringify(place);
  return Buffer.concat([mac.of('cursor', kind, ...of, text), Buffer.from(text)]).toString('base64url');
}

/** @throws ServiceError `BAD_USER_INPUT` for what we did not write, or wrote for another listing. */
export function readCursor(mac: Mac, { kind, of }: CursorBinding, cursor: string, name: string): string[] {
  const bytes = Buffer.from(cursor, 'base64url');
  const text = bytes.subarray(MAC_BYTES).toString();
  // The decoder overlooks what it does not know, so only what encodes to the very same text was not altered.
  const intact =
    bytes.toString('base64url') === cursor && mac.verify(bytes.subarray(0, MAC_BYTES), 'cursor', kind, ...of, text);
  if (!intact) throw badInput(name, 'is not a cursor of this listing');
  return JSON.parse(text) as string[];
}
