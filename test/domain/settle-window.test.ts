import { expect, test } from 'vitest';
import { findSettledWindow, settleWindow } from '../../src/domain/reading/settle-window.ts';
import type { ReadJob } from '../../src/store/jobs/read-jobs.ts';

const at = (time: string) => new Date(`2026-01-20T${time}Z`);
const [publishedAfter, createdAt] = [at('08:00:00.000'), at('12:00:00.000')];
const scan = (fields: Partial<ReadJob>) =>
  ({ publishedAfter, publishedBefore: createdAt, createdAt, windowOmitted: false, ...fields }) as ReadJob;

test('an omitted window is the week before its first page', () => {
  const now = at('12:30:00.000');
  expect(settleWindow(scan({ windowOmitted: true }), now)).toEqual({
    publishedAfter: new Date('2026-01-13T12:30:00.000Z'),
    publishedBefore: now,
    readBefore: now,
    chainStartedAt: now,
  });
});

test.each([
  ['was to end at its request', '12:00:00.000', '12:30:00.000', '12:30:00.000'],
  ['was to end five minutes before its request', '11:55:00.000', '12:30:00.000', '12:30:00.000'],
  ['was to end more than five minutes before', '11:54:59.999', '12:30:00.000', '11:54:59.999'],
  ['ends in the future', '12:45:00.000', '12:30:00.000', '12:45:00.000'],
  ['ends now', '12:30:00.000', '12:30:00.000', '12:30:00.000'],
])('a window that %s', (_how, before, now, end) => {
  const publishedBefore = at(before);
  expect(settleWindow(scan({ publishedBefore }), at(now))).toEqual({
    publishedAfter,
    publishedBefore,
    readBefore: at(end),
    chainStartedAt: at(now),
  });
});

test('a window is settled with the first page of its chain', () => {
  const [publishedBefore, readBefore, chainStartedAt] = [at('12:00:00.000'), at('12:30:00.000'), at('12:20:00.000')];
  const find = (fields: Partial<ReadJob>) => findSettledWindow(scan({ publishedBefore, ...fields }));
  expect(find({ chainStartedAt: null, readBefore: null })).toBeUndefined();
  expect(find({ chainStartedAt, readBefore })).toEqual({ publishedAfter, publishedBefore, readBefore, chainStartedAt });
  expect(find({ chainStartedAt, readBefore: null })?.readBefore).toEqual(publishedBefore);
});

test.each(['publishedAfter', 'publishedBefore'] as const)('a scan without %s is a fault of ours', (lost) => {
  expect(() => settleWindow(scan({ [lost]: null }), createdAt)).toThrow('A scan has lost its window.');
});
