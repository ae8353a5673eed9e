import { expect, test } from 'vitest';
import {
  AppDocument,
  DisableAppDocument,
  DisconnectConnectionDocument,
  SetPolicyDocument,
} from '../../console/src/generated/operations.ts';
import { readOperation } from '../../console/src/texts/roles.ts';

test('a button finds the operation in its document, with and without fragments', () => {
  const documents = [DisableAppDocument, DisconnectConnectionDocument, SetPolicyDocument];
  expect(documents.map((document) => readOperation(document.toString()))).toEqual([
    'disableApp',
    'disconnectConnection',
    'setPolicy',
  ]);
});

test('a document that runs no mutation is refused', () => {
  expect(() => readOperation(AppDocument.toString())).toThrow('runs no known mutation');
});
