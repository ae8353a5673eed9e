import type { z } from 'zod';
import type { ProviderError } from './provider.ts';
import { scrubText } from './scrub-text.ts';

/** An answer that nobody expected, as far as people may read it: no secret and nothing of an account is left in it. */
export interface UnexpectedAnswer {
  /** Our name of the request. */
  readonly where: string;
  readonly status: number;
  /** The platform's own error codes, joined by slashes. Empty without one. */
  readonly code: string;
  readonly text: string;
}

const unexpected = new WeakMap<ProviderError, UnexpectedAnswer>();

/** Notes with a failure what the platform said. The failure itself carries no foreign text. */
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
const CODE_NAMES = /^(error|code|reason|status|error_type|error_code|error_subcode|error_subtype|quota_limit)$/;
const CODE = /^(?:-?\d{1,8}|[A-Za-z][A-Za-z_-]{0,59})$/;
const TEXT_NAMES = /^(message|error_description|error_message|error_user_title|error_user_msg|description)$/;
const MOST_CODES = 6;

/** Lists the error codes in an answer, wherever they are. */
export const listCodes = (json: unknown): readonly string[] =>
  listValues(json, CODE_NAMES).filter((text) => CODE.test(text));

/** Describes an error answer. @param json undefined for a body that is not JSON */
export const describeError = (where: string, status: number, json: unknown): UnexpectedAnswer => ({
  where,
  status,
  code: listCodes(json).slice(0, MOST_CODES).join('/'),
  text: json === undefined ? 'The body is not JSON.' : scrubText(listValues(json, TEXT_NAMES).join(' ')),
});

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
