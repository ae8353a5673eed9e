import { PLATFORM_NAMES, type ProviderErrorType, type ProviderName } from '../../../src/basics/codes.ts';

/** The treatment of an answer, for operators. */
const MEANINGS: Readonly<Record<ProviderErrorType, string>> = {
  RetryLater: 'a temporary failure',
  OwnRateLimit: 'our own rate limit',
  QuotaSpent: 'quota used up',
  TokenStale: 'access token expired',
  GrantDead: 'access ended',
  PermissionMissing: 'permission missing',
  AccountUnusable: 'account cannot connect',
  AccountMismatch: 'another account',
  NotFound: 'post not found',
  UnsupportedUrl: 'not the URL of a post',
  ClientRejected: 'client refused',
  ContractBroken: 'unknown format',
};

/** Describes how the service treated an answer. A meaning of another version keeps its name. */
export const describeMeaning = (madeOfIt: string): string =>
  Object.hasOwn(MEANINGS, madeOfIt) ? MEANINGS[madeOfIt as ProviderErrorType] : madeOfIt;

interface UnknownAnswer {
  readonly provider: ProviderName;
  readonly request: string;
  readonly status: number;
  readonly code: string;
  readonly text: string;
  readonly madeOfIt: string;
  readonly times: number;
  readonly firstSeenAt: string;
  readonly lastSeenAt: string;
}

/** The text of an issue about an unknown answer, in Markdown. Code spans keep the platform's text from being read as markup. */
export const buildIssueText = (answer: UnknownAnswer, version: string): string =>
  [
    `${PLATFORM_NAMES[answer.provider]} gives an answer that version ${version} does not know.`,
    '',
    `- Request: ${toCode(answer.request)}`,
    `- Status: ${answer.status}`,
    `- Code: ${toCode(answer.code)}`,
    `- Text: ${toCode(answer.text)}`,
    `- Treated as: ${describeMeaning(answer.madeOfIt)} (${toCode(answer.madeOfIt)})`,
    `- Seen: at least ${answer.times.toLocaleString('en')} times, from ${answer.firstSeenAt} to ${answer.lastSeenAt}`,
  ].join('\n');

/** A code span around a text with any number of backticks and lines. */
function toCode(text: string): string {
  const line = text.replaceAll(/\s+/g, ' ').trim();
  if (line === '') return 'none';
  const longest = Math.max(0, ...(line.match(/`+/g) ?? []).map((run) => run.length));
  const fence = '`'.repeat(longest + 1);
  return longest === 0 ? `${fence}${line}${fence}` : `${fence} ${line} ${fence}`;
}
