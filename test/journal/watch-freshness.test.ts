import { expect, onTestFinished, vi } from 'vitest';
import { StaleDatabaseError } from '../../src/basics/errors.ts';
import { createLog } from '../../src/basics/log.ts';
import { watchFreshness } from '../../src/journal/watch-freshness.ts';
import { gate } from '../kit/gate.ts';
import { asApi, createTestDatabase, test } from '../kit/postgres.ts';

const log = createLog('silent');

test('a process stops when its database is older than the journal, and continues when it is not', async ({ sql }) => {
  const restored = await createTestDatabase();
  onTestFinished(() => restored.drop());
  let current = asApi(sql);
  const pool = new Proxy(current, { apply: (_first, self, args) => Reflect.apply(current, self, args) });
  const check = vi.fn(() => Promise.resolve());
  const watch = watchFreshness(pool, { isKept: true, check }, log, { lookEveryMs: 20 });
  onTestFinished(watch.close);
  await vi.waitUntil(() => check.mock.calls.length === 1);
  expect(watch.findReason()).toBeUndefined();
  check.mockRejectedValue(new StaleDatabaseError('It lacks 1 erasure.'));
  current = asApi(restored.sql); // Until another database answers, nothing is compared.
  await expect.poll(watch.findReason).toBe('It lacks 1 erasure.');
  check.mockResolvedValue();
  await expect.poll(watch.findReason).toBeUndefined();
});

test('between an outage and the next comparison, the process serves no request', async ({ sql }) => {
  let answers = asApi(sql);
  const pool = new Proxy(answers, { apply: (_first, self, args) => Reflect.apply(answers, self, args) });
  const compared = gate();
  const check = vi.fn(() => Promise.resolve());
  const watch = watchFreshness(pool, { isKept: true, check }, log, { lookEveryMs: 20 });
  onTestFinished(watch.close);
  await vi.waitUntil(() => check.mock.calls.length === 1);
  const away = () => Promise.reject(Object.assign(new Error('Away.'), { code: 'ECONNREFUSED' }));
  const present = answers;
  answers = away as unknown as typeof answers;
  await expect.poll(watch.findReason).toContain('has been away');
  check.mockImplementation(() => compared.opened);
  answers = present;
  await vi.waitUntil(() => check.mock.calls.length === 2);
  expect(watch.findReason()).toContain('has been away');
  compared.open();
  await expect.poll(watch.findReason).toBeUndefined();
});
