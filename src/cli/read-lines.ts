import type { Readable } from 'node:stream';

/**
 * The lines of an input. Node's `readline` loses lines that arrive before its loop begins, never ends if the input has
 * ended before, and does not pass on an error of the input.
 */
export async function* readLines(input: Readable): AsyncGenerator<string> {
  let rest = '';
  for await (const chunk of input.setEncoding('utf8')) {
    const lines = `${rest}${chunk}`.split(/\r?\n/);
    rest = lines.pop() ?? '';
    yield* lines;
  }
  if (rest !== '') yield rest;
}
