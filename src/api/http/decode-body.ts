import { decodeUtf8 } from '../../basics/utf8.ts';

const CHARSET = /;\s*charset\s*=\s*"?([^";\s]*)/gi;

/**
 * Decodes the body of a request.
 * @param contentType its header. A charset in it must be UTF-8.
 * @returns undefined if the body is not UTF-8, or declares another charset
 */
export function decodeBody(bytes: Uint8Array, contentType: string | null | undefined): string | undefined {
  const charsets = [...(contentType ?? '').matchAll(CHARSET)].map(([, charset = '']) => charset.toLowerCase());
  return charsets.every((charset) => charset === 'utf-8' || charset === 'utf8') ? decodeUtf8(bytes) : undefined;
}
