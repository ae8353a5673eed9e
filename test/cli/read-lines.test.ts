import { Readable } from 'node:stream';
import { describe, expect, test } from 'vitest';
import { NOT_UTF8, readLines, TOO_LONG } from '../../src/cli/read-lines.ts';

const collect = async <T>(items: AsyncIterable<T>) => {
  const all: T[] = [];
  for await (const item of items) all.push(item);
  return all;
};
const linesOf = (chunks: readonly (string | Buffer)[]) =>
  collect(readLines(Readable.from(chunks, { objectMode: false })));

describe('the lines of an input', () => {
  test.for([
    [['one\ntwo\r\nthree'], ['one', 'two', 'three']],
    [
      ['o', 'n', 'e', '\r', '\n', 't', 'wo\n'],
      ['one', 'two'],
    ],
    [
      ['\n\n', 'a\n'],
      ['', '', 'a'],
    ],
    [[Buffer.from('ü').subarray(0, 1), Buffer.from('ü').subarray(1), '\n'], ['ü']],
    [
      [Buffer.from('ascii\nm\xfcller\r\nmüller', 'latin1'), '\n'],
      ['ascii', NOT_UTF8, NOT_UTF8],
    ],
    [[Buffer.from('efbbbf6f6e65', 'hex')], ['one']],
    [[], []],
  ] as const)('%j are %j', async ([chunks, lines]) => {
    expect(await linesOf([...chunks])).toEqual(lines);
  });

  test('that are too long are refused, and the others are read', async () => {
    const most = 'x'.repeat(256 * 1024);
    expect(await linesOf(['before\n', most, '\nmiddle\n', most, 'x', '\nafter\n', most, 'xy'])).toEqual([
      'before',
      most,
      'middle',
      TOO_LONG,
      'after',
      TOO_LONG,
    ]);
  });
});
