import { randomBytes } from 'node:crypto';
import { z } from 'zod';
import type { HttpAnswer } from './http.ts';
import { parseJson } from './json.ts';
import { type ClientVerdict, ProviderError, type ProviderErrorType, type Window } from './provider.ts';

/** What a body says when it is JSON; undefined otherwise. */
export const readJson = (answer: HttpAnswer): unknown => parseJson(answer.text);

/** An id as text; one that came as a number has kept all its digits. */
export const id = z.union([z.string().min(1), z.number().int().nonnegative().transform(String)]);

/** A count as decimal digits, whether it came as a number or as a string; absent and null are the same. */
export const count = z
  .union([z.string().regex(/^\d+$/), z.number().int().nonnegative().transform(String)])
  .nullish()
  .transform((value) => value ?? null);

/** An optional text; an empty one says nothing and reads as null. */
export const text = z
  .string()
  .nullish()
  .transform((value) => value || null);

/** An instant in ISO 8601; a zone written without its colon is taken too. */
export const instant = z.string().transform((value, context) => {
  const at = new Date(value.replace(/([+-]\d\d)(\d\d)$/, '$1:$2'));
  if (Number.isNaN(at.getTime())) context.addIssue({ code: 'custom', message: 'is not an instant' });
  return at;
});

/** Seconds from now, as a number or its digits. */
export const seconds = z
  .union([z.number(), z.string().regex(/^\d+$/).transform(Number)])
  .pipe(z.number().nonnegative().max(1e9));

/** Reads what we need from a good answer. @throws ProviderError `ContractBroken` for another shape. */
export function readAs<Schema extends z.ZodType>(
  schema: Schema,
  json: unknown,
  { where, ...details }: { where: string; status: number; outcomeUnknown?: boolean },
): z.output<Schema> {
  const parsed = schema.safeParse(json);
  if (!parsed.success) throw failure('ContractBroken', where, details);
  return parsed.data;
}

/**
 * An answer in none of the known words: broken if it claims to be a good one, else something in between us and the
 * provider or a bad hour of theirs, which another try may find gone. Never a reason to think a grant dead.
 */
export function unknownAnswer(answer: HttpAnswer, where: string, now: Date, details: Details = {}): ProviderError {
  const { status } = answer;
  const good = status >= 200 && status < 300 && readJson(answer) !== undefined;
  return failure(good ? 'ContractBroken' : 'RetryLater', where, { status, ...retryAfter(answer, now), ...details });
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
export const failure = (type: ProviderErrorType, where: string, details: Details = {}): ProviderError =>
  new ProviderError(type, `${where}: ${SENTENCES[type]}`, details);

/** The same error with `outcomeUnknown` as the caller knows better. */
export const withOutcome = (error: ProviderError, outcomeUnknown: boolean): ProviderError => {
  const { type, message, status, retryAfterSeconds } = error;
  return new ProviderError(type, message, {
    ...(status === undefined ? {} : { status }),
    ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }),
    outcomeUnknown,
  });
};

/** A credential that nobody has ever been given. */
export const madeUp = (prefix: string): string => `${prefix}${randomBytes(32).toString('base64url')}`;

/**
 * What the refusal of a made-up credential says of our client: refused for the credential, it was taken.
 * @param refused undefined where the provider has taken even that.
 * @throws ProviderError `RetryLater` where there was no proper answer
 */
export function clientVerdict(refused: ProviderError | undefined): ClientVerdict {
  if (refused?.type === 'RetryLater') throw refused;
  if (refused?.type === 'GrantDead') return 'TAKEN';
  return refused?.type === 'ClientRejected' ? 'REFUSED' : 'UNCLEAR';
}

/** Does what can simply be done again because it uses nothing up: no failure of it has an unknown outcome. */
export async function repeatable<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    throw error instanceof ProviderError ? withOutcome(error, false) : error;
  }
}

/** `after <= at < before`; a post of unknown age is in no window. */
export const isWithin = (at: Date | null, { publishedAfter, publishedBefore }: Window): boolean =>
  at !== null && at >= publishedAfter && at < publishedBefore;

/** So many seconds after an instant. */
export const later = (from: Date, bySeconds: number): Date => new Date(from.getTime() + bySeconds * 1000);

/** `Retry-After` (RFC 9110, 10.2.3) in whole seconds from now, where there is one. */
export function retryAfter(answer: HttpAnswer, now: Date): { retryAfterSeconds?: number } {
  const value = answer.headers['retry-after']?.trim();
  if (!value) return {};
  if (/^\d{1,9}$/.test(value)) return { retryAfterSeconds: Number(value) };
  const at = Date.parse(value);
  return Number.isNaN(at) ? {} : { retryAfterSeconds: Math.max(0, Math.ceil((at - now.getTime()) / 1000)) };
}
