import { expect, test } from 'vitest';
import { formatQuotaDay } from '../../console/src/texts/quota.ts';

test('the day of a quota is named with its zone', () => {
  expect(formatQuotaDay({ day: '2026-11-26', timeZone: 'America/Los_Angeles' })).toBe('26 Nov (America/Los_Angeles)');
});
