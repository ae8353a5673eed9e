// Renders docs/callers-reference.md from schema.graphql: every operation with its arguments and a function, and every type.
import {
  buildSchema,
  isEnumType,
  isInputObjectType,
  isListType,
  isNonNullType,
  isObjectType,
  isScalarType,
  isSpecifiedScalarType,
} from 'graphql';

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

/** Every field of a type, and of the types below it. */
function select(type) {
  if (isNonNullType(type) || isListType(type)) return select(type.ofType);
  if (!isObjectType(type)) return [];
  const fields = Object.values(type.getFields()).flatMap((field) => [field.name, ...select(field.type)]);
  return ['{', ...fields, '}'];
}

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

function renderOperation(kind, field) {
  const [about, codes = ''] = field.description.split('\n\nCodes: ');
  const named = [...new Set(codes.match(/`[A-Z_]+`/g))].join(', ');
  return [
    `### \`${field.name}\``,
    firstSentence(about),
    ...(named === '' ? [] : [`**Codes:** ${named}`]),
    `\`\`\`ts\n${renderFunction(kind, field)}\n\`\`\``,
  ].join('\n\n');
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

export function renderReference(text) {
  const schema = buildSchema(text);
  const roots = [
    { kind: 'query', root: schema.getQueryType() },
    { kind: 'mutation', root: schema.getMutationType() },
  ];
  const types = Object.values(schema.getTypeMap()).filter(
    (type) => !type.name.startsWith('__') && !isSpecifiedScalarType(type) && !roots.some(({ root }) => root === type),
  );
  return `# Reference for callers

**Use this page** to look up an operation, its codes, or a type. [schema.graphql](../schema.graphql) describes each argument and field, and
the cause of each code. The \`ts\` blocks of the [guide](callers.md) and of this page are one module, which the tests compile and run.
\`npm run codegen\` writes this page.

Every operation but \`status\` can also return the [codes of every request](callers.md#one-request).

## Operations

${roots.flatMap(({ kind, root }) => Object.values(root?.getFields() ?? {}).map((field) => renderOperation(kind, field))).join('\n\n')}

## Types

\`\`\`ts
${types.map((type) => `export ${renderType(type)}`).join('\n\n')}
\`\`\`
`;
}
