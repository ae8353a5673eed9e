// Selections of whole types of schema.graphql, for the pages, tests and benchmarks that ask for everything.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { buildSchema, isListType, isNonNullType, isObjectType } from 'graphql';

/** Every field of a type, and of the types below it, as the words of a selection. */
export function select(type) {
  if (isNonNullType(type) || isListType(type)) return select(type.ofType);
  if (!isObjectType(type)) return [];
  const fields = Object.values(type.getFields()).flatMap((field) => [field.name, ...select(field.type)]);
  return ['{', ...fields, '}'];
}

const SCHEMA = path.join(import.meta.dirname, '..', 'schema.graphql');
let schema;

/**
 * The selection of every field of a type of the caller API, in braces.
 * @param {string} name @returns {string}
 */
export function selectAll(name) {
  schema ??= buildSchema(readFileSync(SCHEMA, 'utf8'));
  return select(schema.getType(name)).join(' ');
}
