import { PAGE_LANGUAGES, type PageLanguage } from '../../basics/codes.ts';

/** Browsers send less. The rest of a longer header is ignored, so that it costs nothing. */
const MAX_LENGTH = 200;

/**
 * Chooses a language by `Accept-Language` (RFC 9110, section 12.5.4): the known one with the highest weight, or English.
 * Only the primary subtag counts: `pt` and `pt-PT` are served Brazilian Portuguese.
 */
export function choosePageLanguage(acceptLanguage: string | undefined): PageLanguage {
  let chosen: PageLanguage = 'en';
  let highest = 0;
  for (const range of (acceptLanguage ?? '').slice(0, MAX_LENGTH).split(',')) {
    const [tag = '', ...parameters] = range.split(';').map((part) => part.trim().toLowerCase());
    const language = PAGE_LANGUAGES.find((known) => primarySubtag(known) === primarySubtag(tag));
    const weight = readWeight(parameters);
    if (language !== undefined && weight > highest) {
      chosen = language;
      highest = weight;
    }
  }
  return chosen;
}

const primarySubtag = (tag: string): string => tag.split('-')[0] ?? '';

function readWeight(parameters: readonly string[]): number {
  const weight = parameters.find((parameter) => parameter.startsWith('q='));
  if (weight === undefined) return 1;
  return /^q=(0(\.\d{0,3})?|1(\.0{0,3})?)$/.test(weight) ? Number(weight.slice(2)) : 0;
}
