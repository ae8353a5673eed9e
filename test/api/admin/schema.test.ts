import {
  buildSchema,
  type GraphQLNamedType,
  getNamedType,
  isEnumType,
  isIntrospectionType,
  isObjectType,
  isScalarType,
  isSpecifiedScalarType,
  printType,
} from 'graphql';
import { describe, expect, test } from 'vitest';
import { adminSchema, callersSchema } from '../../../src/api/graphql/schema-texts.ts';
import { OPERATIONS } from '../../../src/generated/admin-operations.ts';

const typesOf = (text: string): GraphQLNamedType[] =>
  Object.values(buildSchema(text).getTypeMap()).filter(
    (type) => !isIntrospectionType(type) && !isSpecifiedScalarType(type),
  );

describe('the admin schema', () => {
  test("has every scalar and enum of the callers' schema, word for word", () => {
    const admin = new Map(typesOf(adminSchema).map((type) => [type.name, printType(type)]));
    const shared = typesOf(callersSchema).filter((type) => isEnumType(type) || isScalarType(type));
    expect(shared).toHaveLength(13);
    for (const type of shared) expect(admin.get(type.name), type.name).toBe(printType(type));
  });

  test('declares the effect READ_PERSON for every query that shows a person, and for no other', () => {
    const persons = ['Connection', 'Person', 'Found'];
    const shows = (type: GraphQLNamedType, seen: readonly string[] = []): boolean =>
      persons.includes(type.name) ||
      (isObjectType(type) &&
        !seen.includes(type.name) &&
        Object.values(type.getFields()).some((field) => shows(getNamedType(field.type), [...seen, type.name])));
    const queries = Object.values(buildSchema(adminSchema).getQueryType()?.getFields() ?? {});
    const showing = queries.filter(({ type }) => shows(getNamedType(type))).map(({ name }) => name);
    const declared = Object.entries(OPERATIONS).filter(([, { effect }]) => effect === 'READ_PERSON');
    expect(declared.map(([name]) => name).sort()).toEqual(showing.sort());
  });
});
