import { readFileSync } from 'node:fs';
import path from 'node:path';
import { buildSchema, Kind, parse, print, validate } from 'graphql';
import { expect, test } from 'vitest';
import { parseWithinLimits } from '../../src/api/graphql/limits.ts';

const ROOT = path.join(import.meta.dirname, '..', '..');
const read = (file: string) => readFileSync(path.join(ROOT, file), 'utf8');
const schema = buildSchema(read('schema.graphql'));
const document = parse(read('clients/graphql/operations.graphql'));

test('the operations for generators are all of the schema, each under its own name', () => {
  const names = [schema.getQueryType(), schema.getMutationType()].flatMap((type) =>
    Object.keys(type?.getFields() ?? {}).map((name) => name[0]?.toUpperCase() + name.slice(1)),
  );
  const written = document.definitions.map((one) => one.kind === Kind.OPERATION_DEFINITION && one.name?.value);
  expect(written).toEqual(names);
});

test('each fits the schema and the limits of a request', () => {
  expect(validate(schema, document)).toEqual([]);
  for (const definition of document.definitions) expect(() => parseWithinLimits(print(definition))).not.toThrow();
});
