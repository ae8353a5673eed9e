import type { Readable } from 'node:stream';
import { decodeUtf8 } from '../basics/utf8.ts';

/** In bytes. Far longer than any line that a command takes. */
export const LONGEST_LINE = 256 * 1024;

/** Stands for a line over the bound, of which nothing is kept. */
export const TOO_LONG = Symbol('a line that is too long');
/** Stands for a line that is not UTF-8. */
export const NOT_UTF8 = Symbol('a line that is not UTF-8');
export type InputLine = string | typeof TOO_LONG | typeof NOT_UTF8;

/**
 * The lines of an input. Node's `readline` loses lines that arrive before its loop begins, never ends if the input has
 * ended before, and does not pass on an error of the input. Work and memory are bounded, also for an input without an end of line.
 */
export async function* readLines(input: Readable): AsyncGenerator<InputLine> {
  let parts: Buffer[] = [];
  let length = 0;
  const take = (part: Buffer) => {
    length += part.length;
    if (length > LONGEST_LINE) parts = [];
    else parts.push(part);
  };
  const end = (): InputLine => {
    const line = length > LONGEST_LINE ? TOO_LONG : decodeLine(Buffer.concat(parts));
    parts = [];
    length = 0;
    return line;
  };
  for await (const chunk of input as AsyncIterable<Buffer>) {
    let from = 0;
    for (let at = chunk.indexOf('\n'); at >= 0; at = chunk.indexOf('\n', from)) {
      take(chunk.subarray(from, at));
      yield end();
      from = at + 1;
    }
    take(chunk.subarray(from));
  }
  if (length > 0) yield end();
}

const decodeLine = (bytes: Buffer): InputLine => decodeUtf8(bytes)?.replace(/\r$/, '') ?? NOT_UTF8;

/** The lines that are not empty, numbered from 1. */
export async function* numberLines(lines: AsyncIterable<InputLine>): AsyncGenerator<{ line: number; text: InputLine }> {
  let line = 0;
  for await (const text of lines) {
    line += 1;
    if (typeof text === 'symbol' || text.trim() !== '') yield { line, text };
  }
}
