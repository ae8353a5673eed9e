import { randomBytes } from 'node:crypto';
import { z } from 'zod';
import type { HttpAnswer } from './http.ts';
import { parseJson } from './json.ts';
import { type ClientVerdict, ProviderError, type ProviderErrorType, type Window } from './provider.ts';

const parsed = new WeakMap<HttpAnswer, { readonly json: unknown }>();

/** What a body says when it is JSON; undefined otherwise. Reads each answer once, however often it is asked. */
export function readJson(answer: HttpAnswer): unknown {
  const known = parsed.get(answer) ?? { json: parseJson(answer.text) };
  parsed.set(answer, known);
  return known.json;
}

/** An id as text of visible ASCII; one that came as a number has kept all its digits. */
export const wireId = z
  .union([z.string(), z.number().int().transform(String)])
  .pipe(z.string().regex(/^[\x21-\x7e]{1,255}$/));

/** A token (RFC 6749, A.12: visible ASCII and the space), which has to fit into a header. */
export const wireToken = z.string().regex(/^[\x20-\x7e]{1,8192}$/);

/** A provider's own place in a listing. */
export const wireCursor = z.string().min(1).max(2_048);

/**
 * A count as decimal digits without leading zeros, whether it came as a number or as a string. What is absent, null or no
 * count (negative, a fraction, of more than 30 digits) is null: one odd number must not cost the post.
 */
export const wireCount = z
  .unknown()
  .optional()
  .transform((value) => {
    const digits = typeof value === 'number' && Number.isSafeInteger(value) ? String(value) : value;
    if (typeof digits !== 'string' || !/^\d{1,30}$/.test(digits)) return null;
    return String(BigInt(digits));
  });

/** An optional text; an empty one says nothing and reads as null. */
export const wireText = z
  .string()
  .nullish()
  .transform((value) => value || null);

const ISO_INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?(?:Z|[+-]\d\d:?\d\d)$/;
/** The last instant that has four digits for its year. */
const END_OF_TIME_MS = 253_402_300_799_999;

/** An instant in ISO 8601, from 1970 to the year 9999; a zone written without its colon is taken too. */
export const wireInstant = z
  .string()
  .regex(ISO_INSTANT)
  .transform((value, context) => {
    const at = new Date(value.replace(/([+-]\d\d)(\d\d)$/, '$1:$2'));
    if (!(at.getTime() >= 0 && at.getTime() <= END_OF_TIME_MS))
      context.addIssue({ code: 'custom', message: 'is not an instant' });
    return at;
  });

/** The items of a page. None that we ask for has more than 50. */
export const wireList = <Item extends z.ZodType>(item: Item) => z.array(item).max(100);

/** What a table says of a stranger's word. Such as `constructor` is in no table, though every object answers to it. */
export const findEntry = <Value>(table: Readonly<Record<string, Value>>, word: string): Value | undefined =>
  Object.hasOwn(table, word) ? table[word] : undefined;

/** Seconds from now, as a number or its digits. */
export const wireSeconds = z
  .union([z.number(), z.string().regex(/^\d+$/).transform(Number)])
  .pipe(z.number().nonnegative().max(1e9));

/** Reads what we need from a good answer. @throws ProviderError `ContractBroken` for another shape. */
export function readAnswer<Schema extends z.ZodType>(
  schema: Schema,
  json: unknown,
  { where, ...details }: { where: string; status: number; outcomeUnknown?: boolean },
): z.output<Schema> {
  const parsed = schema.safeParse(json);
  if (!parsed.success) throw createFailure('ContractBroken', where, details);
  return parsed.data;
}

/**
 * An answer in none of the known words: broken if it claims to be a good one, else something in between us and the
 * provider or a bad hour of theirs, which another try may find gone. Never a reason to think a grant dead.
 */
export function classifyUnknownAnswer(
  answer: HttpAnswer,
  where: string,
  now: Date,
  details: Details = {},
): ProviderError {
  const { status } = answer;
  const good = status >= 200 && status < 300 && readJson(answer) !== undefined;
  return createFailure(good ? 'ContractBroken' : 'RetryLater', where, {
    status,
    ...readRetryAfter(answer, now),
    ...details,
  });
}

const SENTENCES: Record<ProviderErrorType, string> = {
  RetryLater: 'it may work another time.',
  QuotaSpent: 'the quota is used up.',
  TokenStale: 'the access token is no longer taken.',
  GrantDead: 'the grant has ended.',
  PermissionMissing: 'the grant does not cover this.',
  AccountUnusable: 'the account has nothing to connect.',
  NotFound: 'no such content.',
  UnsupportedUrl: 'not the URL of a post here.',
  ClientRejected: 'our client or its set-up was refused.',
  ContractBroken: 'an answer of a shape we do not know.',
};

type Details = ConstructorParameters<typeof ProviderError>[2];

/** A `ProviderError` in our own words. */
export const createFailure = (type: ProviderErrorType, where: string, details: Details = {}): ProviderError =>
  new ProviderError(type, `${where}: ${SENTENCES[type]}`, details);

/** The same error with `outcomeUnknown` as the caller knows better. */
export const setOutcome = (error: ProviderError, outcomeUnknown: boolean): ProviderError => {
  if (error.outcomeUnknown === outcomeUnknown) return error;
  const { type, message, status, retryAfterSeconds } = error;
  return new ProviderError(type, message, {
    ...(status === undefined ? {} : { status }),
    ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }),
    outcomeUnknown,
  });
};

/** A credential that nobody has ever been given. */
export const makeUpCredential = (prefix: string): string => `${prefix}${randomBytes(32).toString('base64url')}`;

/**
 * What the refusal of a made-up credential says of our client: refused for the credential, it was taken.
 * @param refused undefined where the provider has taken even that.
 * @throws ProviderError `RetryLater` where there was no proper answer
 */
export function judgeClient(refused: ProviderError | undefined): ClientVerdict {
  if (refused?.type === 'RetryLater') throw refused;
  if (refused?.type === 'GrantDead') return 'TAKEN';
  return refused?.type === 'ClientRejected' ? 'REFUSED' : 'UNCLEAR';
}

/** Does what can simply be done again because it uses nothing up: no failure of it has an unknown outcome. */
export async function runRepeatable<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    throw error instanceof ProviderError ? setOutcome(error, false) : error;
  }
}

/** `after <= at < before`; a post of unknown age is in no window. */
export const isWithin = (at: Date | null, { publishedAfter, publishedBefore }: Window): boolean =>
  at !== null && at >= publishedAfter && at < publishedBefore;

/** So many seconds after an instant. */
export const addSeconds = (from: Date, bySeconds: number): Date => new Date(from.getTime() + bySeconds * 1000);

/** A date as HTTP writes it (RFC 9110, 5.6.7), in any of its three forms. `Date.parse` alone takes nearly everything. */
const HTTP_DATE = /^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)[a-z]*,? [A-Za-z0-9 :-]{10,30}(?:GMT)?$/;

/**
 * `Retry-After` (RFC 9110, 10.2.3) in whole seconds from now, where there is one: digits or a date, nothing else.
 * `ProviderError` bounds it.
 */
export function readRetryAfter(answer: HttpAnswer, now: Date): { retryAfterSeconds?: number } {
  const value = answer.headers['retry-after']?.trim() ?? '';
  if (/^\d+$/.test(value)) return { retryAfterSeconds: Number(value) };
  // The oldest of the three forms leaves out that it means GMT.
  const at = HTTP_DATE.test(value) ? Date.parse(value.endsWith('GMT') ? value : `${value} GMT`) : Number.NaN;
  return Number.isNaN(at) ? {} : { retryAfterSeconds: Math.max(0, Math.ceil((at - now.getTime()) / 1000)) };
}
