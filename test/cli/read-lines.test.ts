import { Readable } from 'node:stream';
import { describe, expect, test } from 'vitest';
import { NOT_UTF8, readLines, TOO_LONG } from '../../src/cli/read-lines.ts';
import { stretch } from '../kit/busy.ts';

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

  test('cost time and memory in proportion to the input, also without an end of line', async () => {
    const chunk = Buffer.alloc(64 * 1024, 'x');
    let most = 0;
    async function* endless() {
      for (let sent = 0; sent < 64 * 1024 * 1024; sent += chunk.length) {
        most = Math.max(most, process.memoryUsage().heapUsed);
        yield chunk;
      }
    }
    const before = process.memoryUsage().heapUsed;
    const startedAtMs = performance.now();
    expect(await collect(readLines(Readable.from(endless(), { objectMode: false })))).toEqual([TOO_LONG]);
    // Took minutes and 600 MB when each chunk was joined with all before it.
    expect(performance.now() - startedAtMs).toBeLessThan(stretch(20_000));
    expect(most - before).toBeLessThan(64 * 1024 * 1024);
  });
});
