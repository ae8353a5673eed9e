import { PLATFORM_NAMES, type ProviderName } from '../../../src/basics/codes.ts';
import { isProviderErrorType, platformRuleOf } from '../../../src/basics/failures.ts';

/**
 * Describes how the service treated an answer. A meaning of another version keeps its name. The answer to a code is lost, because no
 * code can be used twice.
 */
export function describeMeaning({ madeOfIt, request }: Pick<UnknownAnswer, 'madeOfIt' | 'request'>): string {
  if (madeOfIt === 'ProviderUnavailable' && request.endsWith(' code exchange')) return 'a lost answer';
  return isProviderErrorType(madeOfIt) ? platformRuleOf(madeOfIt).briefly : madeOfIt;
}

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
    `- Treated as: ${describeMeaning(answer)} (${toCode(answer.madeOfIt)})`,
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
