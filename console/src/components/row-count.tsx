import { useAdminQuery, type Variables } from '../admin-client/hooks.ts';
import type { TypedDocumentString } from '../generated/operations.ts';
import { formatCount } from '../texts/format.ts';

/** A count reads more rows than a page of the list. */
const POLL_MS = 60_000;

type Counted = { readonly count: { readonly count: number; readonly isExact: boolean } };

interface RowCountProps<V extends Variables> {
  readonly document: TypedDocumentString<Counted, V>;
  readonly variables: V;
  /** Singular. */
  readonly of: string;
  /** The number of rows, if the page lists all of them. */
  readonly listed: number | undefined;
}

/** `100,007 connections`, or `more than 10,000 jobs`. */
export function RowCount<V extends Variables>({ document, variables, of, listed }: RowCountProps<V>) {
  const { data, isStale } = useAdminQuery(document, variables, { pollMs: POLL_MS, pause: listed !== undefined });
  if (listed !== undefined) return formatCount(listed, of);
  if (data === undefined || isStale) return 'Counting…';
  const { count, isExact } = data.count;
  return `${isExact ? '' : 'more than '}${formatCount(count, of)}`;
}
