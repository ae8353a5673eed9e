import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { isSafe } from 'redos-detector';
import ts from 'typescript';
import { expect, test } from 'vitest';

const SOURCES = path.join(import.meta.dirname, '..', '..', 'src');
/** Folders of programs that no stranger can send a text to, and generated code. */
const OWN = /^(cli|generated)\//;

/** Patterns that can take quadratic time, with the reason why no input can make them. */
const BOUNDED: Readonly<Record<string, string>> = {
  '/\\/+$/': 'the configuration',
  '/^ {4}at .*:\\d+:\\d+\\)?$/': 'one line of a stack trace of ours',
  '/:\\d*$/': 'the configuration',
  '/^(localhost|.*\\.localhost|127\\.\\d+\\.\\d+\\.\\d+|\\[?::1\\]?|\\/.*)$/': 'the configuration',
  '/^postgres(?:ql)?:\\/\\/(?:(?<user>[^:/]*?)(?::(?<password>[^/]*?))?@(?=[^@/?]*(?:[/?]|$)))?(?<host>\\[[^\\]/?#]*\\]|[^:/?#[\\]]*)(?::(?<port>[^/?#]*))?(?:\\/(?<database>[^?#]*))?(?:\\?(?<query>[^#]*))?$/s':
    'the configuration; the detector cannot read named groups',
  '/^postgres(?:ql)?:\\/\\/(?:[^/]*@)?(?<hosts>[^/?#]*)/': 'the configuration; the detector cannot read named groups',
  '/-----BEGIN CERTIFICATE-----[^-]*-----END CERTIFICATE-----/g': 'the configuration',
  '/;\\s*charset\\s*=\\s*"?([^";\\s]*)/gi':
    'a header of 16 KiB at most, and each run of blanks ends at the sign behind it',
  '/^s3:\\/\\/([^/]+)\\/?(.*)$/': 'the configuration',
  '/(\\w+)(?:\\s+\\(([^)]*)\\))?(?:,\\s+|\\s*$)/g': 'ops/postgres/roles.sql',
  '/ to (\\w+);$/gm': 'ops/postgres/roles.sql',
  '/\\{(\\w+)\\}/g': 'our own texts',
  '/\\b(?:message|self): "([A-Za-z][A-Za-z ,.\'-]{0,99})"/': 'at most 100 characters behind each quote that begins it',
  "/limit '[^']{1,100} per day'/i": 'at most 100 characters behind each quote that begins it',
  '/nonexisting field \\((\\w{1,64})\\)/i': 'at most 64 characters behind each bracket that begins it',
  '/^https:\\/\\/[^\\s\\p{Cc}/?#@:\\\\]+([/?][^\\s\\p{Cc}#\\\\]*)?$/iu':
    'at most 2,048 characters, and the first class excludes what may follow it',
};

function listPatterns(): { file: string; text: string }[] {
  const found: { file: string; text: string }[] = [];
  const files = readdirSync(SOURCES, { recursive: true, encoding: 'utf8' }).filter((file) => /\.tsx?$/.test(file));
  for (const file of files.filter((one) => !OWN.test(one))) {
    const visit = (node: ts.Node): void => {
      if (ts.isRegularExpressionLiteral(node)) found.push({ file, text: node.text });
      ts.forEachChild(node, visit);
    };
    visit(ts.createSourceFile(file, readFileSync(path.join(SOURCES, file), 'utf8'), ts.ScriptTarget.Latest, true));
  }
  return found;
}

function compile(text: string): RegExp {
  const end = text.lastIndexOf('/');
  // The detector knows `i` without `u` only; the two differ in letters, not in repetition.
  return new RegExp(text.slice(1, end), text.slice(end + 1).replace('iu', 'u'));
}

test('takes time in proportion to the text: each pattern that a stranger’s text meets', () => {
  const patterns = new Map(listPatterns().map(({ file, text }) => [text, file]));
  expect(patterns.size).toBeGreaterThan(50);
  const slow = [...patterns].filter(([text]) => !(text in BOUNDED) && !isSafe(compile(text), { maxScore: 200 }).safe);
  expect(slow).toEqual([]);
  expect(Object.keys(BOUNDED).filter((text) => !patterns.has(text))).toEqual([]);
});
