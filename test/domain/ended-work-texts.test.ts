import { expect, test } from 'vitest';
import { areRowsKept } from '../../src/domain/texts/ended-work-texts.ts';

const HOUR_MS = 3_600_000;

test.each([
  ['CONNECT', 24],
  ['READ', 168],
  ['TOKEN_REFRESH', 0],
  ['REVOKE', 96],
  ['WEBHOOK', 720],
] as const)('the rows of %s are kept for %i hours', (kind, hours) => {
  const at = new Date('2026-01-01T00:00:00Z');
  const after = (ms: number) => areRowsKept(kind, at, new Date(at.getTime() + ms));
  expect(after(hours * HOUR_MS - 1)).toBe(true);
  expect(after(hours * HOUR_MS)).toBe(false);
});
