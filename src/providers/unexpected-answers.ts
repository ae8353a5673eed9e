import type { z } from 'zod';
import type { ProviderError } from './provider.ts';
import { scrubText } from './scrub-text.ts';

/** An unknown answer, redacted for people: no secret and nothing of an account is left in it. */
export interface UnexpectedAnswer {
  /** Our name of the request. */
  readonly where: string;
  readonly status: number;
  /** The platform's own error codes, joined by slashes. Empty without one. */
  readonly code: string;
  readonly text: string;
}

/** The name of the callback among the calls. It is no request of ours, and the person's browser can edit it. */
const AUTHORIZATION_RESPONSE = 'authorization response';

const unexpected = new WeakMap<ProviderError, UnexpectedAnswer>();

/** Attaches the platform's answer to a failure. The failure itself contains no foreign text. */
export function noteUnexpected(failure: ProviderError, answer: UnexpectedAnswer): ProviderError {
  unexpected.set(failure, answer);
  return failure;
}

/** Notes with a copy of a failure the same. */
export function copyNote(from: ProviderError, to: ProviderError): ProviderError {
  const answer = unexpected.get(from);
  return answer === undefined ? to : noteUnexpected(to, answer);
}

/** @returns undefined if the failure is one that the adapter knows */
export const findUnexpected = (failure: ProviderError): UnexpectedAnswer | undefined => unexpected.get(failure);

/** The names under which platforms give an error code, and the form of one. A longer value could be a token. */
const CODE_NAMES =
  /^(error|code|reason|status|error_type|error_code|errCode|err_code|error_reason|error_subcode|error_subtype|quota_limit)$/;
const CODE = /^(?:-?\d{1,8}|[A-Za-z][A-Za-z_-]{0,59})$/;
const TEXT_NAMES = /^(message|error_description|error_message|errMsg|error_user_title|error_user_msg|description)$/;
const MOST_CODES = 6;

/** Lists the error codes in an answer, wherever they are. */
export const listCodes = (json: unknown): readonly string[] =>
  listValues(json, CODE_NAMES).filter((text) => CODE.test(text));

/** The error codes in an answer as one text. Empty without one. */
export const joinCodes = (json: unknown): string => listCodes(json).slice(0, MOST_CODES).join('/');

/** Describes an error answer. @param json undefined for a body that is not JSON */
export const describeError = (where: string, status: number, json: unknown): UnexpectedAnswer => ({
  where,
  status,
  code: joinCodes(json),
  text: json === undefined ? 'The body is not JSON.' : scrubText(listValues(json, TEXT_NAMES).join(' ')),
});

/** The status of the redirect that carries an authorization response (RFC 6749, section 4.1.2). */
const REDIRECT = 302;

/** Describes an authorization response without a code, from the query of the callback. */
export const describeRefusal = (query: URLSearchParams): UnexpectedAnswer => {
  const { code: _code, ...said } = Object.fromEntries(query);
  return describeError(AUTHORIZATION_RESPONSE, REDIRECT, said);
};

/** Describes a successful answer of another shape than the adapter reads. */
export const describeShape = (where: string, status: number, { issues }: z.ZodError): UnexpectedAnswer => ({
  where,
  status,
  code: '',
  text: `Not as expected: ${issues.slice(0, 5).map(describeIssue).join(', ')}`.slice(0, 300),
});

const describeIssue = ({ path, code }: z.core.$ZodIssue): string =>
  `${path.map((part) => scrubPath(String(part))).join('.') || 'the answer'} (${code})`;

const scrubPath = (part: string) => (/^[a-z][a-zA-Z_]{0,39}$/.test(part) ? part : '#');

/** Lists the scalar values under names of this kind, each once. */
function listValues(json: unknown, names: RegExp, name = ''): string[] {
  if (Array.isArray(json)) return [...new Set(json.flatMap((item) => listValues(item, names, name)))];
  if (typeof json === 'object' && json !== null) {
    return [...new Set(Object.entries(json).flatMap(([key, value]) => listValues(value, names, key)))];
  }
  return names.test(name) && json !== null && json !== '' ? [String(json)] : [];
}
