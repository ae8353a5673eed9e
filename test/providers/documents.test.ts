import path from 'node:path';
import { expect, test } from 'vitest';
import { PLATFORM_NAMES, PROVIDER_NAMES } from '../../src/basics/codes.ts';
import { platformRuleOf } from '../../src/basics/failures.ts';
import { PLATFORMS } from '../../src/providers/platforms.ts';
import { BODIES } from './error-bodies/all.ts';
import type { ErrorBody } from './error-bodies/body.ts';

const TEST = path.join(import.meta.dirname, '..');
const DOCS = path.join(TEST, '..', 'docs');

const table = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  [head, head.map(() => '---'), ...rows]
    .map((cells) => `| ${cells.map((cell) => cell.replaceAll('|', '\\|').replaceAll('\n', ' ')).join(' | ')} |`)
    .join('\n');

const quote = (text: string): string => `\`${text}\``;

/** The parts of an error body that decide. */
function describeBody({ status, body }: ErrorBody): readonly string[] {
  const codes: string[] = [];
  let text = '';
  const visit = (value: unknown): void => {
    if (Array.isArray(value)) for (const item of value) visit(item);
    else if (typeof value === 'object' && value !== null) {
      for (const [name, member] of Object.entries(value)) {
        if (/^(message|error_description)$/.test(name)) text ||= String(member);
        else if (
          /^(error|code|reason|error_subcode|error_subtype|quota_limit)$/.test(name) &&
          typeof member !== 'object'
        )
          codes.push(String(member));
        else visit(member);
      }
    }
  };
  visit(body);
  return [String(status), [...new Set(codes)].map(quote).join(' '), text];
}

const answersPage = (): string => `# What the platforms answer

**Use this page** to see which answers of the real platforms the service knows, where they were reported, and what it makes of
them. \`test/providers/error-bodies\` has them. An answer that is not here is kept for you:
[an unknown answer](../../docs/runbook.md#a-platform-gives-an-unknown-answer) describes how to report it.
[Findings](provider-findings.md) lists the special cases that public clients handle.
\`npx vitest run test/providers/documents.test.ts -u\` writes this page.

${PROVIDER_NAMES.map(
  (name) => `## Error answers of ${PLATFORM_NAMES[name]}

${table(
  ['Call', 'Status', 'Codes', 'Text', 'Taken as', 'Source'],
  BODIES[name].map((body) => [body.call, ...describeBody(body), body.type, body.source]),
)}`,
).join('\n\n')}

## What each meaning does

${table(
  ['Taken as', 'Effect'],
  [...new Set(Object.values(BODIES).flatMap((bodies) => bodies.map(({ type }) => type)))]
    .sort()
    .map((type) => [type, platformRuleOf(type).means]),
)}
`;

const checklistsPage = (): string => `# Checklists for the platforms

**Use this page** before your first customer, and when connects fail. [providers.md](providers.md) has the steps for each item. If the person
stays on the platform's own page, the attempt expires; otherwise it ends with the code in the last column. [Leave
out](providers.md#if-the-platform-has-not-approved-every-permission) a permission that is not approved. State of November 2026.

${PROVIDER_NAMES.map(
  (name) => `## ${name}: ${PLATFORM_NAMES[name]}

${table(
  ['', 'Requirement', 'What the platform does without it', 'Effect here'],
  PLATFORMS[name].checklist.map(({ id, item, without, here }) => [id, item, without, here]),
)}

[\`try-provider\`](providers.md#check-against-the-real-platform) does not check ${listUnchecked(name)}.`,
).join('\n\n')}
`;

const listUnchecked = (name: (typeof PROVIDER_NAMES)[number]) =>
  PLATFORMS[name].checklist.flatMap(({ id, symptoms }) => (symptoms.length > 0 ? [] : [id])).join(', ');

test('provider-answers.md lists the known answers', async () => {
  await expect(answersPage()).toMatchFileSnapshot(path.join(import.meta.dirname, 'provider-answers.md'));
});

test('docs/provider-checklists.md lists the items that `try-provider` names', async () => {
  await expect(checklistsPage()).toMatchFileSnapshot(path.join(DOCS, 'provider-checklists.md'));
});
