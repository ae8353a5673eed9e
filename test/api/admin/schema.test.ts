import {
  buildSchema,
  type GraphQLArgument,
  type GraphQLNamedType,
  isEnumType,
  isInputObjectType,
  isIntrospectionType,
  isObjectType,
  isScalarType,
  isSpecifiedScalarType,
  printType,
} from 'graphql';
import { describe, expect, test } from 'vitest';
import { adminSchema, callersSchema } from '../../../src/api/graphql/schema-texts.ts';

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

  test('describes every type, field, argument and value', () => {
    const undescribed = typesOf(adminSchema).flatMap((type) => [
      ...(type.description ? [] : [type.name]),
      ...(isEnumType(type)
        ? type.getValues().flatMap((value) => (value.description ? [] : [`${type.name}.${value.name}`]))
        : []),
      ...(isObjectType(type) || isInputObjectType(type)
        ? Object.values(type.getFields()).flatMap((field) => [
            ...(field.description ? [] : [`${type.name}.${field.name}`]),
            ...('args' in field
              ? field.args.flatMap((arg: GraphQLArgument) =>
                  arg.description ? [] : [`${type.name}.${field.name}(${arg.name})`],
                )
              : []),
          ])
        : []),
    ]);
    expect(undescribed).toEqual([]);
  });
});
