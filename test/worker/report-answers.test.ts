import { describe, expect } from 'vitest';
import type { Log } from '../../src/basics/log.ts';
import { listUnknownAnswers, noteUnknownAnswer, type SeenAnswer } from '../../src/store/unknown-answers.ts';
import { createAnswerReports } from '../../src/worker/report-answers.ts';
import { asApi, asWorker, type Database, test } from '../kit/postgres.ts';
import { newSeenAnswer } from '../kit/seed.ts';

function createLogSpy() {
  const lines: string[] = [];
  const add = (message: string) => void lines.push(message);
  const log = { info: add, warn: add, error: add } as unknown as Log;
  return { log, lines };
}

const list = async (sql: Database, { code }: Pick<SeenAnswer, 'code'>) =>
  (await listUnknownAnswers(sql, { provider: null, limit: 1_000, after: null })).filter((row) => row.code === code);

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
        unknownAnswerId: expect.any(String),
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
    for (let number = 0; number < 201; number += 1)
      await noteUnknownAnswer(asWorker(sql), newSeenAnswer({ provider: 'PROVIDER_C' }), 1);
    const more = newSeenAnswer({ provider: 'PROVIDER_C' });
    expect(await noteUnknownAnswer(asWorker(sql), more, 1)).toBe('FULL');
    expect(await noteUnknownAnswer(asApi(sql), more, 1, { byBrowser: true })).toBe('FULL');
    expect(await list(sql, more)).toEqual([]);
    const [known] = await listUnknownAnswers(sql, { provider: 'PROVIDER_C', limit: 1, after: null });
    if (known === undefined) throw new Error('There is none.');
    expect(await noteUnknownAnswer(asWorker(sql), { ...known, madeOfIt: 'RetryLater' }, 1)).toBe('AGAIN');
    expect(await noteUnknownAnswer(asWorker(sql), newSeenAnswer(), 1)).toBe('FIRST');
  });

  test('cost no call anything while the database is away', async ({ sql }) => {
    const { log, lines } = createLogSpy();
    const away = (() => {
      throw new Error('away');
    }) as unknown as Database;
    const reports = createAnswerReports(away, log);
    const { provider, place, madeOfIt, ...rest } = newSeenAnswer();
    reports.report(provider, { where: place, ...rest }, madeOfIt);
    await reports.close();
    expect(lines).toEqual(['Unknown answers of providers were not written']);
    expect(await list(sql, rest)).toEqual([]);
  });
});
