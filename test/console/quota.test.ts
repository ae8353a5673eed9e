import { expect, test } from 'vitest';
import { formatQuotaDay, predictQuotaEnd } from '../../console/src/texts/quota.ts';

const resetsAt = '2026-11-27T08:00:00.000Z';
const at = (time: string) => Date.parse(`2026-11-${time}:00.000Z`);

test('the day of a quota is named with its zone', () => {
  expect(formatQuotaDay({ day: '2026-11-26', timeZone: 'America/Los_Angeles' })).toBe('26 Nov (America/Los_Angeles)');
});

test('shows when a quota is used up at the pace of its day, only if that is before the day ends', () => {
  const half = { unitsUsed: 5_000, unitsAllowed: 10_000, resetsAt };
  // Six hours of the day are over.
  expect(predictQuotaEnd(half, at('26T14:00'))).toBe('2026-11-26T20:00:00.000Z');
  expect(predictQuotaEnd({ ...half, unitsUsed: 2_500 }, at('26T14:00'))).toBeNull();
  expect(predictQuotaEnd({ ...half, unitsUsed: 2_501 }, at('26T14:00'))).toMatch(/^2026-11-27T07:5/);
  expect(predictQuotaEnd({ ...half, unitsUsed: 0 }, at('26T14:00'))).toBeNull();
  expect(predictQuotaEnd({ ...half, unitsUsed: 10_000 }, at('26T14:00'))).toBeNull();
  expect(predictQuotaEnd({ ...half, unitsAllowed: null }, at('26T14:00'))).toBeNull();
  // In the first hour of the day.
  expect(predictQuotaEnd(half, at('26T08:30'))).toBeNull();
});
