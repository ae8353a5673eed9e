import { afterEach, expect, test, vi } from 'vitest';
import { createLog } from '../../src/basics/log.ts';
import { watchPauses } from '../../src/basics/watch-pauses.ts';

afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

test('a process that stood still logs for how long, once, when it continues', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  let nowMs = 0;
  vi.spyOn(performance, 'now').mockImplementation(() => nowMs);
  const lines: string[] = [];
  const end = watchPauses(createLog('debug', { write: (line) => void lines.push(line) }));
  const pass = (ms: number) => {
    nowMs += ms;
    vi.advanceTimersByTime(1_000);
  };
  for (let second = 0; second < 10; second += 1) pass(1_000);
  pass(5_500); // A busy machine.
  expect(lines).toEqual([]);
  pass(31_200);
  pass(1_000);
  expect(lines.map((line) => JSON.parse(line))).toMatchObject([
    { level: 'warn', message: 'This process stood still', seconds: 30 },
  ]);
  await end();
  pass(60_000);
  expect(lines).toHaveLength(1);
});
