/**
 * Length limits, in UTF-16 code units, for texts from platforms and OpenID issuers. Longer texts are cut. The database
 * columns have the same bounds. An id is never cut: an id over the limit breaks the contract.
 */
export const LONGEST = { name: 500, text: 10_000, url: 4_096, id: 255 } as const;

/** Replaces NUL and unpaired surrogates, which Postgres cannot store, by U+FFFD. */
export const cleanText = (text: string): string => text.toWellFormed().replaceAll('\0', '\ufffd');

/** Cuts a text to at most `longest` code units, never inside a character. An empty text becomes null. */
export function cutText(text: string | null, longest: number): string | null {
  if (text === null || text.length <= longest) return text || null;
  const short = text.slice(0, longest);
  return short.isWellFormed() ? short : short.slice(0, -1);
}

/** Parses a URL. Never `URL.canParse`: Node 20 refuses names beyond ASCII there once its fast path is compiled. */
export function parseUrl(text: string, base?: URL): URL | undefined {
  try {
    return new URL(text, base);
  } catch {
    return undefined;
  }
}

/** Normalises a URL that a browser may open. @returns null for any other text */
export function toWebUrl(text: string | null, protocols: readonly string[] = ['https:']): string | null {
  const url = text === null ? undefined : parseUrl(text);
  if (url === undefined) return null;
  const { href, protocol, username, password } = url;
  const isFit = protocols.includes(protocol) && username === '' && password === '' && href.length <= LONGEST.url;
  return isFit ? href : null;
}
