import { z } from 'zod';
import { badInput } from '../../errors.ts';
import { DAILY_QUOTAS } from '../../providers/facts.ts';
import { CAPABILITIES, type ProviderName } from '../../providers/provider.ts';

/**
 * What operators set, whether by the admin API or at the command line. Each message reads on after the name of what it
 * is about.
 */

/** NUL, which Postgres cannot store, and halves of surrogate pairs, which are no characters. */
const UNSTORABLE = /\0|\p{Surrogate}/u;
export const text = z
  .string()
  .refine((value) => !UNSTORABLE.test(value), 'must not contain NUL or unpaired surrogates');

export const atMost = (value: string, limit: number) => [...value].length <= limit;

/** From one character to `limit`. Lengths are in code points, as Postgres counts. */
export const textOf = (limit: number) =>
  text.refine((value) => value !== '' && atMost(value, limit), `must be 1 to ${limit} characters`);

export const capabilityList = z
  .array(z.enum(CAPABILITIES))
  .refine((names) => new Set(names).size === names.length, 'must not name one twice');

/** Control characters, line breaks of any kind, and what turns the direction of the text behind it. */
const UNREADABLE = /[\p{Cc}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]/u;
const VISIBLE = /[\p{L}\p{N}\p{P}\p{S}]/u;

/** One line for people to read. What surrounds it is taken off. */
const lineOf = (limit: number) =>
  z
    .string()
    .trim()
    .pipe(
      textOf(limit)
        .refine((line) => !UNREADABLE.test(line), 'must not contain line breaks, control or direction characters')
        .refine((line) => VISIBLE.test(line), 'must contain something that can be seen'),
    );

const LOOPBACK = ['127.0.0.1', 'localhost', '[::1]'];
/** Read off the text itself: a parsed URL has lost what it was mended of. */
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
  return url.startsWith('https://') || (url.startsWith('http://') && LOOPBACK.includes(new URL(url).hostname));
}

/** Compared to the letter, so that nothing about it is mended here either. */
const urlOf = (limit: number) =>
  textOf(limit)
    .refine((url) => !NOT_IN_URLS.test(url), 'must not contain whitespace, backslashes or invisible characters')
    .refine(isSafe, 'must be a URL that begins https://; http:// is for loopback addresses only')
    .refine((url) => AUTHORITY.test(url), 'must name a host, without credentials');

/**
 * A rule for URLs that browsers, or we, are sent to: plain http, which the other rules take for loopback addresses, is for
 * development.
 * @param name of the argument, for the error.
 * @throws ServiceError `BAD_USER_INPUT`
 */
export function requireHttpsInProduction(deployment: 'development' | 'production', name: string, url: string): void {
  if (deployment === 'production' && !url.startsWith('https://'))
    throw badInput(name, 'must begin https:// in production');
}

/**
 * A rule for the quota that a registration's client has been granted: there is one only where the provider counts by the day.
 * @param name of the argument, for the error.
 * @throws ServiceError `BAD_USER_INPUT`
 */
export function requireDailyQuota(name: string, provider: ProviderName): void {
  if (DAILY_QUOTAS[provider] === null) throw badInput(name, `cannot be set: ${provider} has no daily quota`);
}

const hasNoFragment = (url: string) => !url.includes('#');

export const appName = lineOf(100);
export const tokenLabel = lineOf(100);
export const registrationLabel = lineOf(200);
export const clientId = lineOf(200);
/** As it was given: nobody but who made it knows what may stand in it. */
export const secret = textOf(4_000);
export const tenantKey = textOf(128);

/** How much of a registration's daily quota an app may use. */
export const quotaPercent = z.int('must be 1 to 100').min(1, 'must be 1 to 100').max(100, 'must be 1 to 100');
/** Units a day. */
export const dailyQuota = z
  .int('must be 1 to 1,000,000,000')
  .min(1, 'must be 1 to 1,000,000,000')
  .max(1_000_000_000, 'must be 1 to 1,000,000,000');

/** Where browsers go back to. */
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

export const future = z.date().refine((instant) => instant > new Date(), 'must be in the future');
