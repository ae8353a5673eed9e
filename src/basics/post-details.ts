/**
 * The fields of a post that are only shown, each a text or null. Their type, bounds, storage, answers, expiry and export derive from
 * this list. They share the column `details` of `content_item`, which lacks those that are null (D-824).
 *
 * A field that Postgres works with has a column of its own: `published_at` (windows and order), `canonical_url` (posts are found by the
 * code in it), `kind` and `availability` (closed sets with a check), `reason` (follows the availability), and `metrics` (of another
 * time, and of a capability of its own).
 *
 * `TEXT`: cut to its longest. `PICTURE`: an https URL. Some platforms sign it anew each time, so another one is no change of the post,
 * and it goes as soon as the post is gone.
 */
const POST_DETAILS = { title: 'TEXT', description: 'TEXT', thumbnailUrl: 'PICTURE' } as const;

type DetailName = keyof typeof POST_DETAILS;
export type DetailKind = 'TEXT' | 'PICTURE';
export type PostDetails = { readonly [Name in DetailName]: string | null };

export const DETAIL_NAMES = Object.keys(POST_DETAILS) as readonly DetailName[];
export const PICTURES = DETAIL_NAMES.filter((name) => POST_DETAILS[name] === 'PICTURE');

/** Makes one value for each field. */
export function mapDetails<Value>(make: (name: DetailName, kind: DetailKind) => Value): {
  readonly [Name in DetailName]: Value;
} {
  const details: Partial<Record<DetailName, Value>> = {};
  for (const name of DETAIL_NAMES) details[name] = make(name, POST_DETAILS[name]);
  return details as Record<DetailName, Value>;
}

export const NO_DETAILS: PostDetails = mapDetails(() => null);
