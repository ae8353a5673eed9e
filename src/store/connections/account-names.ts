import { cleanPastedUrl } from '../../basics/pasted-url.ts';
import type { Fragment, Sql } from '../driver/sql.ts';

/** A URL as people paste it: often without its scheme. */
const URL_TEXT = /^(?:https?:\/\/)?([\w-]+(?:\.[\w-]+)+\/.+)$/i;

/** The text, and the parts of the path if it is the URL of a profile: only its handle, if one is marked. */
function listNames(text: string): string[] {
  const rest = URL_TEXT.exec(cleanPastedUrl(text))?.[1] ?? '';
  if (!URL.canParse(`https://${rest}`)) return [text];
  const parts = new URL(`https://${rest}`).pathname.split('/').filter((part) => part !== '');
  const handles = parts.filter((part) => part.startsWith('@'));
  return [text, ...(handles.length > 0 ? handles : parts)];
}

/** The case of other letters differs from server to server. */
const lowerAscii = (text: string) => text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());

/** People leave out the symbols at the end of a name. A shorter text names too many. */
const LEAST_START = 4;

/**
 * Conditions on a connection, an index each: its account's id or handle (with or without the @) is the text or in the URL, or its display
 * name begins with the text.
 */
export function nameAccount(sql: Sql, text: string): Record<'byId' | 'byHandle' | 'byDisplayName', Fragment> {
  const names = listNames(text);
  const name = lowerAscii(text);
  const handles = names.map((name) => lowerAscii(name.replace(/^@/, '')));
  return {
    byId: sql`provider_account_id = any(${names})`,
    byHandle: sql`lower((profile ->> 'handle') collate "C") = any(${[...handles, ...handles.map((name) => `@${name}`)]})`,
    byDisplayName: sql`lower((profile ->> 'displayName') collate "C") between ${name} and ${[...name].length < LEAST_START ? name : `${name}\u{10FFFF}`}`,
  };
}
