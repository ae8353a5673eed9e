// Reads what the directives of admin.graphql declare of its operations and their arguments, and renders it.
import { buildSchema, getDirectiveValues, Kind, parse, print } from 'graphql';

const KINDS = { Query: 'query', Mutation: 'mutation' };

/**
 * Lists the operations in the order of the schema.
 * @throws Error if one has no entry, if a query names another effect than READ or READ_PERSON, if a mutation names none, or if one with
 * @sets cannot store an argument.
 */
export function listOperations(text) {
  const read = createReader(text);
  const { definitions } = /** @type {any} */ (parse(text));
  const named = new Map(definitions.flatMap((one) => (one.name === undefined ? [] : [[one.name.value, one]])));
  return definitions
    .filter(({ kind, name }) => kind === Kind.OBJECT_TYPE_DEFINITION && name.value in KINDS)
    .flatMap((root) =>
      root.fields.map((field) => {
        const name = field.name.value;
        const declared = read('operation', field);
        if (declared === undefined) throw new Error(`${name} in admin.graphql needs @operation.`);
        const kind = KINDS[root.name.value];
        if ((kind === 'query') !== /^READ/.test(String(declared.effect)))
          throw new Error(
            `${name} in admin.graphql: a query has the effect READ or READ_PERSON, a mutation another one.`,
          );
        const leaves = listLeaves(field.arguments, named);
        const namesOf = (wanted) => leaves.filter(({ type }) => wanted(type)).map((leaf) => leaf.name);
        const ids = namesOf((type) => type === 'ID');
        const codes = namesOf((type) => named.get(type)?.kind === Kind.ENUM_TYPE_DEFINITION);
        const args = Object.fromEntries(field.arguments.map((arg) => [arg.name.value, print(arg.type)]));
        const isRepeatable = read('repeatable', field) !== undefined;
        const sets = read('sets', field) && typeOf(field.type);
        if (sets) requireSettings(field, named.get(sets), read);
        const command = read('command', field)?.name;
        if (command === undefined) throw new Error(`${name} in admin.graphql needs @command.`);
        const described = {
          command,
          summary: summarize(field.description.value),
          returns: typeOf(field.type),
          cleared: field.arguments.filter((arg) => read('keeps', arg)?.clears).map((arg) => arg.name.value),
        };
        return {
          name,
          kind,
          ...declared,
          ...described,
          isRepeatable,
          sets,
          ids,
          codes,
          args,
          description: field.description,
        };
      }),
    );
}

/** Each argument of a mutation with @sets beside the id is a setting of its answer, and null only if the setting may be. */
function requireSettings({ name, arguments: args }, { fields }, read) {
  const settings = new Map(fields.filter((one) => read('setting', one)).map((one) => [one.name.value, one.type]));
  for (const arg of args.filter((one) => one.name.value !== 'id')) {
    const type = settings.get(arg.name.value);
    const mayBeNull = arg.type.kind !== Kind.NON_NULL_TYPE && read('keeps', arg)?.clears !== false;
    if (type === undefined || typeOf(type) !== typeOf(arg.type) || (mayBeNull && type.kind === Kind.NON_NULL_TYPE))
      throw new Error(
        `${name.value} in admin.graphql cannot store ${arg.name.value}: it needs a @setting of this type.`,
      );
  }
}

/** The beginning of a description, for a line of help. */
const summarize = (description) =>
  description
    .replaceAll(/\s+/g, ' ')
    .replaceAll('`', '')
    .split(/[.:;](?= |$)/)[0];

/** Reads a directive of a field or argument; undefined without it. */
function createReader(text) {
  const schema = buildSchema(text);
  return (directive, node) => getDirectiveValues(schema.getDirective(directive), node);
}

/** Every argument of an operation and every field of an input, with its owner's name. */
function listArguments({ definitions }) {
  const inputs = definitions.filter(({ kind }) => kind === Kind.INPUT_OBJECT_TYPE_DEFINITION);
  const roots = definitions.filter(({ kind, name }) => kind === Kind.OBJECT_TYPE_DEFINITION && name.value in KINDS);
  return [
    ...inputs.flatMap(({ name, fields }) => fields.map((node) => ({ owner: name.value, node }))),
    ...roots.flatMap(({ fields }) =>
      fields.flatMap(({ name, arguments: args }) => args.map((node) => ({ owner: name.value, node }))),
    ),
  ];
}

/** The bounds that the arguments and fields of inputs declare. */
function listBounds(text) {
  const read = createReader(text);
  return listArguments(/** @type {any} */ (parse(text))).flatMap(({ owner, node }) => {
    const [range, length] = [read('range', node), read('length', node)];
    if (range === undefined && length === undefined) return [];
    return [{ key: `${owner}.${node.name.value}`, node, range, length }];
  });
}

const inWords = (number) => number.toLocaleString('en');

function describeBounds({ range, length }) {
  if (range !== undefined) return `${inWords(range.min)} to ${inWords(range.max)}.`;
  const words = `1 to ${inWords(length.max)} characters`;
  return length.oneLine ? `${words} in one line; the service trims spaces around it.` : `${words}.`;
}

/** Lists arguments, and the fields of inputs in their place. */
const listLeaves = (args, named) =>
  args.flatMap((arg) => {
    const type = typeOf(arg.type);
    const definition = named.get(type);
    if (definition?.kind === Kind.INPUT_OBJECT_TYPE_DEFINITION) return listLeaves(definition.fields, named);
    return [{ name: arg.name.value, type }];
  });

const typeOf = (type) => (type.kind === Kind.NAMED_TYPE ? type.name.value : typeOf(type.type));

/** Begins the description of each operation with its role and effect, and ends that of an argument with its bounds. */
export function describeOperations(text) {
  const beginnings = listOperations(text).map(({ role, effect, description }) => {
    const words = ['READ', 'READ_PERSON', 'CHANGE'].includes(effect) ? role : `${role}, ${effect}`;
    const [opening] = /^"(""\n\s*)?/.exec(text.slice(description.loc.start, description.loc.end));
    return { at: description.loc.start + opening.length, words: `${words}. ` };
  });
  const endings = listBounds(text).map(({ node: { description }, ...bounds }) => {
    const at = description.loc.end - (description.block ? 3 : 1);
    return { at, words: ` ${describeBounds(bounds)}` };
  });
  const insertions = [...beginnings, ...endings].sort((one, other) => one.at - other.at);
  return insertions.reduceRight((whole, { at, words }) => whole.slice(0, at) + words + whole.slice(at), text);
}

const asCode = (value) => JSON.stringify(value);

/** Renders the operations, inputs and enums as constants. */
export function renderOperations(text) {
  const { definitions } = /** @type {any} */ (parse(text));
  const ofKind = (kind) => definitions.filter((one) => one.kind === kind);
  const inputs = ofKind(Kind.INPUT_OBJECT_TYPE_DEFINITION).map(({ name, fields }) => {
    const types = Object.fromEntries(fields.map((field) => [field.name.value, print(field.type)]));
    return `  ${name.value}: ${asCode(types)},`;
  });
  const enums = ofKind(Kind.ENUM_TYPE_DEFINITION).map(
    ({ name, values }) => `  ${name.value}: ${asCode(values.map((value) => value.name.value))},`,
  );
  return [
    '// Generated from admin.graphql by `npm run codegen`; do not edit.',
    '/**',
    ' * What the directive @operation declares of each operation, the types of its arguments, and which of them are ids and',
    ' * closed codes.',
    ' */',
    'export const OPERATIONS = {',
    ...listOperations(text).map(({ name, description: _, sets: __, ...declared }) => `  ${name}: ${asCode(declared)},`),
    '} as const;',
    '',
    '/** The mutations with @sets, with the type whose settings they change. */',
    'export const SETTERS = {',
    ...listOperations(text).flatMap(({ name, sets }) => (sets ? [`  ${name}: ${asCode(sets)},`] : [])),
    '} as const;',
    '',
    '/** The types of the fields of each input. */',
    'export const INPUTS: Readonly<Record<string, Readonly<Record<string, string>>>> = {',
    ...inputs,
    '};',
    '',
    '/** The values of each enum. */',
    'export const ENUMS: Readonly<Record<string, readonly string[]>> = {',
    ...enums,
    '};',
    '',
    '/** The fields with @setting of each type, as a selection. */',
    'export const SETTING_FIELDS = {',
    ...listSettings(text).map(
      ({ type, fields }) => `  ${type}: ${asCode(fields.map(({ name }) => name.value).join(' '))},`,
    ),
    '} as const;',
    '',
  ].join('\n');
}

/** The fields with @setting of each type that has one. */
function listSettings(text) {
  const read = createReader(text);
  const { definitions } = /** @type {any} */ (parse(text));
  return definitions
    .filter(({ kind }) => kind === Kind.OBJECT_TYPE_DEFINITION)
    .map(({ name, fields }) => ({ type: name.value, fields: fields.filter((field) => read('setting', field)) }))
    .filter(({ fields }) => fields.length > 0);
}

const COLUMN_TYPES = { String: 'z.string()', Int: 'z.number()', Boolean: 'z.boolean()', DateTime: 'z.date()' };

/** Renders the columns of the settings as the store reads them. @throws Error if the type of one is not among `COLUMN_TYPES`. */
export function renderSettings(text) {
  const columnOf = ({ name, type }) => {
    const column = COLUMN_TYPES[typeOf(type)];
    const isList = print(type).startsWith('[');
    if (column === undefined || isList) throw new Error(`${name.value} in admin.graphql cannot be a @setting.`);
    return `${name.value}: ${column}${type.kind === Kind.NON_NULL_TYPE ? '' : '.nullable()'}`;
  };
  return [
    '// Generated from admin.graphql by `npm run codegen`; do not edit.',
    "import { z } from 'zod';",
    '',
    '/** The fields with @setting of each type: columns of its row. */',
    'export const SETTINGS = {',
    ...listSettings(text).map(({ type, fields }) => `  ${type}: z.object({ ${fields.map(columnOf).join(', ')} }),`),
    '};',
    '',
  ].join('\n');
}

const SCALARS = { String: 'string', Int: 'int', Boolean: 'boolean', DateTime: 'date' };

/** Renders the schema of every operation's arguments, made of the parts of src/api/admin/arguments.ts. */
export function renderArguments(text) {
  const { definitions } = /** @type {any} */ (parse(text));
  const read = createReader(text);
  const ofKind = (kind) => definitions.filter((one) => one.kind === kind);
  const inputs = ofKind(Kind.INPUT_OBJECT_TYPE_DEFINITION);
  const isInput = (name) => inputs.some((one) => one.name.value === name);
  const enums = new Set();

  function baseOf(name, type) {
    if (type.kind === Kind.NON_NULL_TYPE) return baseOf(name, type.type);
    if (type.kind === Kind.LIST_TYPE) return `part.list(${baseOf(name, type.type)})`;
    const named = type.name.value;
    if (isInput(named)) return named;
    if (named === 'ID') return `part.id('${name}')`;
    if (named in SCALARS) return `part.${SCALARS[named]}`;
    enums.add(named);
    return `part.code<${named}>()`;
  }
  function ruleOf(node) {
    const [range, length] = [read('range', node), read('length', node)];
    if (range !== undefined) return `part.between(${range.min}, ${range.max})`;
    if (length !== undefined) return `part.${length.oneLine ? 'lineOf' : 'textOf'}(${length.max})`;
    return baseOf(node.name.value, node.type);
  }
  function render(owner, node) {
    const {
      name: { value: name },
      type,
      defaultValue,
    } = node;
    const base = ruleOf(node);
    const key = `'${owner}.${name}'`;
    if (defaultValue !== undefined) {
      const value = defaultValue.kind === Kind.ENUM ? `'${defaultValue.value}' as const` : defaultValue.value;
      return `${name}: part.withDefault(${key}, ${base}, ${value})`;
    }
    if (type.kind === Kind.NON_NULL_TYPE) return `${name}: part.required(${key}, ${base})`;
    const keeps = read('keeps', node);
    if (keeps !== undefined) return `${name}: part.${keeps.clears ? 'keptOrCleared' : 'kept'}(${key}, ${base})`;
    return isInput(type.name?.value) ? `${name}: part.filter(${base})` : `${name}: part.optional(${key}, ${base})`;
  }
  const shapeOf = (owner, fields) => `{ ${fields.map((field) => render(owner, field)).join(', ')} }`;
  const schemas = inputs.map(
    ({ name: { value: name }, fields }) => `const ${name} = part.input('${name}', ${shapeOf(name, fields)});`,
  );
  const operations = ofKind(Kind.OBJECT_TYPE_DEFINITION)
    .filter(({ name }) => name.value in KINDS)
    .flatMap(({ fields }) => fields)
    .map(({ name: { value: name }, arguments: args }) => `  ${name}: z.object(${shapeOf(name, args)}),`);
  return [
    '// Generated from admin.graphql by `npm run codegen`; do not edit.',
    "import { z } from 'zod';",
    "import * as part from '../api/admin/arguments.ts';",
    `import type { ${[...enums].sort().join(', ')} } from './admin-schema.ts';`,
    '',
    ...schemas,
    '',
    "/** Every operation's arguments, checked and completed. */",
    'export const ARGUMENTS = {',
    ...operations,
    '};',
    '',
  ].join('\n');
}

const HEAD = `# Operations of the admin API

**Use this page** to see which role an operation of the admin API needs, and when a session needs a fresh sign-in for it. It is
generated from \`admin.graphql\`, which says what each operation does.

An operation's strongest effect decides ([D-265](decisions.md)). A sign-in is fresh for five minutes. A token in the request's own
header is always fresh, also from the command line; a dry run needs no fresh sign-in.
`;

/** Renders the page of the docs: the operations by effect and role. */
export function renderPage(text) {
  const operations = listOperations(text);
  const effects = /** @type {any} */ (buildSchema(text).getType('OperationEffect')).getValues();
  return [
    HEAD,
    '| Effect | Meaning | Operations |',
    '|---|---|---|',
    ...effects.map(({ name, description }) => {
      const own = operations.filter(({ effect }) => effect === name);
      const roles = [...new Set(own.map(({ role }) => role))].map((role) => {
        const names = own.filter((one) => one.role === role).map((one) => `\`${one.name}\``);
        return `**${role}:** ${names.join(', ')}`;
      });
      return `| \`${name}\` | ${description.replaceAll(/\s+/g, ' ')} | ${roles.join('<br>')} |`;
    }),
    '',
  ].join('\n');
}

/** Renders what forms and texts of the console know: the bounds of fields, and what each operation needs. */
export function renderConsole(text) {
  const operations = listOperations(text);
  const bounds = listBounds(text).map(({ key, range, length }) =>
    range === undefined
      ? `  '${key}': { max: ${length.max} },`
      : `  '${key}': { min: ${range.min}, max: ${range.max} },`,
  );
  return [
    '/** The least role that each operation takes. */',
    `export const LEAST_ROLES = {\n${operations.map(({ name, role }) => `  ${name}: '${role}',`).join('\n')}\n} as const;`,
    '',
    '/** The mutations that do nothing twice. */',
    `export const REPEATABLE: readonly string[] = ${asCode(operations.filter((one) => one.isRepeatable).map(({ name }) => name))};`,
    '',
    '/** The bounds of numbers, and the most characters of texts. */',
    `export const BOUNDS = {\n${bounds.join('\n')}\n} as const;`,
    '',
  ].join('\n');
}
