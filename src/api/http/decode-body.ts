import { areEscapesUtf8, decodeUtf8 } from '../../basics/utf8.ts';

const FORM = /^\s*application\/x-www-form-urlencoded\s*(?:;|$)/i;
const CHARSET = /;\s*charset\s*=\s*"?([^";\s]*)/gi;

/**
 * Decodes the body of a request.
 * @param contentType its header. A charset in it must be UTF-8.
 * @returns undefined if the body, or an escape in a form, is not UTF-8, or if it declares another charset
 */
export function decodeBody(bytes: Uint8Array, contentType: string | null | undefined): string | undefined {
  const charsets = [...(contentType ?? '').matchAll(CHARSET)].map(([, charset = '']) => charset.toLowerCase());
  if (!charsets.every((charset) => charset === 'utf-8' || charset === 'utf8')) return undefined;
  const text = decodeUtf8(bytes);
  const isForm = FORM.test(contentType ?? '');
  return text === undefined || (isForm && !areEscapesUtf8(text)) ? undefined : text;
}
