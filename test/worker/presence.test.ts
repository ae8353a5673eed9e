import { afterEach, expect, test, vi } from 'vitest';
import { keepPresence } from '../../src/worker/presence.ts';

afterEach(() => void vi.useRealTimers());

test('a worker reports every ten seconds, also after a report that failed, until it ends', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  const reports: string[] = [];
  let ends = 0;
  const sql = async ([text = '']: TemplateStringsArray) => {
    if (text.includes('set ended_at')) ends += 1;
    if (!text.includes('insert into worker_presence')) return [];
    reports.push(text);
    if (reports.length === 1) throw new Error('The database is away.');
    return [];
  };
  const stopping = new AbortController();
  const end = keepPresence({ sql } as never, { workerId: 'worker', name: 'host:1' }, stopping.signal);
  await vi.advanceTimersByTimeAsync(9_000);
  expect(reports).toHaveLength(0);
  await vi.advanceTimersByTimeAsync(21_000);
  expect(reports).toHaveLength(3);
  await end();
  await vi.advanceTimersByTimeAsync(30_000);
  expect(reports).toHaveLength(3);
  expect(ends).toBe(0); // It was not asked to stop, so operators must see that it is gone.
});

test('a worker that stops on request leaves no silent worker behind', async () => {
  const texts: string[] = [];
  const sql = async ([text = '']: TemplateStringsArray) => {
    texts.push(text.trim());
    return [];
  };
  const stopping = new AbortController();
  const end = keepPresence({ sql } as never, { workerId: 'worker', name: 'host:1' }, stopping.signal);
  stopping.abort();
  await end();
  expect(texts).toEqual([expect.stringMatching(/^update worker_presence set ended_at = now\(\)/)]);
});
