import { cleanText } from './text.ts';

/**
 * Either a whole string or a whole number. A string comes first, so digits inside one are never taken for a number;
 * its closing quote is optional, so that a cut-off text costs one pass and not one per quote.
 */
const STRING_OR_NUMBER = /"[^"\\]*(?:\\.[^"\\]*)*"?|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/gs;
const LONG_INTEGER = /^-?\d{16,}$/;

/** More than any answer we ask for has; more would only cost us time. */
const MAX_DEPTH = 50;
const MAX_ENTRIES = 1_000;

/**
 * `JSON.parse` for what a stranger sends. Integers of 16 digits and more, which a double could round, become strings of
 * their digits. In every string and key, NUL and unpaired surrogates, which Postgres cannot store, become U+FFFD. The key
 * `__proto__` is left out.
 * @returns undefined for a text that is not JSON, is nested deeper than 50 levels, or has a list or an object of more
 * than 1,000 entries.
 */
export function parseJson(text: string): unknown {
  try {
    const lossless = text.replace(STRING_OR_NUMBER, (token) => (LONG_INTEGER.test(token) ? `"${token}"` : token));
    return clean(JSON.parse(lossless), MAX_DEPTH);
  } catch {
    return undefined;
  }
}

/** @throws RangeError when it is nested too deep or too long. */
function clean(value: unknown, levelsLeft: number): unknown {
  if (typeof value === 'string') return cleanText(value);
  if (typeof value !== 'object' || value === null) return value;
  if (levelsLeft === 0) throw new RangeError('Nested too deep.');
  if (Array.isArray(value)) {
    if (value.length > MAX_ENTRIES) throw new RangeError('Too long.');
    return value.map((entry) => clean(entry, levelsLeft - 1));
  }
  const entries = Object.entries(value).filter(([key]) => key !== '__proto__');
  if (entries.length > MAX_ENTRIES) throw new RangeError('Too long.');
  return Object.fromEntries(entries.map(([key, entry]) => [cleanText(key), clean(entry, levelsLeft - 1)]));
}
