import { once } from 'node:events';
import { createInterface, type Interface } from 'node:readline/promises';
import { Writable } from 'node:stream';

/** Shows the operator a message. Standard output has only the transcript. */
export const tell = (line: string): void => void process.stderr.write(`${line}\n`);

export async function askLine(question: string): Promise<string> {
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  try {
    return await answerOf(terminal, question);
  } finally {
    terminal.close();
  }
}

/** The answer; empty if the input has ended. */
async function answerOf(terminal: Interface, question: string): Promise<string> {
  const ended = once(terminal, 'close').then(() => '');
  return (await Promise.race([terminal.question(question), ended])).trim();
}

/** Asks without an echo of the input. */
export async function askSecret(question: string): Promise<string> {
  process.stderr.write(question);
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() });
  const terminal = createInterface({ input: process.stdin, output: silent, terminal: process.stdin.isTTY });
  try {
    return await answerOf(terminal, '');
  } finally {
    terminal.close();
    process.stderr.write('\n');
  }
}
