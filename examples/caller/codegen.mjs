// Writes src/generated/service.ts from src/operations.graphql and the service's schema: `npm run codegen -- schema.graphql`.
// The service serves its schema at /schema.graphql.
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { codegen } from '@graphql-codegen/core';
import * as typedDocuments from '@graphql-codegen/typed-document-node';
import * as operations from '@graphql-codegen/typescript-operations';
import { parse } from 'graphql';

const OPERATIONS = path.join(import.meta.dirname, 'src', 'operations.graphql');
export const OUTPUT = path.join(import.meta.dirname, 'src', 'generated', 'service.ts');

const config = {
  documentMode: 'string',
  enumType: 'string-literal',
  useTypeImports: true,
  skipTypename: true,
  strictScalars: true,
  immutableTypes: true,
  scalars: { ID: 'string', DateTime: 'string', DecimalCount: 'string' },
};

/** The types and texts of this application's operations, checked against `schemaText`. */
export async function generate(schemaText) {
  const types = await codegen({
    filename: OUTPUT,
    schema: parse(schemaText),
    documents: [{ location: OPERATIONS, document: parse(await readFile(OPERATIONS, 'utf8')) }],
    config,
    pluginMap: { operations, typedDocuments },
    plugins: [{ operations: {} }, { typedDocuments: {} }],
  });
  return `// Generated from operations.graphql by \`npm run codegen\`; do not edit.\n${types.trim()}\n`;
}

if (import.meta.filename === process.argv[1]) {
  const [schemaFile] = process.argv.slice(2);
  if (schemaFile === undefined) throw new Error('Say which schema: npm run codegen -- schema.graphql');
  await writeFile(OUTPUT, await generate(await readFile(schemaFile, 'utf8')));
}
