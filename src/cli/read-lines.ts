import type { Readable } from 'node:stream';

/** In UTF-16 units. Far longer than any line that a command takes. */
export const LONGEST_LINE = 256 * 1024;

/** Stands for a line over the bound, of which nothing is kept. */
export const TOO_LONG = Symbol('a line that is too long');
export type InputLine = string | typeof TOO_LONG;

/**
 * The lines of an input. Node's `readline` loses lines that arrive before its loop begins, never ends if the input has
 * ended before, and does not pass on an error of the input. Work and memory are bounded, also for an input without an end of line.
 */
export async function* readLines(input: Readable): AsyncGenerator<InputLine> {
  let parts: string[] = [];
  let length = 0;
  const take = (part: string) => {
    length += part.length;
    if (length > LONGEST_LINE) parts = [];
    else parts.push(part);
  };
  const end = (): InputLine => {
    const line = length > LONGEST_LINE ? TOO_LONG : parts.join('').replace(/\r$/, '');
    parts = [];
    length = 0;
    return line;
  };
  for await (const chunk of input.setEncoding('utf8') as AsyncIterable<string>) {
    let from = 0;
    for (let at = chunk.indexOf('\n'); at >= 0; at = chunk.indexOf('\n', from)) {
      take(chunk.slice(from, at));
      yield end();
      from = at + 1;
    }
    take(chunk.slice(from));
  }
  if (length > 0) yield end();
}

/** The lines that are not empty, numbered from 1. */
export async function* numberLines(lines: AsyncIterable<InputLine>): AsyncGenerator<{ line: number; text: InputLine }> {
  let line = 0;
  for await (const text of lines) {
    line += 1;
    if (text === TOO_LONG || text.trim() !== '') yield { line, text };
  }
}
