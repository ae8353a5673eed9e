import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { ROOT } from '../../local/src/services.ts';

/** A fenced block of a page. */
export interface Block {
  readonly page: string;
  /** Of its fence, from 1. */
  readonly line: number;
  readonly language: string;
  readonly text: string;
  /** Why no test types it, from the comment before it. */
  readonly notRun: string | undefined;
}

/** The pages that a stranger follows. */
export const listGuides = (): string[] =>
  [
    ...['README.md', 'CONTRIBUTING.md', 'SECURITY.md'],
    ...['docs', 'deploy', 'examples', 'clients'].flatMap((folder) =>
      readdirSync(path.join(ROOT, folder), { recursive: true, encoding: 'utf8' })
        .filter((name) => name.endsWith('.md') && !/(^|\/)(node_modules|dist)\//.test(name))
        .map((name) => `${folder}/${name}`),
    ),
  ].sort();

/** The test that types the blocks of a page, in their order, except those with a reason not to. */
export const TYPED_BY = {
  'clients/command-line/README.md': 'test/stack/procedures.test.ts',
  'deploy/helm/social-accounts/README.md': 'test/kubernetes/readme.ts',
  'docs/adding-a-provider.md': 'test/fourth/fourth.test.ts',
  'docs/backup.md': 'test/stack/restore.test.ts',
  'docs/callers.md': 'test/stack/callers-guide.test.ts',
  'docs/configuration.md': 'test/stack/procedures.test.ts',
  'docs/incident.md': 'test/stack/procedures.test.ts',
  'docs/importing.md': 'test/stack/procedures.test.ts',
  'docs/monitoring.md': 'test/stack/procedures.test.ts',
  'docs/production.md': 'test/stack/procedures.test.ts',
  'docs/providers.md': 'test/stack/procedures.test.ts',
  'docs/review-kit.md': 'test/stack/procedures.test.ts',
  'docs/runbook.md': 'test/stack/procedures.test.ts',
  'docs/walkthrough.md': 'test/stack/procedures.test.ts',
  'docs/webhooks.md': 'test/stack/procedures.test.ts',
} as const;
export type TypedPage = keyof typeof TYPED_BY;

const FENCE = /^( *)```(\w*)$/;
const NOT_RUN = /^ *<!-- not run: (.+) -->$/;

export function readBlocks(page: string): Block[] {
  const lines = readFileSync(path.join(ROOT, page), 'utf8').split('\n');
  const blocks: Block[] = [];
  for (let start = 0; start < lines.length; start += 1) {
    const [, indent = '', language = ''] = FENCE.exec(lines[start] ?? '') ?? [];
    if (!FENCE.test(lines[start] ?? '')) continue;
    const end = lines.indexOf(`${indent}\`\`\``, start + 1);
    const text = lines.slice(start + 1, end).map((line) => line.replace(indent, ''));
    const [, notRun] = NOT_RUN.exec(lines.slice(0, start).findLast((line) => line.trim() !== '') ?? '') ?? [];
    blocks.push({ page, line: start + 1, language, text: text.join('\n'), notRun });
    start = end;
  }
  return blocks;
}

/** Whether a person types it, into a shell, a database or an API. */
export const isTyped = ({ language, text }: Block): boolean =>
  /^(sh|bash|shell|console|http|graphql|sql)$/.test(language) ||
  (/^(text)?$/.test(language) && /^\$? *(node|npm|npx|docker|kubectl|helm|curl|sh|psql|temporal) /m.test(text));

/** The blocks of a page that its test types. */
export const readProcedures = (page: TypedPage): Block[] =>
  readBlocks(page).filter((block) => isTyped(block) && block.notRun === undefined);

/** The commands of a shell block, each with its continued lines and its input. */
export function splitCommands(text: string): string[] {
  const commands: string[] = [];
  let command = '';
  for (const line of text.split('\n')) {
    command += command === '' ? line : `\n${line}`;
    const { status, stderr } = spawnSync('bash', ['-n', '-c', command], { encoding: 'utf8' });
    if (command.endsWith('\\') || status !== 0 || stderr !== '') continue;
    if (!/^\s*(#.*)?$/.test(command)) commands.push(command);
    command = '';
  }
  if (command !== '') throw new Error(`Not a whole command: ${command}`);
  return commands;
}
