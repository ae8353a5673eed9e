import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { buildSchema, parse, validate } from 'graphql';
import { describe, expect, test } from 'vitest';
import { adminSchema, callersSchema } from '../../src/api/graphql/schema-texts.ts';
import { COMMANDS } from '../../src/cli/commands/index.ts';
import { findCommand } from '../../src/cli/front.ts';
import { LOCAL_COMMANDS } from '../../src/cli/local-commands.ts';
import { isTyped, listGuides, readBlocks, TYPED_BY } from '../kit/page-blocks.ts';

const ROOT = path.join(import.meta.dirname, '..', '..');
const read = (name: string) => readFileSync(path.join(ROOT, name), 'utf8');
const list = (folder: string, ending: RegExp): string[] =>
  readdirSync(path.join(ROOT, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && ending.test(entry.name))
    .map((entry) => path.relative(ROOT, path.join(entry.parentPath, entry.name)))
    .filter((file) => !/(^|\/)(node_modules|dist)\//.test(file));

const PAGES = [
  ...readdirSync(ROOT).filter((name) => name.endsWith('.md')),
  ...['docs', 'examples', 'src', 'sandbox', 'bench', 'ops', 'clients', 'deploy', 'test'].flatMap((folder) =>
    list(folder, /\.md$/),
  ),
].sort();

/** A page without its code blocks. */
const proseOf = (page: string) => read(page).replaceAll(/^```[\s\S]*?^```/gm, '');
const quotedIn = (page: string) => [...proseOf(page).matchAll(/`([^`\n]+)`/g)].map(([, quoted = '']) => quoted);
const blocksIn = (page: string, language: string) =>
  [...read(page).matchAll(/^```(\w*)\n([\s\S]*?)^```/gm)].flatMap(([, name, text = '']) =>
    name === language ? [text] : [],
  );

/** GitHub's anchor of a heading: lower case, no punctuation, hyphens for spaces. */
const anchorOf = (heading: string) =>
  heading
    .trim()
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .replaceAll(/\s/g, '-');
const anchorsOf = (page: string) =>
  [...read(page).matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) => anchorOf(heading));

describe.each(PAGES)('%s', (page) => {
  test('links to files and headings that exist', () => {
    const links = [...proseOf(page).matchAll(/\]\(([^)\s]+)\)/g)].map(([, link = '']) => link);
    const broken = links
      .filter((link) => !/^(https?|mailto):/.test(link))
      .filter((link) => {
        const [file = '', anchor] = link.split('#');
        const target = file === '' ? page : path.join(path.dirname(page), file);
        if (!existsSync(path.join(ROOT, target))) return true;
        return anchor !== undefined && target.endsWith('.md') && !anchorsOf(target).includes(anchor);
      });
    expect(broken).toEqual([]);
  });

  test('names paths of this repository that exist', () => {
    const paths = quotedIn(page).filter((quoted) => /^[\w.-]+(\/[\w.-]+)+\/?$/.test(quoted) && FOLDERS.test(quoted));
    expect(
      paths.filter((name) => !/provider-d|sandbox\/src\/d\//.test(name) && !existsSync(path.join(ROOT, name))),
    ).toEqual([]);
  });

  test('names commands that exist', () => {
    const calls = [...read(page).matchAll(/\bnode dist\/main\.js ([a-z][a-z-]*(?: [a-z][a-z-]*){0,2})/g)].map(
      ([, words = '']) => words,
    );
    const known = (words: string) => NAMES.some((name) => words === name || words.startsWith(`${name} `));
    expect(calls.filter((words) => !known(words))).toEqual([]);
  });

  test('gives commands options that they have', () => {
    const lines = [
      ...read(page)
        .replaceAll('\\\n', ' ')
        .matchAll(/\bnode dist\/main\.js ([^\n`|<>(]+)/g),
    ].map(([, line = '']) => line);
    const strange = lines.filter((line) => {
      const found = findCommand(line.trim().split(/\s+/));
      const given = [...line.matchAll(/ --([a-z-]+)/g)].map(([, option = '']) => option);
      return (
        found !== undefined &&
        !given.every((option) => option in found.command.options || /^(json|yes|help)$/.test(option))
      );
    });
    expect(strange).toEqual([]);
  });

  test('shows GraphQL that one of the schemas accepts', () => {
    const refused = blocksIn(page, 'graphql').filter(
      (text) => !SCHEMAS.some((schema) => validate(schema, parse(text)).length === 0),
    );
    expect(refused).toEqual([]);
  });
});

describe.each(listGuides())('%s', (page) => {
  const blocks = readBlocks(page);

  test('has only commands and requests that a test types, or that a comment excludes', () => {
    const typist = (TYPED_BY as Readonly<Record<string, string>>)[page];
    const typed = blocks.filter((block) => isTyped(block) && block.notRun === undefined);
    const places = typed.map(({ line, text }) => `${page}:${line}: ${text.split('\n')[0]}`);
    if (typist === undefined) return expect(places).toEqual([]);
    expect(places.length).toBeGreaterThan(0);
    expect(read(typist)).toContain(page); // It reads the page's blocks.
  });

  test('names a substitute for each other block', () => {
    const reasons = blocks.flatMap(({ notRun }) => notRun ?? []);
    // Each comment stands before a block.
    expect(reasons).toHaveLength(read(page).match(/^ *<!-- not run: /gm)?.length ?? 0);
    const jobs = ['check.yml', 'release.yml'].map((name) => read(`.github/workflows/${name}`)).join();
    const isKnown = (reason: string) =>
      /^takes (minutes|hours)\b/.test(reason) ||
      [...reason.matchAll(/\btest\/\S+\.test\.ts\b/g)].some(([file]) => existsSync(path.join(ROOT, file))) ||
      [...reason.matchAll(/\bthe job (\w+)/g)].some(([, job]) => jobs.includes(`\n  ${job}:\n`)) ||
      NOT_TRIED.some((thing) => reason.startsWith(`needs ${thing}`));
    expect(reasons.filter((reason) => !isKnown(reason))).toEqual([]);
  });
});

/** Things that no machine of the tests has, as the comments before blocks name them. */
const NOT_TRIED = ['Docker', 'a Kubernetes cluster', 'a real platform', 'the internet', 'a second installation'];
const FOLDERS = /^(src|(console|sandbox|local)\/src|docs|ops|test|bench|scripts|examples|migrations|deploy|clients)\//;
/** Processes and commands of the built program. */
const NAMES = [
  ...['api', 'worker', 'migrate', 'keys create', 'secrets reseal', 'restore replay', 'connections import'],
  ...['subject export', 'erase platform-users', 'try-provider'],
  ...Object.keys(COMMANDS),
  ...Object.keys(LOCAL_COMMANDS),
];
const SCHEMAS = [callersSchema, adminSchema].map((text) => buildSchema(text));
