/**
 * Either a whole string or a whole number. A string comes first, so digits inside one are never taken for a number;
 * its closing quote is optional, so that a cut-off text costs one pass and not one per quote.
 */
const STRING_OR_NUMBER = /"[^"\\]*(?:\\.[^"\\]*)*"?|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/gs;
const LONG_INTEGER = /^-?\d{16,}$/;

/**
 * `JSON.parse` that keeps integers of 16 digits and more, which a double could round, as strings of their digits.
 * @returns undefined for a text that is not JSON.
 */
export function parseJson(text: string): unknown {
  const lossless = text.replace(STRING_OR_NUMBER, (token) => (LONG_INTEGER.test(token) ? `"${token}"` : token));
  try {
    return JSON.parse(lossless);
  } catch {
    return undefined;
  }
}
