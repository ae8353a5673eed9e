import { afterEach, expect, test, vi } from 'vitest';
import { keepPresence } from '../../src/worker/presence.ts';

afterEach(() => void vi.useRealTimers());

test('a worker reports every ten seconds, also after a report that failed, until it ends', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  const reports: string[] = [];
  const sql = async ([text = '']: TemplateStringsArray) => {
    if (!text.includes('insert into worker_presence')) return [];
    reports.push(text);
    if (reports.length === 1) throw new Error('The database is away.');
    return [];
  };
  const end = keepPresence({ sql } as never, 'worker');
  await vi.advanceTimersByTimeAsync(9_000);
  expect(reports).toHaveLength(0);
  await vi.advanceTimersByTimeAsync(21_000);
  expect(reports).toHaveLength(3);
  await end();
  await vi.advanceTimersByTimeAsync(30_000);
  expect(reports).toHaveLength(3);
});
