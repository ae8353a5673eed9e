import type { PageInfo } from '../../generated/admin-schema.ts';
import type { NewestKey } from '../../store/newest-key.ts';
import type { Mac } from '../../vault/mac.ts';
import { type CursorBinding, readCursor, writeCursor } from '../cursors.ts';

interface Paging {
  readonly first: number;
  readonly after: string | null;
  /** Cursors belong to the list and its filter. */
  readonly filter?: object;
}

interface Page<Item> {
  items: Item[];
  pageInfo: PageInfo;
}

/**
 * Reads a page of a list that begins with the newest.
 * @param parts.list reads one row more than the page has.
 * @param parts.place the key of a row in the order of the list.
 * @throws ServiceError `BAD_USER_INPUT` for a cursor of another list.
 */
export async function readPage<Row, Item>(
  mac: Mac,
  name: string,
  paging: Paging,
  parts: {
    list(page: { limit: number; after: NewestKey | null }): Promise<readonly Row[]>;
    place(row: Row): readonly [at: Date, id: string];
    show(rows: readonly Row[]): Item[] | Promise<Item[]>;
  },
): Promise<Page<Item>> {
  return await readKeyedPage<Row, Item>(mac, name, paging, {
    ...parts,
    list: ([at, id], limit) =>
      parts.list({ limit, after: at === undefined || id === undefined ? null : { at: new Date(at), id } }),
    place: (row) => {
      const [at, id] = parts.place(row);
      return [at.toISOString(), id];
    },
  });
}

/** The same for a list with another key, which is empty for the first page. */
export async function readKeyedPage<Row, Item>(
  mac: Mac,
  name: string,
  { first, after, filter = {} }: Paging,
  {
    list,
    place,
    show,
  }: {
    list(key: readonly string[], limit: number): Promise<readonly Row[]>;
    place(row: Row): readonly string[];
    show(rows: readonly Row[]): Item[] | Promise<Item[]>;
  },
): Promise<Page<Item>> {
  const listing: CursorBinding = { kind: 'admin', of: [name, JSON.stringify(filter)] };
  const rows = await list(after === null ? [] : readCursor(mac, listing, after, 'after'), first + 1);
  const page = rows.slice(0, first);
  const last = page.at(-1);
  return {
    items: await show(page),
    pageInfo: {
      endCursor: last === undefined ? null : writeCursor(mac, listing, place(last)),
      hasNextPage: rows.length > first,
    },
  };
}
