// Generates code for the service, the console and the client package from the schemas, and the copies that git keeps.
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { codegen } from '@graphql-codegen/core';
import * as typedDocuments from '@graphql-codegen/typed-document-node';
import * as typescript from '@graphql-codegen/typescript';
import * as operations from '@graphql-codegen/typescript-operations';
import * as resolvers from '@graphql-codegen/typescript-resolvers';
import { Kind, parse, stripIgnoredCharacters } from 'graphql';
import { runnerImport } from 'vite';
import {
  OUTPUT as CLIENT_OUTPUT,
  generate as generateClient,
  renderCallerOperations,
} from '../clients/typescript/codegen.mjs';
import {
  OUTPUT as EVENTS_OUTPUT,
  SCHEMA as EVENTS_SCHEMA,
  generateEvents,
} from '../clients/typescript/generate-events.mjs';
import {
  describeOperations,
  renderArguments,
  renderConsole,
  renderOperations,
  renderPage,
  renderSettings,
} from './admin-operations.mjs';
import { renderArchitecture } from './architecture-page.mjs';
import { renderModule, renderReference } from './callers-reference.mjs';
import { deriveOperations } from './console-operations.mjs';
import { renderData } from './data-page.mjs';
import { describeCodes, tabulateCodes } from './failure-codes.mjs';

const root = path.join(import.meta.dirname, '..');

/** A schema: its file, the output for its types, and the context of its resolvers. */
const CALLERS = {
  schema: 'schema.graphql',
  output: 'src/generated/schema.ts',
  text: 'src/generated/schema.graphql',
  contextType: '../api/context.ts#Context',
  fieldContextTypes: ['Query.status#../api/context.ts#PublicContext'],
};
const ADMIN = {
  schema: 'admin.graphql',
  shares: CALLERS.schema,
  output: 'src/generated/admin-schema.ts',
  text: 'src/generated/admin.graphql',
  contextType: '../api/admin/context.ts#AdminContext',
  describe: describeOperations,
};
const OPERATIONS_OUTPUT = 'src/generated/admin-operations.ts';
const ARGUMENTS_OUTPUT = 'src/generated/admin-arguments.ts';
const SETTINGS_OUTPUT = 'src/generated/settings.ts';
const CONSOLE_OUTPUT = 'console/src/generated/operations.ts';

const read = (name) => readFile(path.join(root, name), 'utf8');

const importSource = async (...parts) =>
  (await runnerImport(path.join(root, ...parts), { root, configFile: false })).module;

const renderDataPage = async () =>
  renderData({
    retentions: (await importSource('src', 'store', 'retention.ts')).RETENTIONS,
    facts: (await importSource('src', 'providers', 'catalog.ts')).createCatalog({}),
    formatProvider: (await importSource('src', 'basics', 'format-provider.ts')).formatProvider,
    roles: await read('ops/postgres/roles.sql'),
  });

/** A schema's text, including the scalars and enums that it shares with another schema. */
async function textOf({ schema, shares }) {
  const own = await read(schema);
  if (shares === undefined) return own;
  const theirs = await read(shares);
  const shared = parse(theirs).definitions.filter(({ kind }) =>
    [Kind.SCALAR_TYPE_DEFINITION, Kind.ENUM_TYPE_DEFINITION].includes(kind),
  );
  return [own, ...shared.map(({ loc }) => `\n${theirs.slice(loc.start, loc.end)}\n`)].join('');
}

const common = {
  enumsAsTypes: true,
  useTypeImports: true,
  skipTypename: true,
  strictScalars: true,
  scalars: { ID: 'string', DateTime: { input: 'Date', output: 'Date | string' }, DecimalCount: 'string' },
  maybeValue: 'T | null',
  inputMaybeValue: 'T | null | undefined',
  // Every field and every resolver is required, so that a missing one does not compile.
  avoidOptionals: { field: true, object: true, query: true, mutation: true },
};

/** The types of a schema, and its text with the scalars and enums that it shares with another one. */
async function generateSchema({
  schema,
  shares = undefined,
  output,
  text: textOutput,
  describe = (text) => text,
  ...contexts
}) {
  const text = describe(await textOf({ schema, shares }));
  const types = await codegen({
    filename: output,
    schema: parse(text),
    documents: [],
    config: { ...common, ...contexts },
    pluginMap: { typescript, resolvers },
    plugins: [{ typescript: {} }, { resolvers: {} }],
  });
  const head = `// Generated from ${schema} by \`npm run codegen\`; do not edit.`;
  return { [output]: `${head}\n${types.trim()}\n`, [textOutput]: text };
}

/** Generates the console's operations with their types, and what admin.graphql declares of them. */
async function generateConsole() {
  const folder = path.join(root, 'console', 'src', 'operations');
  const names = (await readdir(folder)).filter((name) => name.endsWith('.graphql')).sort();
  const written = await Promise.all(
    names.map(async (name) => ({ location: name, document: parse(await readFile(path.join(folder, name), 'utf8')) })),
  );
  const [text, codes] = await Promise.all([textOf(ADMIN), importCodes()]);
  const derived = deriveOperations(
    text,
    written.map(({ document }) => document),
  );
  const types = await codegen({
    filename: CONSOLE_OUTPUT,
    schema: parse(text),
    documents: [...written, { location: 'admin.graphql', document: derived }],
    config: {
      documentMode: 'string',
      pureMagicComment: true,
      enumType: 'string-literal',
      useTypeImports: true,
      skipTypename: true,
      strictScalars: true,
      immutableTypes: true,
      scalars: { ID: 'string', DateTime: 'string', DecimalCount: 'string' },
    },
    pluginMap: { operations, typedDocuments },
    plugins: [{ operations: {} }, { typedDocuments: {} }],
  });
  return [
    '// Generated from admin.graphql and operations/*.graphql by `npm run codegen`; do not edit.',
    // The documents are part of the first download: without the spaces that GraphQL ignores, it is smaller.
    types.trim().replace(/(?<=TypedDocumentString\(`)[^`]+(?=`)/g, stripIgnoredCharacters),
    '',
    renderConsole(text),
    // Without the words of each code, which are two kilobytes of the console's first download.
    ...['JOB_ERROR_CODES', 'RESULT_CODES'].map(
      (name) => `export const ${name} = ${JSON.stringify(codes[name])} as const;`,
    ),
  ].join('\n');
}
/** Everything that the build and an editor need, and git ignores: the content of each file by its path. */
export const generateCode = async () => ({
  ...(await generateSchema(CALLERS)),
  ...(await generateSchema(ADMIN)),
  [OPERATIONS_OUTPUT]: renderOperations(await textOf(ADMIN)),
  [ARGUMENTS_OUTPUT]: renderArguments(await textOf(ADMIN)),
  [SETTINGS_OUTPUT]: renderSettings(await textOf(ADMIN)),
  [CONSOLE_OUTPUT]: await generateConsole(),
  // The client package: every operation of the schema, and every webhook event.
  [path.relative(root, CLIENT_OUTPUT)]: await generateClient(await read(CALLERS.schema)),
  [path.relative(root, EVENTS_OUTPUT)]: generateEvents(await read(path.relative(root, EVENTS_SCHEMA))),
});

async function readMigrations() {
  const names = (await readdir(path.join(root, 'migrations'))).filter((name) => name.endsWith('.sql')).sort();
  return await Promise.all(names.map((name) => read(`migrations/${name}`)));
}

async function readSources() {
  const names = (await readdir(path.join(root, 'src'), { recursive: true })).filter((name) => name.endsWith('.ts'));
  const files = names.map((name) => path.posix.join('src', ...name.split(path.sep))).sort();
  return Object.fromEntries(await Promise.all(files.map(async (file) => [file, await read(file)])));
}

const importCodes = () => importSource('src', 'basics', 'failure-codes.ts');

/** What people read in the repository, and the chart, which reads no file outside its folder. */
export const generateCopies = async () => ({
  'docs/admin-operations.md': renderPage(await textOf(ADMIN)),
  'clients/graphql/operations.graphql': renderCallerOperations(await read('schema.graphql')),
  'docs/callers-reference.md': renderReference(await read(CALLERS.schema)),
  'schema.graphql': describeCodes(await read('schema.graphql'), await importCodes()),
  'docs/callers-codes.md': tabulateCodes(await read('docs/callers-codes.md'), await importCodes()),
  'examples/typescript/accounts.ts': renderModule(
    await read('examples/typescript/accounts.ts'),
    await read(CALLERS.schema),
  ),
  'docs/data.md': await renderDataPage(),
  'docs/architecture.md': renderArchitecture(
    await read('docs/architecture.md'),
    await readMigrations(),
    await readSources(),
  ),
  'deploy/helm/social-accounts/alerts.yml': await read('ops/prometheus/alerts.yml'),
});
