// Renders docs/callers-reference.md from schema.graphql, and the operations and types in examples/typescript/accounts.ts.
import {
  buildSchema,
  isEnumType,
  isInputObjectType,
  isListType,
  isNonNullType,
  isScalarType,
  isSpecifiedScalarType,
} from 'graphql';
import { select } from './select-all.mjs';

const WIDTH = 112;
const SCALARS = { String: 'string', ID: 'string', Int: 'number', Boolean: 'boolean' };

/** A type's name in TypeScript, without its null; no list of the schema holds nulls. */
function nameOf(type) {
  if (isNonNullType(type)) return nameOf(type.ofType);
  if (isListType(type)) return `${nameOf(type.ofType)}[]`;
  return SCALARS[type.name] ?? type.name;
}
const resultOf = (type) => (isNonNullType(type) ? nameOf(type) : `${nameOf(type)} | null`);
const isOptional = ({ type, defaultValue }) => !isNonNullType(type) || defaultValue !== undefined;

function wrap(words, indent) {
  const lines = [];
  for (const word of words) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + 1 + word.length <= WIDTH - indent)
      lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(word);
  }
  return lines.map((line) => ' '.repeat(indent) + line).join('\n');
}

function renderFunction(kind, field) {
  const { name, args, type } = field;
  const members = args.map(
    (arg) => `${arg.name}${isOptional(arg) ? '?' : ''}: ${nameOf(arg.type)}${isOptional(arg) ? ' | undefined' : ''}`,
  );
  const head = args.length === 0 ? '' : `variables: { ${members.join('; ')} }`;
  const declared = args.map((arg) => `$${arg.name}: ${arg.type}`).join(', ');
  const passed = args.map((arg) => `${arg.name}: $${arg.name}`).join(', ');
  const words = [
    ...`${kind}${declared && ` (${declared})`} {`.split(' '),
    ...`${name}${passed && `(${passed})`}`.split(' '),
    ...select(type),
    '}',
  ];
  const result = resultOf(type);
  return [
    `export async function ${name}(${head}): Promise<${result}> {`,
    `  const data = await accounts<{ ${name}: ${result} }>(`,
    `    \`\n${wrap(words, 6)}\`,`,
    ...(args.length === 0 ? [] : ['    variables,']),
    '  );',
    `  return data.${name};`,
    '}',
  ].join('\n');
}

/** The first sentence of a description. */
const firstSentence = (text) => /^[\s\S]*?\.(?=\s|$)/.exec(text)[0].replaceAll(/\s+/g, ' ');

function renderRow({ name, args, description }) {
  const [about, codes = ''] = description.split('\n\nCodes: ');
  const given = args.map((arg) => `\`${arg.name}${isOptional(arg) ? '?' : ''}\``).join(', ');
  const named = [...new Set(codes.match(/`[A-Z_]+`/g))].join(', ');
  return `| \`${name}\` | ${firstSentence(about)} | ${given} | ${named} |`;
}

function renderType(type) {
  if (isScalarType(type)) return `type ${type.name} = string;`;
  if (isEnumType(type)) {
    const values = type.getValues().map(({ name }) => `'${name}'`);
    const line = `type ${type.name} = ${values.join(' | ')};`;
    return line.length <= WIDTH ? line : `type ${type.name} =\n${values.map((value) => `  | ${value}`).join('\n')};`;
  }
  const lines = Object.values(type.getFields()).map((field) => {
    if (isNonNullType(field.type)) return `  ${field.name}: ${nameOf(field.type)};`;
    return isInputObjectType(type)
      ? `  ${field.name}?: ${nameOf(field.type)} | undefined;`
      : `  ${field.name}: ${nameOf(field.type)} | null;`;
  });
  return `interface ${type.name} {\n${lines.join('\n')}\n}`;
}

function readSchema(text) {
  const schema = buildSchema(text);
  const [queries, mutations] = [schema.getQueryType(), schema.getMutationType()];
  return {
    operations: [
      ...Object.values(queries.getFields()).map((field) => ({ kind: 'query', field })),
      ...Object.values(mutations.getFields()).map((field) => ({ kind: 'mutation', field })),
    ],
    types: Object.values(schema.getTypeMap()).filter(
      (type) => !type.name.startsWith('__') && !isSpecifiedScalarType(type) && type !== queries && type !== mutations,
    ),
  };
}

const BEGIN = '// Generated from schema.graphql by `npm run codegen`.\n';

/** @param file the module's text, whose generated part this replaces. @param text the schema */
export function renderModule(file, text) {
  const { operations, types } = readSchema(text);
  const parts = [
    ...operations.map(({ kind, field }) => renderFunction(kind, field)),
    ...types.map((type) => `export ${renderType(type)}`),
  ];
  return `${file.slice(0, file.indexOf(BEGIN))}${BEGIN}\n${parts.join('\n\n')}\n`;
}

/** @param text the schema */
export const renderReference = (text) => `# Reference for callers

**Use this page** to look up the arguments and codes of an operation. [schema.graphql](../schema.graphql) describes each argument, field and
type, and the cause of each code. [accounts.ts](../examples/typescript/accounts.ts) has a function and the types for each operation.
\`npm run codegen\` writes this page.

Every operation but \`status\` can also return the [codes of every request](callers.md#one-request).

## Operations

| Operation | Effect | Arguments | Codes |
|---|---|---|---|
${readSchema(text)
  .operations.map(({ field }) => renderRow(field))
  .join('\n')}
`;
