declare const brand: unique symbol;
/** An instant as answers carry it: `2026-01-31T09:30:00.000Z`. It goes from Postgres to a caller without becoming a Date. */
export type Instant = string & { readonly [brand]: 'instant' };

/** Converts Postgres's text of a `timestamptz(3)` in UTC, such as `2026-01-31 09:30:00.5+00`. */
export function toInstant(text: string): Instant {
  const milliseconds = text.charAt(19) === '.' ? text.slice(20, -3).padEnd(3, '0') : '000';
  return `${text.slice(0, 10)}T${text.slice(11, 19)}.${milliseconds}Z` as Instant;
}
