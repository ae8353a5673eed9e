/**
 * Texts of strangers, platforms and OpenID issuers alike, made fit to be stored and shown.
 *
 * The longest that they are kept, in UTF-16 code units; what is longer is cut off. The columns that hold them have the
 * same bounds. An id is never cut: one that is too long breaks the contract.
 */
export const LONGEST = { name: 500, text: 10_000, url: 4_096, id: 255 } as const;

/** The same text in characters that every part of the service can store: NUL and unpaired surrogates become U+FFFD. */
export const cleanText = (text: string): string => text.toWellFormed().replaceAll('\0', '\ufffd');

/** At most `longest` code units, and never half a character. Nothing is null. */
export function cutText(text: string | null, longest: number): string | null {
  if (text === null || text.length <= longest) return text || null;
  const short = text.slice(0, longest);
  return short.isWellFormed() ? short : short.slice(0, -1);
}

/** A URL that a browser may be sent to, in its normal form; null for anything else. */
export function toWebUrl(text: string | null, protocols: readonly string[] = ['https:']): string | null {
  if (text === null || !URL.canParse(text)) return null;
  const { href, protocol, username, password } = new URL(text);
  const isFit = protocols.includes(protocol) && username === '' && password === '' && href.length <= LONGEST.url;
  return isFit ? href : null;
}
