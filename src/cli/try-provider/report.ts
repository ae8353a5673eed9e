import { readFileSync } from 'node:fs';
import type { ProviderErrorType } from '../../basics/codes.ts';
import { PLATFORMS } from '../../providers/platforms.ts';
import type { UnexpectedAnswer } from '../../providers/unexpected-answers.ts';
import type { Recording } from './recording.ts';
import { collectShapes, compareShapes, type Shapes } from './shapes.ts';
import type { Transcript } from './transcript.ts';

/** The forms of the sandbox's answers in the same trial. A test keeps them as the sandbox gives them. */
const readSandboxShapes = (): Readonly<Record<string, Shapes>> =>
  JSON.parse(readFileSync(new URL('sandbox-shapes.json', import.meta.url), 'utf8')) as Record<string, Shapes>;

const readVersion = (): string => {
  const { version } = JSON.parse(readFileSync(new URL('../../../package.json', import.meta.url), 'utf8')) as {
    version: string;
  };
  return version;
};

export interface UnknownAnswer extends UnexpectedAnswer {
  readonly madeOfIt: ProviderErrorType;
}

interface ReportInput {
  readonly platform: string;
  readonly startedAt: Date;
  readonly endedAt: Date;
  readonly recording: Recording;
  readonly transcript: Transcript;
  readonly unknown: readonly UnknownAnswer[];
}

/** How the answers' forms differ from those of the sandbox. */
const compareWithSandbox = ({ provider, exchanges }: Pick<Recording, 'provider' | 'exchanges'>): string[] =>
  compareShapes(collectShapes(exchanges), readSandboxShapes()[provider] ?? {});

/** Writes the report of a trial, in Markdown. Like the transcript, it contains no token, no id, no data of an account. */
export function writeReport({ platform, startedAt, endedAt, recording, transcript, unknown }: ReportInput): string {
  const { provider, isPublic, permissions } = recording;
  const seconds = Math.round((endedAt.getTime() - startedAt.getTime()) / 1000);
  return [
    `# Trial of ${platform} (${provider})`,
    '',
    `- ${startedAt.toISOString()}, ${seconds} seconds, version ${readVersion()}`,
    `- ${isPublic ? 'Public addresses' : 'A stand-in: an address without https'}`,
    `- Asked for: ${permissions.map((one) => `\`${one}\``).join(', ')}`,
    `- ${recording.exchanges.length} answers; they are in \`recording.json\`, without tokens and without data of the account`,
    '',
    '## What differs from what the adapter expects',
    '',
    ...list(transcript.differences),
    '',
    '## What differs from the sandbox',
    '',
    'Names and types of fields. A field that only one of the two has is seldom a fault.',
    '',
    ...list(compareWithSandbox(recording)),
    '',
    '## Answers that the adapter does not know',
    '',
    ...list(
      unknown.map(
        ({ where, status, code, text, madeOfIt }) =>
          `${where}: status ${status}, code ${code || 'none'}, taken as ${madeOfIt}: ${text || 'no text'}`,
      ),
    ),
    '',
    '## Checklist',
    '',
    '| | What must be so at the console of the platform | In this trial |',
    '|---|---|---|',
    ...listItems(transcript, provider),
    '',
    '## What was called, and what came',
    '',
    '```text',
    ...transcript.lines,
    '```',
    '',
  ].join('\n');
}

const list = (lines: readonly string[]) => (lines.length === 0 ? ['Nothing.'] : lines.map((line) => `- ${line}`));

const listItems = ({ symptoms }: Transcript, provider: Recording['provider']) =>
  PLATFORMS[provider].checklist.map(({ id, item, symptoms: own }) => {
    const seen = own.some((symptom) => symptoms.includes(symptom));
    const state = own.length === 0 ? 'A trial cannot see it' : 'No sign that it is missing';
    return `| ${id} | ${item} | ${seen ? '**May be missing**' : state} |`;
  });
