import { readFileSync } from 'node:fs';
import path from 'node:path';
import {
  buildSchema,
  isEnumType,
  isInputObjectType,
  isIntrospectionType,
  isObjectType,
  isSpecifiedScalarType,
} from 'graphql';
import { expect, test } from 'vitest';
import { ROOT } from '../../../local/src/services.ts';
import { callersSchema } from '../../../src/api/graphql/schema-texts.ts';
import { JOB_ERROR_CODES, RESULT_CODES } from '../../../src/basics/codes.ts';
import { ERROR_CODES } from '../../../src/basics/errors.ts';

const schema = buildSchema(callersSchema);
const types = Object.values(schema.getTypeMap()).filter(
  (type) => !isIntrospectionType(type) && !isSpecifiedScalarType(type),
);

test('every type, field, argument and value has a description', () => {
  const nameless = types.flatMap((type) => {
    const members = isEnumType(type)
      ? type.getValues()
      : isObjectType(type) || isInputObjectType(type)
        ? Object.values(type.getFields())
        : [];
    const args = isObjectType(type) ? Object.values(type.getFields()).flatMap((field) => [...field.args]) : [];
    return [type, ...members, ...args].flatMap(({ name, description }) =>
      description ? [] : [`${type.name}.${name}`],
    );
  });
  expect(nameless).toEqual([]);
});

test('exactly the codes that a caller can receive are described', () => {
  const roots = [schema, schema.getQueryType(), schema.getMutationType()];
  const fields = roots.flatMap((root) => (root && 'getFields' in root ? Object.values(root.getFields()) : []));
  const text = [schema.description, ...fields.map(({ description }) => description?.split('Codes:')[1])].join('\n');
  const named = new Set([...text.matchAll(/`([A-Z_]+)`/g)].map(([, code]) => code));
  expect([...named].sort()).toEqual([...ERROR_CODES].sort());
});

test.each([
  ['SyncJob', 'errorCode', JOB_ERROR_CODES],
  ['ConnectSessionResult', 'resultCode', RESULT_CODES],
] as const)('exactly the values of %s.%s are in its description, and in the guide', (typeName, field, codes) => {
  const type = schema.getType(typeName);
  const description = isObjectType(type) ? type.getFields()[field]?.description : undefined;
  expect([...new Set(description?.match(/\b[A-Z_]{4,}\b/g))].sort()).toEqual([...codes].sort());
  const guide = readFileSync(path.join(ROOT, 'docs', 'callers-codes.md'), 'utf8');
  const [, part = ''] = guide.split(`\n### ${field}\n`);
  const rows = part.split('\n### ')[0]?.matchAll(/^\| `([A-Z_]+)` \|/gm) ?? [];
  expect([...rows].map(([, code]) => code).sort()).toEqual([...codes].sort());
});
