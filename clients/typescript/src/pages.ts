import type { CallOptions } from './call-options.js';
import type { Client } from './client.js';
import type { Connection, ContentItem, QueryConnectionsArgs, QueryContentArgs } from './generated/schema.js';

/** A page of a list: its items, and where the next one begins. */
interface Page<Item> {
  readonly items: readonly Item[];
  readonly pageInfo: { readonly endCursor: string | null; readonly hasNextPage: boolean };
}

async function* eachItem<Item>(readPage: (after: string | undefined) => Promise<Page<Item>>): AsyncGenerator<Item> {
  let after: string | undefined;
  do {
    const { items, pageInfo } = await readPage(after);
    yield* items;
    after = pageInfo.hasNextPage ? (pageInfo.endCursor ?? undefined) : undefined;
  } while (after !== undefined);
}

/** Every connection of a subject, page after page. `first` is the size of a page. @throws ServiceError as `connections` */
export const eachConnection = (
  client: Pick<Client, 'connections'>,
  args: QueryConnectionsArgs,
  options?: CallOptions,
): AsyncGenerator<Connection> =>
  eachItem((after) => client.connections(after === undefined ? args : { ...args, after }, options));

/** Every stored post of a window, newest first, page after page. @throws ServiceError as `content` */
export const eachContentItem = (
  client: Pick<Client, 'content'>,
  args: QueryContentArgs,
  options?: CallOptions,
): AsyncGenerator<ContentItem> =>
  eachItem((after) => {
    const window = after === undefined ? args.window : { ...args.window, after };
    return client.content({ ...args, window }, options);
  });
