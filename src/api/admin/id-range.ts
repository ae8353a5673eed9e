import type { IdRange } from '../../store/find.ts';

/** An id, or its beginning: at least the 8 characters that the console shows of it. */
const ID =
  /(?<![0-9a-f-])[0-9a-f]{8}(?:-[0-9a-f]{0,4}){0,3}(?:(?<=-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4})-[0-9a-f]{0,12})?(?![0-9a-f])/i;
const LOWEST = '00000000-0000-0000-0000-000000000000';
const HIGHEST = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

/** An id without its dashes, alone. */
const PLAIN_ID = /^[0-9a-f]{32}$/i;
const addDashes = (id: string): string =>
  [id.slice(0, 8), id.slice(8, 12), id.slice(12, 16), id.slice(16, 20), id.slice(20)].join('-');

/** The ids that begin as the first id in a text, such as a URL or a line of the log. */
export function readIdRange(text: string): IdRange | undefined {
  const start = ID.exec(PLAIN_ID.test(text) ? addDashes(text) : text)?.[0].toLowerCase();
  return start === undefined
    ? undefined
    : { low: start + LOWEST.slice(start.length), high: start + HIGHEST.slice(start.length) };
}
