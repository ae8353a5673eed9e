import type { PageInfo } from '../../generated/admin-schema.ts';
import type { NewestKey } from '../../store/newest-key.ts';
import type { Mac } from '../../vault/mac.ts';
import { type CursorBinding, readCursor, writeCursor } from '../cursors.ts';

/** Binds a list's cursors to the list and its filter. */
export const bindListing = (name: string, filter: object = {}): CursorBinding => ({
  kind: 'admin',
  of: [name, JSON.stringify(filter)],
});

/** @throws ServiceError `BAD_USER_INPUT` */
export function readPageCursor(mac: Mac, listing: CursorBinding, after: string | null): NewestKey | null {
  if (after === null) return null;
  const [at = '', id = ''] = readCursor(mac, listing, after, 'after');
  return { at: new Date(at), id };
}

/**
 * Builds a page from one row more than it holds.
 * @param placeOf returns the position after a row.
 */
export function buildPage<Row, Item>(
  mac: Mac,
  listing: CursorBinding,
  { rows, first }: { rows: readonly Row[]; first: number },
  placeOf: (row: Row) => readonly string[],
  show: (row: Row) => Item,
): { items: Item[]; pageInfo: PageInfo } {
  const page = rows.slice(0, first);
  const last = page.at(-1);
  return {
    items: page.map(show),
    pageInfo: {
      endCursor: last === undefined ? null : writeCursor(mac, listing, placeOf(last)),
      hasNextPage: rows.length > first,
    },
  };
}
