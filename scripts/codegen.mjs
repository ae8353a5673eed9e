// Writes src/generated from the schemas. `--check` writes nothing and fails if something is out of date.
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { codegen } from '@graphql-codegen/core';
import * as typescript from '@graphql-codegen/typescript';
import * as resolvers from '@graphql-codegen/typescript-resolvers';
import { parse } from 'graphql';

const root = path.join(import.meta.dirname, '..');

/** One entry a schema: where it is, where its types go, and what its resolvers are given. */
const SCHEMAS = [
  {
    schema: 'schema.graphql',
    output: 'src/generated/schema.ts',
    contextType: '../api/context.ts#Context',
    fieldContextTypes: ['Query.status#../api/context.ts#PublicContext'],
  },
];

const common = {
  enumsAsTypes: true,
  useTypeImports: true,
  skipTypename: true,
  strictScalars: true,
  scalars: { ID: 'string', DateTime: 'Date', DecimalCount: 'string' },
  maybeValue: 'T | null',
  inputMaybeValue: 'T | null | undefined',
  // A type lists every field and Query and Mutation every resolver, so that a forgotten one does not compile.
  avoidOptionals: { field: true, object: true, query: true, mutation: true },
};

const check = process.argv.includes('--check');
const stale = [];
for (const { schema, output, ...contexts } of SCHEMAS) {
  const text = await readFile(path.join(root, schema), 'utf8');
  const types = await codegen({
    filename: output,
    schema: parse(text),
    documents: [],
    config: { ...common, ...contexts },
    pluginMap: { typescript, resolvers },
    plugins: [{ typescript: {} }, { resolvers: {} }],
  });
  const source = [
    `// Generated from ${schema} by \`npm run codegen\`; do not edit.`,
    types.trim(),
    `/** ${schema}, word for word. */`,
    `export const schemaText = ${JSON.stringify(text.split('\n'), null, 2)}.join('\\n');`,
    '',
  ].join('\n');
  const file = path.join(root, output);
  if (check) {
    if ((await readFile(file, 'utf8').catch(() => '')) !== source) stale.push(output);
  } else {
    await mkdir(path.dirname(file), { recursive: true });
    await writeFile(file, source);
  }
}
if (stale.length > 0) {
  console.error(`Out of date: ${stale.join(', ')}. Run \`npm run codegen\`.`);
  process.exitCode = 1;
}
