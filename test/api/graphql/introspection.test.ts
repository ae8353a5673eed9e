import {
  buildClientSchema,
  buildSchema,
  type GraphQLSchema,
  getIntrospectionQuery,
  type IntrospectionQuery,
  lexicographicSortSchema,
  parse,
  printSchema,
} from 'graphql';
import { describe, expect, test } from 'vitest';
import { isStandardIntrospection } from '../../../src/api/graphql/introspection.ts';
import { parseWithinLimits } from '../../../src/api/graphql/limits.ts';
import { callersSchema } from '../../../src/api/graphql/schema-texts.ts';
import { startService } from '../../kit/graphql-service.ts';

const isStandard = (query: string) => isStandardIntrospection(parse(query));

/** Each combination of the options that graphql-js, and the tools that are built on it, know. */
const VARIANTS = Array.from({ length: 64 }, (_, bits) => {
  const has = (bit: number) => (bits & (1 << bit)) !== 0;
  return getIntrospectionQuery({
    descriptions: has(0),
    specifiedByUrl: has(1),
    directiveIsRepeatable: has(2),
    schemaDescription: has(3),
    inputValueDeprecation: has(4),
    oneOf: has(5),
  });
});

describe('the introspection query of tools', () => {
  test('passes the limits in every variant', () => {
    for (const query of VARIANTS) expect(() => parseWithinLimits(query)).not.toThrow();
  });
  test('passes with __typename, which some clients add', () =>
    expect(isStandard('{ __typename __schema { __typename types { name __typename } } }')).toBe(true));
});

test.for([
  ['another root field', '{ __schema { types { name } } connection { id } }'],
  ['a repeated list', '{ __schema { types { name } types { kind } } }'],
  ['a type by its name', '{ __type(name: "Query") { name } }'],
  ['the fields of the types of fields', '{ __schema { types { fields { type { fields { name } } } } } }'],
  ['an alias', '{ __schema { types { a: name } } }'],
  ['a fragment that spreads itself', '{ __schema { types { ...A } } } fragment A on __Type { name ofType { ...A } }'],
  [
    'eleven levels of ofType',
    `{ __schema { types { fields { type { ${'ofType { '.repeat(11)} name ${'} '.repeat(11)} } } } } }`,
  ],
])('no other query is taken for it: %s', ([, query]) => expect(isStandard(query as string)).toBe(false));

test('introspection gives the schema that /schema.graphql gives, with every description', async () => {
  const service = await startService();
  const { body } = await service.ask(getIntrospectionQuery({ schemaDescription: true, inputValueDeprecation: true }));
  await service.close();
  const introspected = buildClientSchema(body.data as unknown as IntrospectionQuery);
  const sorted = (schema: GraphQLSchema) => printSchema(lexicographicSortSchema(schema));
  expect(sorted(introspected)).toBe(sorted(buildSchema(callersSchema)));
});
