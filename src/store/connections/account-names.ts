import { PROVIDER_NAMES, type ProviderName } from '../../basics/codes.ts';
import { cleanPastedUrl } from '../../basics/pasted-url.ts';
import type { Fragment, Sql } from '../driver/sql.ts';

/** A URL as people paste it: often without its scheme. */
const URL_TEXT = /^(?:https?:\/\/)?([\w-]+(?:\.[\w-]+)+\/.+)$/i;

/** The ends of the hosts of profiles, of platforms whose profiles have a host of their own. */
const SITES: Readonly<Partial<Record<ProviderName, string>>> = {
  PROVIDER_A: '.youtube.com',
  PROVIDER_B: '.tiktok.com',
  PROVIDER_C: '.instagram.com',
};

/** The text; if it is the URL of a profile, also the parts of its path (only its handle, if one is marked), and its platform alone. */
function readName(text: string): { names: readonly string[]; platforms: readonly ProviderName[] } {
  const rest = URL_TEXT.exec(cleanPastedUrl(text))?.[1] ?? '';
  if (!URL.canParse(`https://${rest}`)) return { names: [text], platforms: PROVIDER_NAMES };
  const { hostname, pathname } = new URL(`https://${rest}`);
  const parts = pathname.split('/').filter((part) => part !== '');
  const handles = parts.filter((part) => part.startsWith('@'));
  const own = PROVIDER_NAMES.filter((name) => `.${hostname}`.endsWith(SITES[name] ?? '/'));
  return {
    names: [text, ...(handles.length > 0 ? handles : parts)],
    platforms: own.length > 0 ? own : PROVIDER_NAMES,
  };
}

/** The case of other letters differs from server to server. */
const lowerAscii = (text: string) => text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());

/** People leave out the symbols at the end of a name. A shorter text names too many. */
const LEAST_START = 4;

/**
 * Conditions on a connection, an index each: its account's id or handle (with or without the @) is the text or in the URL (and its
 * platform that of the URL), or its display name begins with the text.
 */
export function nameAccount(sql: Sql, text: string): Record<'byId' | 'byHandle' | 'byDisplayName', Fragment> {
  const { names, platforms } = readName(text);
  const ofPlatform = sql`provider = any(${platforms}::provider_name[])`;
  const name = lowerAscii(text);
  const handles = names.map((name) => lowerAscii(name.replace(/^@/, '')));
  return {
    byId: sql`provider_account_id = any(${names}) and ${ofPlatform}`,
    byHandle: sql`lower((profile ->> 'handle') collate "C") = any(${[...handles, ...handles.map((name) => `@${name}`)]}) and ${ofPlatform}`,
    byDisplayName: sql`lower((profile ->> 'displayName') collate "C") between ${name} and ${[...name].length < LEAST_START ? name : `${name}\u{10FFFF}`}`,
  };
}
