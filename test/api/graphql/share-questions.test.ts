import { expect, onTestFinished, test, vi } from 'vitest';
import { shareQuestions } from '../../../src/api/graphql/authorization.ts';

/** A database whose answers the test gives by hand. */
function createSlowDatabase() {
  const questions: { key: string; answer: (owner: string) => void; fail: () => void }[] = [];
  const find = shareQuestions(
    (key: string) =>
      new Promise<string>((resolve, reject) => {
        questions.push({ key, answer: resolve, fail: () => reject(new Error('down')) });
      }),
  );
  return { questions, find };
}

/** Lets promises that are resolved call their handlers. */
const settle = () => new Promise<void>((resolve) => process.nextTick(resolve));

test('a request that arrives during a question is answered by a question that begins after its arrival', async () => {
  const { questions, find } = createSlowDatabase();
  const early = find('key');
  const [late, later] = [find('key'), find('key')];
  expect(questions).toHaveLength(1);
  questions[0]?.answer('usable');
  expect(await early).toBe('usable');
  await settle();
  expect(questions).toHaveLength(2);
  questions[1]?.answer('revoked meanwhile');
  expect(await Promise.all([late, later])).toEqual(['revoked meanwhile', 'revoked meanwhile']);
  expect(questions).toHaveLength(2);
});

test('a request that arrives after the last answer asks anew', async () => {
  const { questions, find } = createSlowDatabase();
  const first = find('key');
  questions[0]?.answer('usable');
  await first;
  const second = find('key');
  questions[1]?.answer('revoked');
  expect(await second).toBe('revoked');
});

test('each key has questions of its own', async () => {
  const { questions, find } = createSlowDatabase();
  const answers = [find('one'), find('two')];
  expect(questions.map(({ key }) => key)).toEqual(['one', 'two']);
  for (const { key, answer } of questions) answer(`owner of ${key}`);
  expect(await Promise.all(answers)).toEqual(['owner of one', 'owner of two']);
});

test('a question that fails, fails its own requests only', async () => {
  const { questions, find } = createSlowDatabase();
  const early = find('key').catch(String);
  const late = find('key');
  questions[0]?.fail();
  expect(await early).toBe('Error: down');
  await settle();
  questions[1]?.answer('usable');
  expect(await late).toBe('usable');
});

test('a question that is never answered delays the next one for a second at most', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const { questions, find } = createSlowDatabase();
  void find('key');
  const late = find('key');
  await vi.advanceTimersByTimeAsync(999);
  expect(questions).toHaveLength(1);
  await vi.advanceTimersByTimeAsync(1);
  await settle();
  questions[1]?.answer('usable');
  expect(await late).toBe('usable');
  const afterwards = find('key');
  questions[2]?.answer('revoked');
  expect(await afterwards).toBe('revoked');
});
