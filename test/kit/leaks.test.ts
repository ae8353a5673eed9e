import { createHash, randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Secrets } from './leaks.ts';

const secret = fc.string({ unit: 'grapheme', minLength: 6, maxLength: 80 });
const around = fc.string({ unit: 'grapheme', maxLength: 40 });

const FORMS: Readonly<Record<string, (text: string) => string>> = {
  'as it is': (text) => text,
  'in JSON': (text) => JSON.stringify({ text }),
  'in base64': (text) => Buffer.from(text).toString('base64'),
  'in base64url': (text) => Buffer.from(text).toString('base64url'),
};

describe('a search for secrets', () => {
  for (const [name, form] of Object.entries(FORMS)) {
    test(`finds a secret anywhere in a text, ${name}`, () => {
      fc.assert(
        fc.property(secret, around, around, (value, before, after) => {
          const secrets = new Secrets();
          secrets.add('token', value);
          const text = form(`${before}${value}${after}`);
          expect(secrets.findIn([{ where: 'a log', text }])).toEqual(['token in a log']);
        }),
      );
    });
  }

  test('finds a secret in a URL', () => {
    fc.assert(
      fc.property(secret, around, (value, other) => {
        const secrets = new Secrets();
        secrets.add('token', value);
        const text = `https://caller.example/?a=${encodeURIComponent(other)}&b=${encodeURIComponent(value)}`;
        expect(secrets.findIn([{ where: 'a log', text }])).toEqual(['token in a log']);
      }),
    );
  });

  test('finds a verifier from its challenge alone', () => {
    const verifier = randomBytes(32).toString('base64url');
    const secrets = new Secrets();
    secrets.addDigest('code verifier', createHash('sha256').update(verifier).digest('base64url'));
    expect(secrets.findIn([{ where: 'a log', text: `{"code_verifier":"${verifier}"}` }])).toEqual([
      'code verifier in a log',
    ]);
  });

  test('finds nothing in clean text, and refuses secrets short enough to occur by chance', () => {
    const secrets = new Secrets();
    secrets.add('token', randomBytes(16).toString('hex'));
    secrets.addDigest('code verifier', randomBytes(32).toString('base64url'));
    expect(secrets.findIn([{ where: 'a log', text: randomBytes(4096).toString('base64') }])).toEqual([]);
    expect(() => secrets.add('token', 'short')).toThrow(/by chance/);
  });
});
