import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { buildSchema, parse, validate } from 'graphql';
import { describe, expect, test } from 'vitest';
import { adminSchema, callersSchema } from '../../src/api/graphql/schema-texts.ts';
import { COMMANDS } from '../../src/cli/commands/index.ts';
import { findCommand } from '../../src/cli/front.ts';
import { LOCAL_COMMANDS } from '../../src/cli/local-commands.ts';
import { LONG_TESTS } from '../kit/long-tests.ts';
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

  test('names npm scripts that exist', () => {
    const scripts = [...read(page).matchAll(/\bnpm run ([\w:-]+)/g)].map(([, name = '']) => name);
    expect(scripts.filter((name) => !(name in PACKAGE.scripts))).toEqual([]);
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

  test('names services of docker-compose.yml and parts of the chart', () => {
    const services = [
      ...read(page).matchAll(
        /docker compose (?:exec|stop|up --detach|run(?: --[\w-]+)*?(?: --entrypoint \w+)?) ([a-z][\w-]*)/g,
      ),
    ].map(([, name = '']) => name);
    const parts = [...read(page).matchAll(/\b(?:deploy|cronjob|job|service)\/accounts-social-accounts-([a-z]+)/g)].map(
      ([, name = '']) => name,
    );
    expect(services.filter((name) => !COMPOSE.includes(`\n  ${name}:\n`))).toEqual([]);
    expect(
      parts.filter((name) => !CHART.includes(`social-accounts-${name}`) && !CHART.includes(`%s-${name}"`)),
    ).toEqual([]);
  });

  test('names variables, fields and codes that the sources know', () => {
    const names = quotedIn(page).filter((quoted) =>
      /^([a-z]+[A-Z]\w*|[A-Z][A-Z0-9]*_[A-Z0-9_]+|[a-z]+_[a-z_]+)$/.test(quoted),
    );
    const own = new Set(
      read(page)
        .match(/^```[\s\S]*?^```/gm)
        ?.join()
        .match(/[A-Za-z_]\w*/g),
    );
    const isKnown = (name: string) =>
      WORDS.has(name) || WORDS.has(name.replace(/_FILE$/, '')) || own.has(name) || OTHERS.test(name);
    expect(names.filter((name) => !isKnown(name))).toEqual([]);
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

test('docs/not-tried.md lists the commands that the tests cannot run', () => {
  const rows =
    read('docs/not-tried.md')
      .match(/^\| .*/gm)
      ?.join('\n') ?? '';
  expect(NOT_TRIED.filter((thing) => !rows.toLowerCase().includes(thing.replace(/^an? /, '').toLowerCase()))).toEqual(
    [],
  );
});

test('every long test has a file', () => {
  expect(LONG_TESTS.length).toBeGreaterThan(20);
  expect(LONG_TESTS.filter((file) => !existsSync(path.join(ROOT, file)))).toEqual([]);
});

test('decisions that sources, tests and pages cite exist', () => {
  const ids = [...read('docs/decisions.md').matchAll(/^### (D-\d{3}): /gm)].map(([, id]) => id);
  const own = new Set(ids);
  expect(ids).toHaveLength(own.size); // Each id once.
  const files = [
    ...PAGES,
    ...[
      'src',
      'console/src',
      'sandbox',
      'local',
      'ops',
      'scripts',
      'migrations',
      'bench',
      'clients',
      'deploy',
      'test',
    ].flatMap((folder) => list(folder, /\.(tsx?|mjs|sql|graphql|ya?ml|sh)$/)),
  ];
  const unknown = files.flatMap((file) =>
    [...read(file).matchAll(/\bD-\d{3}\b/g)].flatMap(([id]) => (own.has(id) ? [] : [`${file}: ${id}`])),
  );
  expect(own.size).toBeGreaterThan(50);
  expect(unknown).toEqual([]);
});

/** Things that no machine of the tests has, as the comments before blocks name them. */
const NOT_TRIED = ['Docker', 'a Kubernetes cluster', 'a real platform', 'the internet', 'a second installation'];
/** External names: of Temporal, OpenTelemetry, Node, Kubernetes, Postgres, a linter, and an invented provider. */
const OTHERS =
  /^(TEMPORAL|OTEL)_|^terminationGracePeriodSeconds$|^pg_|^no(Floating|Misused)Promises$|^PROVIDER_D_|^NODE_EXTRA_CA_CERTS$|^https?_proxy$|^HTTPS?_PROXY$|^auth_time$|^(superuser_reserved|max)_connections$/;
const FOLDERS = /^(src|(console|sandbox|local)\/src|docs|ops|test|bench|scripts|examples|migrations|deploy|clients)\//;
const COMPOSE = read('docker-compose.yml');
/** The templates name a resource `{{ fullname }}-part`. */
const CHART = list('deploy/helm/social-accounts/templates', /\.yaml$/)
  .map(read)
  .join('')
  .replaceAll(/\{\{ include "social-accounts\.fullname" \S+ \}\}/g, 'social-accounts');
const PACKAGE = JSON.parse(read('package.json')) as { scripts: Record<string, string> };
/** Processes and commands of the built program. */
const NAMES = [
  ...['api', 'worker', 'migrate', 'keys create', 'secrets reseal', 'restore replay', 'connections import'],
  ...['subject export', 'erase platform-users', 'try-provider'],
  ...Object.keys(COMMANDS),
  ...Object.keys(LOCAL_COMMANDS),
];
const SCHEMAS = [callersSchema, adminSchema].map((text) => buildSchema(text));
/** Every word of the sources, of the contract tests that act as platforms and callers, and of the platforms' error answers. */
const WORDS = new Set(
  [
    ...[
      'src',
      'console',
      'sandbox',
      'local',
      'ops',
      'scripts',
      'migrations',
      'examples',
      'bench',
      'clients',
      'deploy',
      'test/contract',
      'test/providers/error-bodies',
    ].flatMap((folder) => list(folder, /\.(tsx?|mjs|sql|graphql|ya?ml|json|sh)$/)),
    ...['schema.graphql', 'admin.graphql', 'docker-compose.yml', 'Dockerfile', 'package.json', 'vitest.config.ts'],
    ...['test/kit/chromium.ts', 'test/kit/prometheus.ts'],
  ].flatMap((file) => read(file).match(/[A-Za-z_]\w*/g) ?? []),
);
