import { randomBytes } from 'node:crypto';
import { z } from 'zod';
import type { ProviderErrorType } from '../basics/codes.ts';
import { FAILURES, isTemporary } from '../basics/failures.ts';
import type { HttpAnswer } from './http.ts';
import { parseJson } from './json.ts';
import { type ClientVerdict, ProviderError, type Window } from './provider.ts';
import { copyNote, describeError, describeShape, joinCodes, noteUnexpected } from './unexpected-answers.ts';

const parsed = new WeakMap<HttpAnswer, { readonly json: unknown }>();

/** Parses the body as JSON, once for each answer. @returns undefined for a body that is not JSON */
export function readJson(answer: HttpAnswer): unknown {
  const known = parsed.get(answer) ?? { json: parseJson(answer.text) };
  parsed.set(answer, known);
  return known.json;
}

/** An id: 1 to 255 visible ASCII characters. `parseJson` keeps all digits of a numeric id. */
export const wireId = z
  .union([z.string(), z.number().int().transform(String)])
  .pipe(z.string().regex(/^[\x21-\x7e]{1,255}$/));

/** A token (RFC 6749, appendix A.12: visible ASCII and the space), short enough for a header. */
export const wireToken = z.string().regex(/^[\x20-\x7e]{1,8192}$/);

/** A platform's own paging cursor. */
export const wireCursor = z.string().min(1).max(2_048);

/**
 * A count as decimal digits without leading zeros, read from a number or a string. A missing, negative, fractional or
 * over-long count (more than 30 digits) becomes null, because one bad number must not lose the post.
 */
export const wireCount = z
  .unknown()
  .optional()
  .transform((value) => {
    const digits = typeof value === 'number' && Number.isSafeInteger(value) ? String(value) : value;
    if (typeof digits !== 'string' || !/^\d{1,30}$/.test(digits)) return null;
    return String(BigInt(digits));
  });

/** An optional text. An empty string becomes null. */
export const wireText = z
  .string()
  .nullish()
  .transform((value) => value || null);

const ISO_INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?(?:Z|[+-]\d\d:?\d\d)$/;
/** The last instant whose year has four digits. */
const END_OF_TIME_MS = 253_402_300_799_999;

/** An instant in ISO 8601, from 1970 to the year 9999. The zone may lack its colon. */
const wireInstant = z
  .string()
  .regex(ISO_INSTANT)
  .transform((value, context) => {
    const at = new Date(value.replace(/([+-]\d\d)(\d\d)$/, '$1:$2'));
    if (!(at.getTime() >= 0 && at.getTime() <= END_OF_TIME_MS))
      context.addIssue({ code: 'custom', message: 'is not an instant' });
    return at;
  });

/** A date that a post may lack. A malformed one counts as missing, because one bad date must not lose the page. */
export const wireDate = wireInstant.nullable().catch(null).default(null);

/**
 * Checks the dates of a page's posts: one may be missing, all of several mean that the platform has changed its format.
 * @throws ProviderError `ContractBroken`
 */
export function requireDates(dates: readonly unknown[], { where, status }: { where: string; status: number }): void {
  if (dates.length > 1 && dates.every((date) => date === null))
    throw createFailure('ContractBroken', where, { status });
}

/** The items of a page, at most 100. We never ask for more than 50. */
export const wireList = <Item extends z.ZodType>(item: Item) => z.array(item).max(100);

/** Looks up a platform's word in a table. Ignores inherited properties such as `constructor`. */
export const findEntry = <Value>(table: Readonly<Record<string, Value>>, word: string): Value | undefined =>
  Object.hasOwn(table, word) ? table[word] : undefined;

/** Permissions as a list, or as a text separated by blanks (RFC 6749, section 3.3), commas or semicolons. */
export const wirePermissions = z
  .union([z.array(z.string()), z.string()])
  .transform((given) =>
    [...new Set([given].flat().flatMap((text) => text.split(/[\s,;]+/)))].filter((one) => one !== ''),
  );

/** Seconds from now, as a number or its digits. */
export const wireSeconds = z
  .union([z.number(), z.string().regex(/^\d+$/).transform(Number)])
  .pipe(z.number().nonnegative().max(1e9));

/** An answer as an adapter read it. */
export interface ReadAnswer {
  readonly where: string;
  readonly schema: z.ZodType;
  readonly json: unknown;
  /** Why the adapter refused it; undefined if it did not. */
  readonly error: z.ZodError | undefined;
}

let observer: ((read: ReadAnswer) => void) | undefined;

/** Reports every successful answer of this process, for a command that compares them with the adapters' schemas. */
export function observeAnswers(observe: ((read: ReadAnswer) => void) | undefined): void {
  observer = observe;
}

/** Reads the fields we need from a successful answer. @throws ProviderError `ContractBroken` for another shape */
export function readAnswer<Schema extends z.ZodType>(
  schema: Schema,
  json: unknown,
  { where, ...details }: { where: string; status: number; outcomeUnknown?: boolean },
): z.output<Schema> {
  const parsed = schema.safeParse(json);
  observer?.({ where, schema, json, error: parsed.error });
  if (!parsed.success) {
    const failure = createFailure('ContractBroken', where, details);
    throw noteUnexpected(failure, describeShape(where, details.status, parsed.error));
  }
  return parsed.data;
}

/** Too Many Requests (RFC 6585, section 4). */
export const LIMIT_STATUS = 429;

/** Classifies an error answer whose status is all we know of it. */
export const classifyStatus = (status: number): ProviderErrorType =>
  status === LIMIT_STATUS ? 'PlatformLimit' : 'RetryLater';

/**
 * Classifies an answer with no error code we know. A 2xx answer with JSON breaks the contract. Any other answer may come
 * from a proxy or a temporary fault, so it is worth a retry. It never means that the grant is dead.
 */
export function classifyUnknownAnswer(
  answer: HttpAnswer,
  where: string,
  now: Date,
  details: Details = {},
): ProviderError {
  const { status } = answer;
  const good = status >= 200 && status < 300 && readJson(answer) !== undefined;
  return createUnexpected(good ? 'ContractBroken' : classifyStatus(status), where, answer, {
    ...readRetryAfter(answer, now),
    ...details,
  });
}

/**
 * Creates the failure for an error answer that people should see: its code is unknown, or it refuses our own request. A
 * platform that is merely out of order is no surprise.
 */
export function createUnexpected(
  type: ProviderErrorType,
  where: string,
  answer: HttpAnswer,
  details: Details = {},
): ProviderError {
  const { status } = answer;
  const failure = createFailure(type, where, { ...describeAnswer(answer), ...details });
  const isOutage = status >= 500 || status === LIMIT_STATUS;
  return isOutage ? failure : noteUnexpected(failure, describeError(where, status, readJson(answer)));
}

/** Creates the failure for an error answer with a code that the adapter knows. The status tells a limit from an outage. */
export const createClassified = (
  type: ProviderErrorType,
  where: string,
  answer: HttpAnswer,
  details: Details = {},
): ProviderError =>
  type === 'ContractBroken'
    ? createUnexpected(type, where, answer, details)
    : createFailure(type === 'RetryLater' ? classifyStatus(answer.status) : type, where, {
        ...describeAnswer(answer),
        ...details,
      });

/** The part of an error answer that a failure keeps. */
const describeAnswer = (answer: HttpAnswer): Details => ({
  status: answer.status,
  platformCode: joinCodes(readJson(answer)),
});

type Details = NonNullable<ConstructorParameters<typeof ProviderError>[2]>;

/** Creates a `ProviderError` with our own sentence for its type. */
export const createFailure = (type: ProviderErrorType, where: string, details: Details = {}): ProviderError =>
  new ProviderError(type, `${where}: ${FAILURES[type].message}`, details);

/** Copies the error with another `outcomeUnknown`. */
export const setOutcome = (error: ProviderError, outcomeUnknown: boolean): ProviderError =>
  error.outcomeUnknown === outcomeUnknown ? error : copyError(error, { outcomeUnknown });

function copyError(error: ProviderError, change: Details): ProviderError {
  const { type, message, status, retryAfterSeconds, outcomeUnknown, networkCode, platformCode, isRepeatable, isOurs } =
    error;
  const details = { status, retryAfterSeconds, outcomeUnknown, networkCode, platformCode, isRepeatable, isOurs };
  return copyNote(error, new ProviderError(type, message, { ...details, ...change }));
}

/** Creates a random credential that no platform has issued. */
export const makeUpCredential = (prefix: string): string => `${prefix}${randomBytes(32).toString('base64url')}`;

/**
 * Classifies our client by how the platform refused a made-up credential. A platform that refuses the credential itself has
 * accepted the client.
 * @param refused undefined if the platform accepted even the made-up credential
 * @throws ProviderError a temporary one if the platform did not answer properly
 */
export function judgeClient(refused: ProviderError | undefined): ClientVerdict {
  if (refused !== undefined && isTemporary(refused.type)) throw refused;
  if (refused?.type === 'ClientRejected') return { verdict: 'REFUSED', refusal: refused };
  return { verdict: refused?.type === 'GrantDead' ? 'TAKEN' : 'UNCLEAR' };
}

/** Runs a request that is safe to repeat: its failures never have an unknown outcome. */
export async function runRepeatable<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    throw error instanceof ProviderError ? setOutcome(error, false) : error;
  }
}

/** `after <= at < before`. A post without a date is in no window. */
export const isWithin = (at: Date | null, { publishedAfter, publishedBefore }: Window): boolean =>
  at !== null && at >= publishedAfter && at < publishedBefore;

export const addSeconds = (from: Date, bySeconds: number): Date => new Date(from.getTime() + bySeconds * 1000);

/** An HTTP date (RFC 9110, section 5.6.7) in any of its three formats. `Date.parse` alone accepts nearly any text. */
const HTTP_DATE = /^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)[a-z]*,? [A-Za-z0-9 :-]{10,30}(?:GMT)?$/;

/**
 * Reads `Retry-After` (RFC 9110, section 10.2.3), which holds digits or a date, as whole seconds from now.
 * `ProviderError` bounds the value.
 */
export function readRetryAfter(answer: Pick<HttpAnswer, 'headers'>, now: Date): { retryAfterSeconds?: number } {
  const value = answer.headers['retry-after']?.trim() ?? '';
  if (/^\d+$/.test(value)) return { retryAfterSeconds: Number(value) };
  // The oldest format (asctime) is in GMT, although it has no zone.
  const at = HTTP_DATE.test(value) ? Date.parse(value.endsWith('GMT') ? value : `${value} GMT`) : Number.NaN;
  return Number.isNaN(at) ? {} : { retryAfterSeconds: Math.max(0, Math.ceil((at - now.getTime()) / 1000)) };
}
