import { readFileSync } from 'node:fs';
import path from 'node:path';
import { buildSchema, isObjectType } from 'graphql';
import { expect, test } from 'vitest';
import { ERROR_CODES } from '../../clients/typescript/src/index.ts';

const ROOT = path.join(import.meta.dirname, '..', '..');
const read = (file: string) => readFileSync(path.join(ROOT, file), 'utf8');
const schema = buildSchema(read('schema.graphql'));
const guide = read('docs/callers.md') + read('docs/callers-codes.md');

/** The codes in the description of a field. */
function codesOf(typeName: string, fieldName: string): string[] {
  const type = schema.getType(typeName);
  const description = isObjectType(type) ? (type.getFields()[fieldName]?.description ?? '') : '';
  const words = description.match(/\b[A-Z]{4,}(?:_[A-Z]+)*\b|\b[A-Z]+(?:_[A-Z]+)+\b/g) ?? [];
  return [...new Set(words)].filter((word) => word !== 'AVAILABLE');
}

const resultCodes = codesOf('ConnectSessionResult', 'resultCode');
const jobCodes = codesOf('SyncJob', 'errorCode');
const scanReasons = codesOf('SyncJob', 'incompleteReason');
const pageReasons = codesOf('PageInfo', 'incompleteReason');
const postReasons = codesOf('ContentItem', 'reason');

test('the guide for callers covers every code of the schema', () => {
  const codes = [...ERROR_CODES, ...resultCodes, ...jobCodes, ...scanReasons, ...pageReasons, ...postReasons];
  expect(codes.filter((code) => !guide.includes(`\`${code}\``))).toEqual([]);
});
