import fc, { type Arbitrary } from 'fast-check';
import {
  type GraphQLArgument,
  type GraphQLField,
  type GraphQLInputField,
  type GraphQLInputType,
  type GraphQLSchema,
  getNamedType,
  isEnumType,
  isInputObjectType,
  isListType,
  isNonNullType,
  isObjectType,
} from 'graphql';

/** Known values for arguments: with random ones alone, almost nothing would pass validation. */
export interface Vocabulary {
  /** Ids of this scope, and ids of another scope. */
  readonly own: readonly string[];
  readonly foreign: readonly string[];
  readonly texts: readonly string[];
  readonly scope: { readonly tenantKey: string; readonly externalSubjectId: string };
}

/** Whole GraphQL documents with one or two root fields. Most are valid, some are slightly wrong. */
export function documents(schema: GraphQLSchema, vocabulary: Vocabulary): Arbitrary<string> {
  const roots = [
    ['query', schema.getQueryType()],
    ['mutation', schema.getMutationType()],
  ] as const;
  return fc.constantFrom(...roots).chain(([kind, type]) => {
    const fields = Object.values(type?.getFields() ?? {});
    const selected = fc.constantFrom(...fields).chain((field) => selection(field, vocabulary, 4));
    return fc.array(selected, { minLength: 1, maxLength: 2 }).map((parts) => {
      const aliased = parts.map((part, n) => (n === 0 ? part : `again: ${part}`));
      return `${kind} { ${aliased.join(' ')} }`;
    });
  });
}

type Field = GraphQLField<unknown, unknown>;

/** A field with arguments and some of its fields. */
function selection(field: Field, vocabulary: Vocabulary, depth: number): Arbitrary<string> {
  const named = getNamedType(field.type);
  const below =
    isObjectType(named) && depth > 0 ? subset(Object.values(named.getFields()), vocabulary, depth - 1) : null;
  const args = fields(field.args, vocabulary).map((all) => (all === '' ? '' : `(${all})`));
  if (below === null) return args.map((all) => `${field.name}${all}`);
  return fc.tuple(args, below).map(([all, inner]) => `${field.name}${all} { ${inner} }`);
}

const subset = (all: readonly Field[], vocabulary: Vocabulary, depth: number): Arbitrary<string> =>
  fc
    .subarray([...all], { minLength: 1, maxLength: Math.min(6, all.length) })
    .chain((chosen) => fc.tuple(...chosen.map((field) => selection(field, vocabulary, depth))))
    .map((parts) => ['__typename', ...parts].join(' '));

/** Arguments or input fields: nearly always the required ones, sometimes the others. */
function fields(all: readonly (GraphQLArgument | GraphQLInputField)[], vocabulary: Vocabulary): Arbitrary<string> {
  if (all.length === 0) return fc.constant('');
  const each = all.map(({ name, type }) => {
    const given = value(type, name, vocabulary).map((text) => `${name}: ${text}`);
    return isNonNullType(type)
      ? fc.oneof({ arbitrary: given, weight: 40 }, { arbitrary: fc.constant(''), weight: 1 })
      : fc.oneof(given, fc.constant(''));
  });
  return fc.tuple(...each).map((parts) => parts.filter((part) => part !== '').join(', '));
}

function value(type: GraphQLInputType, name: string, vocabulary: Vocabulary): Arbitrary<string> {
  if (isNonNullType(type)) {
    const right = value(type.ofType, name, vocabulary);
    return fc.oneof({ arbitrary: right, weight: 40 }, { arbitrary: odd, weight: 1 });
  }
  if (isListType(type))
    return fc.array(value(type.ofType, name, vocabulary), { maxLength: 4 }).map((all) => `[${all.join(', ')}]`);
  if (isEnumType(type)) return fc.constantFrom(...type.getValues().map((one) => one.name), 'NOTHING');
  if (isInputObjectType(type)) {
    const scope = `{ tenantKey: ${quote(vocabulary.scope.tenantKey)}, externalSubjectId: ${quote(vocabulary.scope.externalSubjectId)} }`;
    const made = fields(Object.values(type.getFields()), vocabulary).map((all) => `{ ${all} }`);
    if (type.name !== 'SubjectScope') return made;
    return fc.oneof({ arbitrary: fc.constant(scope), weight: 10 }, { arbitrary: made, weight: 1 });
  }
  return scalar(type.name, name, vocabulary);
}

/** Values of a wrong type. */
const odd = fc.constantFrom(
  'null',
  '7',
  '-1',
  '1e400',
  '{}',
  '[]',
  'true',
  'NOTHING',
  '"\\u0000"',
  '"\\uD800"',
  '""',
  '$x',
);

const INSTANTS = [
  '2030-05-25T00:00:00.000Z',
  '2030-06-01T00:00:00.000Z',
  '2030-06-02T00:00:00+02:00',
  '2029-01-01T00:00:00Z',
  'never',
];

function scalar(type: string, name: string, { own, foreign, texts, scope }: Vocabulary): Arbitrary<string> {
  if (type === 'Int') return fc.oneof(fc.integer({ min: 0, max: 101 }), fc.integer()).map(String);
  if (type === 'DateTime') return fc.constantFrom(...INSTANTS).map(quote);
  if (type === 'ID') {
    const known = [own, foreign].map((ids) => ({ arbitrary: fc.constantFrom(...ids), weight: 5 }));
    return fc.oneof(...known, fc.uuid(), fc.string()).map(quote);
  }
  if (name === 'tenantKey') return fc.oneof(fc.constant(scope.tenantKey), fc.string()).map(quote);
  return fc.oneof(fc.constantFrom(...texts), fc.string({ unit: 'binary', maxLength: 40 })).map(quote);
}

/** A GraphQL string; unpaired surrogates are escaped, as in JSON. */
const quote = (text: string): string => JSON.stringify(text);
