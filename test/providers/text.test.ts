import { expect, test } from 'vitest';
import { parseUrl } from '../../src/providers/text.ts';

test('parses a URL with a name beyond ASCII after many other URLs', () => {
  // Node 20's `URL.canParse` refuses such a name once its fast path is compiled.
  for (let call = 0; call < 50_000; call++) parseUrl(`https://www.example.org/p/${call}`);
  expect(parseUrl('https://bücher.example/p/1')?.hostname).toBe('xn--bcher-kva.example');
});
