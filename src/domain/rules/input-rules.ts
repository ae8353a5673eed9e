import { z } from 'zod';
import { CAPABILITIES, PAGE_LANGUAGES, WEBHOOK_EVENT_TYPES } from '../../basics/codes.ts';
import { badInput } from '../../basics/errors.ts';
import type { ProviderFacts } from '../../providers/facts.ts';
import type { Logo } from '../../store/apps/branding.ts';
import { readLogo } from './read-logo.ts';

/** The rules for values that operators set by the admin API or the command line. Each message follows a field's name. */

/** NUL, which Postgres cannot store, and unpaired surrogates, which are not characters. */
const UNSTORABLE = /\0|\p{Surrogate}/u;
export const text = z
  .string()
  .refine((value) => !UNSTORABLE.test(value), 'must not contain NUL or unpaired surrogates');

/** Counts code points, of at most two units each: only where the units alone do not decide. */
export const atMost = (value: string, limit: number) =>
  value.length <= limit || (value.length <= 2 * limit && [...value].length <= limit);

/** From one character to `limit`. Lengths are in code points, as Postgres counts. No further rule looks at a longer text. */
export const textOf = (limit: number) =>
  text.refine((value) => value !== '' && atMost(value, limit), {
    error: `must be 1 to ${limit.toLocaleString('en')} characters`,
    abort: true,
  });

/** A whole number, with both bounds. */
export function between(least: number, most: number) {
  const fault = `must be ${least.toLocaleString('en')} to ${most.toLocaleString('en')}`;
  return z.int(fault).min(least, fault).max(most, fault);
}

/** Permissions in a provider's own words. */
export const permissionList = z
  .array(textOf(200))
  .min(1, 'must name at least one')
  .refine((names) => new Set(names).size === names.length, 'must not name one twice');

export const capabilityList = z
  .array(z.enum(CAPABILITIES))
  .refine((names) => new Set(names).size === names.length, 'must not name one twice');

/** Control characters, all line breaks, and characters that change the writing direction. */
const UNREADABLE = /[\p{Cc}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]/u;
const VISIBLE = /[\p{L}\p{N}\p{P}\p{S}]/u;

/** One readable line, with surrounding whitespace removed. */
export const lineOf = (limit: number) =>
  z
    .string()
    .trim()
    .pipe(
      textOf(limit)
        .refine((line) => !UNREADABLE.test(line), 'must not contain line breaks, control or direction characters')
        .refine((line) => VISIBLE.test(line), 'must contain a visible character'),
    );

/** Names below `localhost` never leave a machine either: RFC 6761, section 6.3. */
const LOOPBACK = /^(127\.0\.0\.1|\[::1\]|([^.]+\.)*localhost)$/;
/** Matches the text itself, because the URL parser repairs some faults. */
const AUTHORITY = /^https?:\/\/[^/?#@]+([/?#]|$)/;
const NOT_IN_URLS = /[\s\p{Cc}\p{Cf}\p{Surrogate}\\]/u;

/** Node 20's own `URL.canParse` refuses some names beyond ASCII once it has been called often. */
export function isUrl(text: string): boolean {
  try {
    return new URL(text).href !== '';
  } catch {
    return false;
  }
}

function isSafe(url: string): boolean {
  if (!isUrl(url)) return false;
  return url.startsWith('https://') || (url.startsWith('http://') && LOOPBACK.test(new URL(url).hostname));
}

/** URLs are compared character by character, so this rule does not normalize them. */
const urlOf = (limit: number) =>
  textOf(limit)
    .refine((url) => !NOT_IN_URLS.test(url), 'must not contain whitespace, backslashes or invisible characters')
    .refine(isSafe, 'must be a URL that begins https://; http:// is for loopback addresses only')
    .refine((url) => AUTHORITY.test(url), 'must name a host, without credentials');

/**
 * Refuses plain http in production. The other rules allow it for loopback addresses, which only development uses.
 * @param name the argument's name, for the error.
 * @throws ServiceError `BAD_USER_INPUT`
 */
export function requireHttpsInProduction(deployment: 'development' | 'production', name: string, url: string): void {
  if (deployment === 'production' && !url.startsWith('https://'))
    throw badInput(name, 'must begin with https:// in production');
}

/**
 * Refuses a daily quota for a provider that has none.
 * @param name the argument's name, for the error.
 * @throws ServiceError `BAD_USER_INPUT`
 */
export function requireDailyQuota(name: string, facts: Pick<ProviderFacts, 'name' | 'dailyQuota'>): void {
  if (facts.dailyQuota === null) throw badInput(name, `cannot be set: ${facts.name} has no daily quota`);
}

/**
 * Refuses a number of days that the provider's terms do not allow, or that can only be a mistake.
 * @throws ServiceError `BAD_USER_INPUT`
 */
export function requireDisconnectAfter(
  name: string,
  { longestUnprovenDays: longest }: Pick<ProviderFacts, 'longestUnprovenDays'>,
  days: number | null,
): void {
  if (days === null) return;
  const [least, most] = longest === null ? [0, 3650] : [1, longest];
  if (days < least || days > most) throw badInput(name, `must be ${least} to ${most}`);
}

/**
 * Refuses permissions that the service does not request, and a list without those that it needs.
 * @param name the argument's name, for the error.
 * @throws ServiceError `BAD_USER_INPUT`
 */
export function requirePermissions(
  name: string,
  { permissionsFor, neededPermissions }: Pick<ProviderFacts, 'permissionsFor' | 'neededPermissions'>,
  given: readonly string[],
): void {
  const known = permissionsFor(CAPABILITIES);
  const excess = given.find((permission) => !known.includes(permission));
  if (excess !== undefined) throw badInput(name, `must be some of ${known.join(', ')}`);
  const missing = neededPermissions.find((permission) => !given.includes(permission));
  if (missing !== undefined) throw badInput(name, `must include ${missing}`);
}

const hasNoFragment = (url: string) => !url.includes('#');

export const tenantKey = textOf(128);
export const externalSubjectId = textOf(128);

/** The color of an app's pages. */
export const pageColor = text
  .refine((color) => /^#[0-9a-f]{6}$/i.test(color), 'must have the form #rrggbb')
  .transform((color) => color.toLowerCase());
export const pageLanguage = text.pipe(z.enum(PAGE_LANGUAGES, `must be one of ${PAGE_LANGUAGES.join(', ')}`));

/** The image of an app's logo. */
export const logo = z.custom<Buffer>(Buffer.isBuffer).transform((image, context): Logo => {
  const read = readLogo(image);
  if (typeof read !== 'string') return read;
  context.addIssue(read);
  return z.NEVER;
});
/** The same in base64, as JSON has bytes. */
export const logoInBase64 = text
  .refine((encoded) => /^[A-Za-z0-9+/]+={0,2}$/.test(encoded), 'must be in base64')
  .transform((encoded): Buffer => Buffer.from(encoded, 'base64'))
  .pipe(logo);

/** The types of events that a webhook endpoint receives. */
export const webhookEventTypes = z
  .array(z.enum(WEBHOOK_EVENT_TYPES, 'must be a type of event, such as connection.connected'))
  .min(1, 'must name at least one')
  .refine((names) => new Set(names).size === names.length, 'must not name one twice');

/** The URL that browsers return to. */
export const returnUrl = urlOf(2_000)
  .refine(hasNoFragment, 'must have no fragment')
  .refine(
    (url) => !isUrl(url) || ![...new URL(url).searchParams.keys()].some((name) => name.startsWith('ss_')),
    'must have no query parameter beginning with ss_',
  );

/** Scheme, host and port as browsers write them (RFC 6454, 6.2). */
export const launchOrigin = urlOf(300).refine(
  (origin) => !isUrl(origin) || new URL(origin).origin === origin,
  'must be scheme, host and port only, as a browser writes them',
);

/** OpenID Connect Discovery 1.0, section 3: neither query nor fragment. */
export const issuerUrl = urlOf(500)
  .refine(hasNoFragment, 'must have no fragment')
  .refine((url) => !url.includes('?'), 'must have no query');

/** The longest life of an admin token (D-266). The database refuses a longer one. */
export const ADMIN_TOKEN_LIFE_DAYS = 90;
