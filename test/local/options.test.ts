import { expect, test } from 'vitest';
import { readOptions } from '../../local/src/options.ts';

test('a stack for a program takes the addresses of the program', () => {
  const args = ['--headless', '--return-url', 'http://127.0.0.1:1/back', '--webhook-url', 'http://127.0.0.1:1/events'];
  expect(readOptions(args)).toEqual({
    mode: 'headless',
    options: { returnUrl: 'http://127.0.0.1:1/back', webhookUrl: 'http://127.0.0.1:1/events', cache: undefined },
  });
});

test.each([
  [['--frehs'], /^Unknown option '--frehs'.*\nUsage: .*--fresh/s],
  [['fresh'], /Unexpected argument 'fresh'.*\nUsage: /s],
  [['--return-url', 'http://127.0.0.1:1/'], /^--return-url has no effect without --headless\.\nUsage: /],
  [['--headless', '--fresh'], /^--fresh has no effect with --headless\.\nUsage: /],
])('%j is refused, and the refusal lists the options', (args, text) => {
  expect(() => readOptions(args)).toThrow(text);
});
