import { describe, expect } from 'vitest';
import type { Log } from '../../src/basics/log.ts';
import { createAnswerReports } from '../../src/worker/report-answers.ts';
import { asApi, asWorker, type Database, test } from '../kit/postgres.ts';
import { newSeenAnswer, seeAnswer } from '../kit/seed.ts';

type SeenAnswer = Parameters<typeof seeAnswer>[1];

function createLogSpy() {
  const lines: string[] = [];
  const add = (message: string) => void lines.push(message);
  const log = { info: add, warn: add, error: add } as unknown as Log;
  return { log, lines };
}

const list = async (sql: Database, { code }: Pick<SeenAnswer, 'code'>) =>
  await sql`
    select provider, place, status, code, text, made_of_it, times::int, first_seen_at, last_seen_at
    from unknown_answer where code = ${code}
  `;

describe('answers that no adapter knows', () => {
  test('are stored once each, with their number and times, and logged the first time', async ({ sql }) => {
    const { log, lines } = createLogSpy();
    const reports = createAnswerReports(asWorker(sql), log);
    const [one, other] = [newSeenAnswer(), newSeenAnswer({ provider: 'PROVIDER_A', place: 'PROVIDER_A videos' })];
    const report = ({ provider, place, madeOfIt, ...rest }: SeenAnswer) =>
      reports.report(provider, { where: place, ...rest }, madeOfIt);
    for (let times = 0; times < 3; times += 1) report(one);
    report(other);
    await reports.close();
    expect(await list(sql, one)).toEqual([
      {
        ...one,
        times: 3,
        firstSeenAt: expect.any(Date),
        lastSeenAt: expect.any(Date),
      },
    ]);
    expect(await list(sql, other)).toMatchObject([{ times: 1 }]);
    expect(lines).toHaveLength(2);
    report(one);
    await reports.close();
    expect(await list(sql, one)).toMatchObject([{ times: 4 }]);
    expect(lines).toHaveLength(2);
  });

  test('are at most 200 for a provider; another provider has its own', async ({ sql }) => {
    const known = newSeenAnswer({ provider: 'PROVIDER_C' });
    await seeAnswer(asWorker(sql), known, 1);
    for (let number = 0; number < 200; number += 1)
      await seeAnswer(asWorker(sql), newSeenAnswer({ provider: 'PROVIDER_C' }), 1);
    const more = newSeenAnswer({ provider: 'PROVIDER_C' });
    expect(await seeAnswer(asWorker(sql), more, 1)).toBe('FULL');
    expect(await seeAnswer(asApi(sql), more, 1, { byBrowser: true })).toBe('FULL');
    expect(await list(sql, more)).toEqual([]);
    expect(await seeAnswer(asWorker(sql), { ...known, madeOfIt: 'RetryLater' }, 1)).toBe('AGAIN');
    expect(await seeAnswer(asWorker(sql), newSeenAnswer(), 1)).toBe('FIRST');
  });
});
