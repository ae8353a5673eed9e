import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { findBase } from '../../bench/guard/base.mjs';
import { CASES, chooseCases } from '../../bench/guard/cases.mjs';
import { compareRounds, findGrown, findMargin, judge } from '../../bench/guard/statistics.mjs';

/** Equal in each run. */
function createRandom(seed: number) {
  let state = seed;
  const uniform = () => {
    state = (state * 48_271) % 2_147_483_647;
    return state / 2_147_483_647;
  };
  /** Roughly normal, with a deviation of one. */
  return () => Array.from({ length: 12 }, uniform).reduce((sum, one) => sum + one, -6);
}

const ROUNDS = 12;
/** Rounds of two versions, the later one so many times as slow, on a machine whose load changes from round to round. */
function measure(normal: () => number, slower: number) {
  const load = Array.from({ length: ROUNDS }, () => Math.exp(0.5 * normal()));
  const take = (ms: number) => load.map((busy) => ms * busy * Math.exp(0.05 * normal()));
  return judge(compareRounds(take(10), take(10 * slower)));
}

describe('the guard of the benchmarks', () => {
  test('leaves out as many averages as the table of signed ranks requires for 1 %, two-sided', () => {
    const table = { 8: 0, 9: 1, 10: 3, 11: 5, 12: 7, 13: 9, 14: 12, 15: 15, 16: 19, 20: 37 };
    for (const [rounds, margin] of Object.entries(table))
      expect([rounds, findMargin(Number(rounds))]).toEqual([rounds, margin]);
  });

  test('takes the median of all averages of two rounds, and its outer ones as the interval', () => {
    const before = [10, 10, 10, 10, 10, 10, 10, 10];
    const now = [10, 10, 10, 10, 20, 40, 40, 40]; // Powers of two: 0 0 0 0 1 2 2 2. The 36 averages have their middle at 1.
    const { ratio, low, high } = compareRounds(before, now);
    expect([ratio, low, high]).toEqual([expect.closeTo(2), expect.closeTo(1), expect.closeTo(4)]);
    const turned = compareRounds(now, before);
    expect([turned.ratio, turned.low, turned.high]).toEqual([
      expect.closeTo(0.5),
      expect.closeTo(0.25),
      expect.closeTo(1),
    ]);
  });

  test('calls a version slower only beyond noise and by 5 %', () => {
    expect(judge({ ratio: 1.06, low: 1.01, high: 1.2 })).toBe('slower');
    expect(judge({ ratio: 1.06, low: 0.99, high: 1.2 })).toBe('same');
    expect(judge({ ratio: 1.04, low: 1.03, high: 1.05 })).toBe('same');
    expect(judge({ ratio: 0.94, low: 0.9, high: 0.99 })).toBe('faster');
    expect(judge({ ratio: 0.94, low: 0.9, high: 1.01 })).toBe('same');
    expect(judge({ ratio: 0.96, low: 0.95, high: 0.97 })).toBe('same');
    expect(judge({ ratio: 1.08, low: 0.97, high: 1.25 })).toBe('unclear');
    expect(judge({ ratio: 1.24, low: 0.79, high: 1.43 }, true)).toBe('slower');
    expect(judge({ ratio: 1.02, low: 0.99, high: 1.05 }, true)).toBe('same'); // Work has moved from one process to another.
  });

  test('a disturbed round does not change the result of the others', () => {
    const before = Array.from({ length: 16 }, (_, round) => 10 + (round % 3) / 10);
    const same = [...before.slice(1), 90]; // The last one took nine times as long.
    expect(judge(compareRounds(before, same))).toBe('same');
    const slower = before.map((ms, round) => (round === 5 ? ms / 9 : ms * 1.2));
    expect(judge(compareRounds(before, slower))).toBe('slower');
  });

  test('finds a version that is a sixth slower, and lets an equal one pass', () => {
    const normal = createRandom(1);
    const verdicts = (slower: number) => Array.from({ length: 500 }, () => measure(normal, slower));
    const count = (slower: number) => verdicts(slower).filter((one) => one === 'slower').length;
    expect(count(1)).toBeLessThanOrEqual(3); // The second look, at new processes, has to agree.
    expect(count(1 / 1.16)).toBe(0);
    expect(count(1.16)).toBeGreaterThan(475);
  });

  test('finds the one process that grew beside others that vary, unless it hardly matters', () => {
    const worker = { before: 87, now: 86, low: 0.8 };
    expect(findGrown(134, { worker, postgres: { before: 33, now: 57, low: 1.39 } })).toEqual(['postgres']);
    expect(findGrown(134, { worker, postgres: { before: 33, now: 57, low: 0.99 } })).toEqual([]);
    expect(findGrown(134, { worker, postgres: { before: 3, now: 6, low: 1.5 } })).toEqual([]);
    expect(findGrown(134, { worker, postgres: { before: 0, now: 57 } })).toEqual([]); // Without any time in a round.
  });

  test('judges nothing from too few rounds, or from one without any time', () => {
    expect(() => compareRounds([1, 1, 1, 1, 1, 1, 1], [2, 2, 2, 2, 2, 2, 2])).toThrow('7 rounds are not enough.');
    expect(() => compareRounds([1, 1, 1, 1, 1, 1, 1, 1], [1, 1, 1, 1, 1, 1, 1, 0])).toThrow('A round took no time.');
  });

  test('chooses cases by their name or their first word', () => {
    expect(chooseCases(undefined)).toEqual(CASES);
    expect(chooseCases(['scan', 'accepts'])).toEqual([
      'accepts requestRefresh',
      'accepts createConnectSession',
      'accepts disconnectConnection',
      'scan',
    ]);
    expect(chooseCases(['connect'])).toEqual(['connect']);
    expect(() => chooseCases(['content', 'nothing'])).toThrow('The guard has no case nothing.');
  });

  test('compares with the start of the branch; on the main branch, with the commit, or else with the commit before', () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'guard-'));
    const git = (...args: string[]) =>
      execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@example.com', ...args], {
        cwd: folder,
        encoding: 'utf8',
      }).trim();
    const commit = (message: string) => {
      git('commit', '--quiet', '--allow-empty', '--message', message);
      return git('rev-parse', 'HEAD');
    };
    try {
      git('init', '--quiet', '--initial-branch', 'main');
      const [first, second] = [commit('first'), commit('second')];
      expect(findBase(undefined, folder)).toBe(first);
      git('tag', '--annotate', '--message', 'v', 'v1', first);
      expect(findBase('v1', folder)).toBe(first);
      writeFileSync(path.join(folder, 'changed'), '');
      expect(findBase(undefined, folder)).toBe(second);
      git('checkout', '--quiet', '-b', 'branch');
      commit('third');
      expect(findBase(undefined, folder)).toBe(second);
      git('checkout', '--quiet', 'main');
      const last = commit('fourth');
      git('checkout', '--quiet', 'branch');
      expect(findBase(undefined, folder)).toBe(second);
      expect(findBase('main', folder)).toBe(last);
      expect(() => findBase('nothing', folder)).toThrow();
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});
