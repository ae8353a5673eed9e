import { expect } from 'vitest';
import { requireFuture } from '../../src/domain/rules/require-future.ts';
import { DAY_MS } from '../kit/clock.ts';
import { asApi, test } from '../kit/postgres.ts';
import { at } from '../kit/seed.ts';

const NOW = new Date('2026-03-01T12:00:00.000Z');

test.for([
  ['no instant', null, 90, null],
  ['a millisecond ago', -1, undefined, 'must be in the future'],
  ['now', 0, undefined, 'must be in the future'],
  ['in a millisecond', 1, undefined, null],
  ['in ten years', 3_650 * DAY_MS, undefined, null],
  ['in 90 days', 90 * DAY_MS, 90, null],
  ['a millisecond later', 90 * DAY_MS + 1, 90, 'must be at most 90 days from now'],
] as const)('an instant that is %s', async ([_name, aheadMs, withinDays, fault], { sql }) => {
  const instant = aheadMs === null ? null : new Date(NOW.getTime() + aheadMs);
  const checked = at(sql, NOW, 0, () => requireFuture(asApi(sql), 'expiresAt', instant, withinDays));
  if (fault === null) expect(await checked).toBeUndefined();
  else await expect(checked).rejects.toMatchObject({ code: 'BAD_USER_INPUT', message: `expiresAt ${fault}.` });
});
