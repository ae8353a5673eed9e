import { cleanText } from './text.ts';

/**
 * Matches a whole string or a whole number. The string alternative comes first, so digits inside a string never match as
 * a number. Its closing quote is optional, so that a truncated text takes one pass instead of one pass for each quote.
 */
const STRING_OR_NUMBER = /"[^"\\]*(?:\\.[^"\\]*)*"?|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/gs;
const LONG_INTEGER = /^-?\d{16,}$/;

/** Above every answer we request. */
const MAX_DEPTH = 50;
const MAX_ENTRIES = 1_000;

/**
 * `JSON.parse` for untrusted text. Integers of 16 digits or more, which a double could round, become strings of their
 * digits. In every string and key, NUL and unpaired surrogates, which Postgres cannot store, become U+FFFD. The key
 * `__proto__` is dropped.
 * @returns undefined for a text that is not JSON, is nested deeper than 50 levels, or has a list or an object of more
 * than 1,000 entries
 */
export function parseJson(text: string): unknown {
  try {
    const lossless = text.replace(STRING_OR_NUMBER, (token) => (LONG_INTEGER.test(token) ? `"${token}"` : token));
    return clean(JSON.parse(lossless), MAX_DEPTH);
  } catch {
    return undefined;
  }
}

/** @throws RangeError if the value is nested too deeply or has too many entries */
function clean(value: unknown, levelsLeft: number): unknown {
  if (typeof value === 'string') return cleanText(value);
  if (typeof value !== 'object' || value === null) return value;
  if (levelsLeft === 0) throw new RangeError('The value is nested too deeply.');
  if (Array.isArray(value)) {
    if (value.length > MAX_ENTRIES) throw new RangeError('The list has too many entries.');
    return value.map((entry) => clean(entry, levelsLeft - 1));
  }
  const entries = Object.entries(value).filter(([key]) => key !== '__proto__');
  if (entries.length > MAX_ENTRIES) throw new RangeError('The object has too many entries.');
  return Object.fromEntries(entries.map(([key, entry]) => [cleanText(key), clean(entry, levelsLeft - 1)]));
}
