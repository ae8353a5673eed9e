// Writes src/generated/schema.ts: the types of the service's schema, one document for each operation with every field of its
// answer, and the interface of the client's operations. `npm run codegen` in the root of the repository runs it.
import path from 'node:path';
import { codegen } from '@graphql-codegen/core';
import * as typescript from '@graphql-codegen/typescript';
import { buildOperationNodeForField } from '@graphql-tools/utils';
import { buildSchema, getNamedType, isScalarType, parse, print } from 'graphql';

export const OUTPUT = path.join(import.meta.dirname, 'src', 'generated', 'schema.ts');

const config = {
  enumsAsTypes: true,
  useTypeImports: true,
  onlyOperationTypes: false,
  skipTypename: true,
  strictScalars: true,
  immutableTypes: true,
  scalars: { ID: 'string', DateTime: 'string', DecimalCount: 'string' },
  maybeValue: 'T | null',
  inputMaybeValue: 'T | null | undefined',
  avoidOptionals: { field: true },
};

const operationTypes = (schema) => [
  { kind: 'query', prefix: 'Query', type: schema.getQueryType() },
  { kind: 'mutation', prefix: 'Mutation', type: schema.getMutationType() },
];

const capitalized = (name) => name[0].toUpperCase() + name.slice(1);

/** The whole answer: nothing is nested deeper than the service allows. */
const documentOf = (schema, kind, field) =>
  print(buildOperationNodeForField({ schema, kind, field, depthLimit: 8, circularReferenceDepth: 0 }));

function signatureOf({ prefix }, { name, args, description }) {
  const comment = ['/**', ...description.split('\n').map((line) => ` * ${line}`.trimEnd()), ' */'].join('\n  ');
  const parameters = args.length === 0 ? '' : `args: ${prefix}${capitalized(name)}Args, `;
  return `  ${comment}\n  ${name}(${parameters}options?: CallOptions): Promise<${prefix}['${name}']>;`;
}

/** Every operation with its whole answer, for generators of other languages, from the schema's text. */
export function renderCallerOperations(schemaText) {
  const schema = buildSchema(schemaText);
  const documents = operationTypes(schema).flatMap(({ kind, type }) =>
    Object.keys(type.getFields()).map((name) => {
      const named = `${kind} ${capitalized(name)}`;
      return documentOf(schema, kind, name).replace(/^(query|mutation) \w+/, named);
    }),
  );
  return (
    ['# Generated from schema.graphql by `npm run codegen`; do not edit.', ...documents, ''].join('\n\n').trimEnd() +
    '\n'
  );
}

/** The generated module, from the schema's text. */
export async function generate(schemaText) {
  const types = await codegen({
    filename: OUTPUT,
    schema: parse(schemaText),
    documents: [],
    config,
    pluginMap: { typescript },
    plugins: [{ typescript: {} }],
  });
  const schema = buildSchema(schemaText);
  const operations = operationTypes(schema).flatMap((operation) =>
    Object.values(operation.type.getFields()).map((field) => ({ ...operation, field })),
  );
  const documents = operations.map(({ kind, field }) => {
    const takesNothing = field.args.length === 0;
    const isLeaf = isScalarType(getNamedType(field.type));
    if (isLeaf) throw new Error(`${field.name} answers a scalar: no document selects it.`);
    const document = JSON.stringify(documentOf(schema, kind, field.name).replace(/\s+/g, ' '));
    return `  ${field.name}: { kind: '${kind}', takesArguments: ${!takesNothing}, document: ${document} },`;
  });
  return [
    '// Generated from schema.graphql by `npm run codegen`; do not edit.',
    "import type { CallOptions } from '../call-options.js';",
    '',
    types.trim(),
    '',
    '/** Every operation of the service. Each method throws `ServiceError`. */',
    'export interface Operations {',
    operations.map(({ field, ...operation }) => signatureOf(operation, field)).join('\n\n'),
    '}',
    '',
    'export const OPERATIONS = {',
    ...documents,
    '} as const;',
    '',
  ].join('\n');
}
