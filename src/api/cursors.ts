import { badInput } from '../basics/errors.ts';
import type { Mac } from '../vault/mac.ts';

/** The listing that a cursor belongs to. Cursors are opaque to callers and valid only for their listing. */
export interface CursorBinding {
  readonly kind: 'connections' | 'content' | 'continuation' | 'admin' | 'export';
  /** The subject of the listing: a scope; a connection and window; a connection; an admin query and its filter; an app and subject. */
  readonly of: readonly string[];
}

const MAC_BYTES = 32;
/** Several times the length of any that we write. */
const MAX_LENGTH = 4_096;

/** Writes a keyed hash over the binding and the position, followed by the position. */
export function writeCursor(mac: Mac, { kind, of }: CursorBinding, place: readonly string[]): string {
  const text = JSON.stringify(place);
  return Buffer.concat([mac.of('cursor', kind, ...of, text), Buffer.from(text)]).toString('base64url');
}

/** @throws ServiceError `BAD_USER_INPUT` for a cursor that we did not write, or wrote for another listing. */
export function readCursor(mac: Mac, { kind, of }: CursorBinding, cursor: string, name: string): string[] {
  const bytes = Buffer.from(cursor.length <= MAX_LENGTH ? cursor : '', 'base64url');
  const text = bytes.subarray(MAC_BYTES).toString();
  // The decoder ignores unknown characters, so the text must also encode to exactly the same cursor.
  const intact =
    bytes.toString('base64url') === cursor && mac.verify(bytes.subarray(0, MAC_BYTES), 'cursor', kind, ...of, text);
  if (!intact) throw badInput(name, `is not a cursor of this ${kind === 'continuation' ? 'connection' : 'listing'}`);
  return JSON.parse(text) as string[];
}
