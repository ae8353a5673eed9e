import { createInterface } from 'node:readline/promises';
import { ServiceError } from '../basics/errors.ts';
import { decodeUtf8 } from '../basics/utf8.ts';

/** The input and output of a command. */
export interface Terminal {
  /** Reads a secret or a person from standard input. */
  readLine(prompt: string): Promise<string>;
  /** Asks the operator to type a name. Undefined without a terminal. */
  readonly askName: ((prompt: string) => Promise<string>) | undefined;
  print(text: string): void;
  /** Shows the operator a message that is not part of the result. */
  warn(text: string): void;
}

async function readLine(prompt: string): Promise<string> {
  if (process.stdin.isTTY) process.stderr.write(prompt);
  const name = prompt.replace(/:? ?$/, '').toLowerCase();
  // One character stands for one byte, so that no byte is lost.
  const input = process.stdin.setEncoding('latin1');
  for await (const bytes of createInterface({ input, terminal: false })) {
    const line = decodeUtf8(Buffer.from(bytes, 'latin1'));
    if (line === undefined) throw new ServiceError('BAD_USER_INPUT', `The ${name} on standard input is not UTF-8.`);
    if (line !== '') return line;
  }
  throw new ServiceError('BAD_USER_INPUT', `Give the ${name} on standard input.`);
}

export const createTerminal = (): Terminal => ({
  readLine,
  askName: process.stdin.isTTY ? readLine : undefined,
  print: (text) => void process.stdout.write(text),
  warn: (text) => void process.stderr.write(`${text}\n`),
});
