import { readFileSync } from 'node:fs';
import path from 'node:path';
import { buildSchema, isObjectType } from 'graphql';
import { describe, expect, test } from 'vitest';
import { ERROR_CODES } from '../../clients/typescript/src/index.ts';
import {
  describeIncomplete,
  describeJobError,
  describeReason,
  describeResult,
} from '../../examples/caller/src/texts.ts';

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

describe('the codes of the schema have texts of their own; a new code has the general text until it has one', () => {
  test.each([
    ['resultCode', resultCodes, describeResult, 14],
    ['errorCode of a job', jobCodes, describeJobError, 12],
    ['incompleteReason of a scan', scanReasons, describeIncomplete, 3],
    ['incompleteReason of a page', pageReasons, describeIncomplete, 5],
    ['reason of a post', postReasons, describeReason, 2],
  ])('%s', (_field, codes, describeCode, atLeast) => {
    const general = describeCode('AN_UNKNOWN_CODE', 'PROVIDER_B');
    const texts = codes.map((code) => describeCode(code, 'PROVIDER_B')).filter((text) => text !== general);
    expect(texts.length).toBeGreaterThanOrEqual(atLeast);
    expect(new Set(texts).size).toBe(texts.length);
    expect(texts.filter((text) => /provider|[{}]/i.test(text))).toEqual([]);
    const unnamed = codes.map((code) => describeCode(code, undefined));
    expect(unnamed.filter((text) => /TikTok|^[a-z{]/.test(text))).toEqual([]);
  });
});

test('the guide for callers covers every code of the schema', () => {
  const codes = [...ERROR_CODES, ...resultCodes, ...jobCodes, ...scanReasons, ...pageReasons, ...postReasons];
  expect(codes.filter((code) => !guide.includes(`\`${code}\``))).toEqual([]);
});
