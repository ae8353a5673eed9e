import { expect, test } from 'vitest';
import { countSecondsToQuotaReset } from '../../src/providers/provider-a/quota-reset.ts';

test.each([
  ['winter, noon', '2026-11-21T20:00:00Z', '2026-11-22T08:00:00Z'],
  ['a second before midnight', '2026-11-22T07:59:59Z', '2026-11-22T08:00:00Z'],
  ['the day of 23 hours, after the change', '2026-03-08T20:00:00Z', '2026-03-09T07:00:00Z'],
  ['the day of 25 hours, in its second one o’clock', '2026-11-01T09:30:00Z', '2026-11-02T08:00:00Z'],
])('counts to midnight Pacific time: %s', (_name, now, reset) => {
  expect(countSecondsToQuotaReset(new Date(now))).toBe((Date.parse(reset) - Date.parse(now)) / 1000);
});

test.each([
  ['midnight itself', '2026-11-22T08:00:00Z'],
  ['a minute past midnight', '2026-11-22T08:01:00Z'],
])('retries within minutes if the reset is late: %s', (_name, now) => {
  expect(countSecondsToQuotaReset(new Date(now))).toBe(300);
});
