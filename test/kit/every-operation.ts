import { randomUUID } from 'node:crypto';
import {
  buildSchema,
  type GraphQLArgument,
  type GraphQLField,
  type GraphQLInputType,
  type GraphQLNamedType,
  getDirectiveValues,
  getNamedType,
  type InputValueDefinitionNode,
  isEnumType,
  isInputObjectType,
  isLeafType,
  isObjectType,
  isRequiredArgument,
  isRequiredInputField,
} from 'graphql';
import type { Maybe } from 'graphql/jsutils/Maybe.js';
import { adminSchema } from '../../src/api/graphql/schema-texts.ts';
import type { Operation } from '../../src/domain/rules/roles.ts';

const schema = buildSchema(adminSchema);
const roots = [
  { kind: 'query', fields: schema.getQueryType()?.getFields() ?? {} },
  { kind: 'mutation', fields: schema.getMutationType()?.getFields() ?? {} },
];

export interface SchemaOperation {
  readonly name: Operation;
  readonly kind: string;
  readonly field: GraphQLField<unknown, unknown>;
}

/** Every operation of the schema. */
export const OPERATIONS: readonly SchemaOperation[] = roots.flatMap(({ kind, fields }) =>
  Object.values(fields).map((field) => ({ name: field.name as Operation, kind, field })),
);

/** A value that GraphQL accepts for a type, with its required fields and `more`. Its ids match no row. */
function sampleOf(type: GraphQLInputType, more: unknown): unknown {
  const named = getNamedType(type);
  if (isInputObjectType(named)) {
    const fields = Object.values(named.getFields()).filter(isRequiredInputField);
    const sample = Object.fromEntries(fields.map((field) => [field.name, sampleOf(field.type, undefined)]));
    return Object.assign(sample, more);
  }
  if (more !== undefined) return more;
  if (String(type).includes('[')) return [];
  if (isEnumType(named)) return named.getValues()[0]?.name;
  switch (named.name) {
    case 'Int':
      return 1;
    case 'DateTime':
      return new Date().toISOString();
    case 'String':
      return `https://${randomUUID()}.example`; // Valid as a name and as a URL.
    default:
      return randomUUID();
  }
}

/** The document of an operation with a variable for each of these arguments, which selects `fields`. */
export function documentOf({ kind, field }: SchemaOperation, args: readonly GraphQLArgument[], fields: string): string {
  const declared = args.map(({ name, type }) => `$${name}: ${type}`).join(', ');
  const passed = args.map(({ name }) => `${name}: $${name}`).join(', ');
  const selection = isLeafType(getNamedType(field.type)) ? '' : `{ ${fields} }`;
  return `${kind} ${declared && `(${declared})`} { ${field.name} ${passed && `(${passed})`} ${selection} }`;
}

/** A request for an operation with its required arguments and `more`, which selects `fields`. */
export function requestOf(
  operation: SchemaOperation,
  more: Readonly<Record<string, unknown>> = {},
  fields = '__typename',
) {
  const args = operation.field.args.filter((arg) => isRequiredArgument(arg) || arg.name in more);
  return {
    text: documentOf(operation, args, fields),
    variables: Object.fromEntries(args.map(({ name, type }) => [name, sampleOf(type, more[name])])),
  };
}

/** Selects every field of an operation's answer that needs no argument, down to `depth` objects. */
export function selectAll({ field }: SchemaOperation, depth = 5): string {
  const select = (named: GraphQLNamedType, left: number): string => {
    const fields = isObjectType(named) ? Object.values(named.getFields()) : [];
    const parts = fields
      .filter(({ args }) => !args.some(isRequiredArgument))
      .flatMap(({ name, type }) => {
        const inner = getNamedType(type);
        if (isLeafType(inner)) return [name];
        return left > 1 ? [`${name} { ${select(inner, left - 1)} }`] : [];
      });
    return ['__typename', ...parts].join(' ');
  };
  return select(getNamedType(field.type), depth);
}

interface Leaf {
  /** Written as errors name it. */
  readonly path: string;
  readonly type: string;
  /** The input that has the field; undefined for an argument. */
  readonly inputName?: string;
  /** As the directives declare them. */
  readonly range?: { readonly min: number; readonly max: number } | undefined;
  readonly length?: { readonly max: number } | undefined;
  /** Replaces one argument. */
  with(value: string | number): Readonly<Record<string, unknown>>;
}

/** The bounds that the directives of an argument or a field of an input declare. */
function boundsOf({ astNode }: { readonly astNode?: Maybe<InputValueDefinitionNode> }): Pick<Leaf, 'range' | 'length'> {
  const read = (name: string) => {
    const directive = schema.getDirective(name);
    return directive && astNode ? getDirectiveValues(directive, astNode) : undefined;
  };
  return { range: read('range') as Leaf['range'], length: read('length') as Leaf['length'] };
}

/** Every argument of an operation, and every field of its inputs. */
export const leavesOf = ({ field }: SchemaOperation): Leaf[] =>
  field.args.flatMap((arg: GraphQLArgument): Leaf[] => {
    const { name, type } = arg;
    const named = getNamedType(type);
    if (!isInputObjectType(named))
      return [{ path: name, type: named.name, ...boundsOf(arg), with: (value) => ({ [name]: value }) }];
    return Object.values(named.getFields()).map((inner) => ({
      path: `${name}.${inner.name}`,
      type: getNamedType(inner.type).name,
      inputName: named.name,
      ...boundsOf(inner),
      with: (value) => ({ [name]: { [inner.name]: value } }),
    }));
  });
