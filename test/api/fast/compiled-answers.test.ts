import { setImmediate as nextTurn } from 'node:timers/promises';
import fc, { type GeneratorValue } from 'fast-check';
import {
  buildSchema,
  type GraphQLObjectType,
  type GraphQLOutputType,
  getNamedType,
  isEnumType,
  isListType,
  isNonNullType,
  isObjectType,
  parse,
  validate,
} from 'graphql';
import { expect, test } from 'vitest';
import { fastPaths } from '../../../src/api/fast/fast-paths.ts';
import { createGraphql } from '../../../src/api/graphql/graphql.ts';
import { callersSchema } from '../../../src/api/graphql/schema-texts.ts';
import { ServiceError } from '../../../src/basics/errors.ts';
import { newExchange } from '../../kit/caller.ts';

const schema = buildSchema(callersSchema);
const queryType = schema.getQueryType() as GraphQLObjectType;

const oneOf = <T>(g: GeneratorValue, ...values: T[]): T => values[g(fc.nat, values.length - 1)] as T;
/** True once in `times`. */
const rarely = (g: GeneratorValue, times: number): boolean => g(fc.integer, { min: 1, max: times }) === times;

/** A value that a resolver may return for a type; now and then one that it must not return. */
function makeValue(g: GeneratorValue, type: GraphQLOutputType): unknown {
  if (rarely(g, 60)) return oneOf<unknown>(g, null, undefined, new Error('private'), {}, [], 'text', 7, Number.NaN);
  if (isNonNullType(type)) return makeValue(g, type.ofType as GraphQLOutputType);
  if (rarely(g, 8)) return null;
  if (isListType(type)) return Array.from({ length: g(fc.nat, 3) }, () => makeValue(g, type.ofType));
  if (isObjectType(type)) {
    return Object.fromEntries(Object.values(type.getFields()).map((field) => [field.name, makeValue(g, field.type)]));
  }
  if (isEnumType(type)) return oneOf(g, ...type.getValues().map(({ value }) => value as unknown));
  const scalars: Record<string, unknown[]> = {
    DateTime: [new Date(1_770_091_507_007), '2026-02-03T04:05:06.007Z', 'yesterday'],
    DecimalCount: ['0', '12345678901234567890', '012'],
    Boolean: [true, false],
    Int: [0, 7, 1.5],
  };
  return oneOf(g, ...(scalars[getNamedType(type).name] ?? ['', 'a text', '\u{1f600} "quoted"\n', 12]));
}

const ARGUMENTS = `
  $scope: SubjectScope!, $id: ID!, $connectionId: ID!, $providerContentId: String!, $window: ContentWindow!,
  $first: Int = 5, $after: String`;

/** Variables, now and then with a value or without one that they need. */
function makeVariables(g: GeneratorValue): Record<string, unknown> {
  const variables: Record<string, unknown> = {
    scope: { tenantKey: 'tenant', externalSubjectId: oneOf<unknown>(g, 'subject', 'subject', 'subject', 7, null) },
    id: oneOf<unknown>(g, 'id', 7),
    connectionId: 'connection',
    providerContentId: 'post',
    window: {
      publishedAfter: oneOf(g, '2026-01-01T00:00:00Z', '2026-01-01T02:00+02:00'),
      publishedBefore: '2026-02-01T00:00:00.123456Z',
      first: oneOf<unknown>(g, 20, 1),
      ...(g(fc.boolean) && { after: oneOf<unknown>(g, null, 'cursor') }),
    },
    ...(g(fc.boolean) && { first: oneOf<unknown>(g, 3, null) }),
  };
  if (rarely(g, 12)) variables[oneOf(g, ...Object.keys(variables))] = oneOf<unknown>(g, null, 'text', [], undefined);
  return variables;
}

/** A document of one query with aliases, repeated fields, and fragments of both kinds. */
function makeDocument(g: GeneratorValue): string {
  const fragments: string[] = [];
  let aliases = 0;
  const selectFrom = (type: GraphQLObjectType): string => {
    const fields = Object.values(type.getFields());
    const chosen = Array.from({ length: g(fc.integer, { min: 1, max: 4 }) }, () => {
      const field = oneOf(g, ...fields);
      const named = getNamedType(field.type);
      const alias = aliases < 6 && rarely(g, 5) ? `a${++aliases}: ` : '';
      const argumentList = field.args.map(({ name }) => `${name}: $${name}`).join(', ');
      const below = isObjectType(named) ? ` { ${selectFrom(named)} }` : '';
      return `${alias}${field.name}${argumentList === '' ? '' : `(${argumentList})`}${below}`;
    });
    if (rarely(g, 4)) chosen.push('__typename');
    if (rarely(g, 4)) chosen.push(chosen[0] ?? '');
    if (rarely(g, 4)) chosen.push(`... on ${type.name} { ${chosen.pop()} }`);
    if (rarely(g, 4)) {
      const name = `F${fragments.length}`;
      fragments.push(''); // Keeps the name while inner fragments are made.
      fragments[Number(name.slice(1))] = `fragment ${name} on ${type.name} { ${chosen.pop()} }`;
      chosen.push(`...${name}`);
    }
    return chosen.join(' ');
  };
  const selection = selectFrom(queryType);
  const rest = fragments.join(' ');
  const used = ARGUMENTS.split(',').filter((one) =>
    new RegExp(`\\${/\$\w+/.exec(one)?.[0]}\\b`).test(selection + rest),
  );
  return `query ${used.length === 0 ? '' : `(${used.join(',')})`} { ${selection} } ${rest}`;
}

/** Root fields that return given values, or fail. */
function makeResolvers(g: GeneratorValue) {
  const fields = Object.values(queryType.getFields()).map((field) => {
    const value = makeValue(g, field.type);
    const refuses = rarely(g, 20);
    const resolve = async (_root: unknown, args: object) => {
      await nextTurn(); // As when a database answers.
      if (refuses) throw new ServiceError('NOT_FOUND', JSON.stringify(args));
      return value;
    };
    return [field.name, resolve];
  });
  const mutations = Object.keys(schema.getMutationType()?.getFields() ?? {}).map((name) => [name, () => null]);
  return { Query: Object.fromEntries(fields) as object, Mutation: Object.fromEntries(mutations) as object };
}

const headers = new Headers({ 'content-type': 'application/json' });

test('a compiled document has the answer of the plain path, whatever it selects and its resolvers return', async () => {
  let compared = 0;
  await fc.assert(
    fc.asyncProperty(fc.gen(), async (g) => {
      const query = makeDocument(g);
      if (validate(schema, parse(query)).length > 0) return;
      const options = {
        endpoint: '/',
        typeDefs: callersSchema,
        resolvers: makeResolvers(g),
        open: [],
        authorize: async () => ({}),
      };
      const plain = createGraphql(options);
      const fast = createGraphql({ ...options, createFast: fastPaths.createFast });
      const body = JSON.stringify({ query, variables: makeVariables(g) });
      const { correlationId } = newExchange();
      const ask = async (graphql: typeof plain) =>
        await graphql({ headers, body }, { ...newExchange(), correlationId });
      const interpreted = await ask(plain);
      for (const _use of [1, 2, 3]) expect(await ask(fast)).toEqual(interpreted); // The third is compiled.
      if (interpreted.status === 200) compared += 1;
    }),
    { numRuns: 60, endOnFailure: true } /* Shrinking such a document takes minutes. */,
  );
  expect(compared).toBeGreaterThan(15); // Others are refused, for example for their cost.
});
