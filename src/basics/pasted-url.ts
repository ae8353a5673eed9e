/** Invisible characters, which apps add to copied text: zero-width ones, soft hyphens, byte order marks, direction marks. */
const INVISIBLE = /\p{Default_Ignorable_Code_Point}/gu;
/** Spaces, and the brackets, quotes and punctuation that surround a URL in a sentence. */
const BEFORE = /^[\s<([{"'`*“”„‘’«»‹›「『【（]+/u;
const AFTER = /^[\s>)\]}"'`*“”„‘’«»‹›」』】）.,;:!…。，、！]$/u;

/** Extracts the URL from pasted text. A query, a fragment and percent-encoded characters stay. */
export function cleanPastedUrl(text: string): string {
  const visible = text.replace(INVISIBLE, '').replace(BEFORE, '');
  let end = visible.length;
  while (end > 0 && AFTER.test(visible[end - 1] ?? '')) end -= 1; // A pattern for the run would try it from each of its characters.
  return visible.slice(0, end);
}
