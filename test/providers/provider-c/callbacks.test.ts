import { createHmac } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { Secret } from '../../../src/basics/secret.ts';
import { dataDeletionCallback, deauthorizeCallback } from '../../../src/providers/provider-c/callbacks.ts';
import { MARK, NOW } from '../../kit/fake-platform.ts';

const secret = `${MARK}-app-secret`;
const issuedAt = NOW.getTime() / 1000 - 60;
const payload = { algorithm: 'HMAC-SHA256', issued_at: issuedAt, user_id: '24680135791357911' };

const encode = (text: string) => Buffer.from(text).toString('base64url');
const sign = (encoded: string, key = secret) => createHmac('sha256', key).update(encoded).digest('base64url');
const signed = (what: object | string, key = secret) => {
  const encoded = encode(typeof what === 'string' ? what : JSON.stringify(what));
  return `${sign(encoded, key)}.${encoded}`;
};
const form = (signedRequest: string) => new URLSearchParams({ signed_request: signedRequest }).toString();
const readBody = (body: string, callback = deauthorizeCallback) =>
  callback.read({
    body: Buffer.from(body),
    header: () => undefined,
    clientId: 'client-1',
    secret: new Secret(secret),
    now: NOW,
  });

describe.each([
  ['deauthorize', deauthorizeCallback, { kind: 'removal', byUs: false }],
  ['data-deletion', dataDeletionCallback, { kind: 'deletion' }],
] as const)('%s', (path, callback, notice) => {
  test('names the account and the time', () => {
    expect(callback.path).toBe(path);
    expect(readBody(form(signed(payload)), callback)).toEqual({
      ...notice,
      accountId: '24680135791357911',
      happenedAt: new Date(issuedAt * 1000),
    });
  });
});

test('a numeric id beyond 2^53 keeps all its digits', () => {
  const text = JSON.stringify(payload).replace('"24680135791357911"', '24680135791357911');
  expect(readBody(form(signed(text)))).toMatchObject({ accountId: '24680135791357911' });
});

test('an old notification is accepted: the service compares it with the grant’s age', () => {
  expect(readBody(form(signed({ ...payload, issued_at: 1 })))).toMatchObject({ happenedAt: new Date(1000) });
});

const good = signed(payload);
const [signature = '', encoded = ''] = good.split('.');
test.each([
  ['signed with another secret', form(signed(payload, 'another'))],
  ['with another payload', form(`${signature}.${encode(JSON.stringify({ ...payload, user_id: '1' }))}`)],
  ['without a signature', form(`.${encoded}`)],
  ['without a payload', form(`${signature}.`)],
  ['with another algorithm', form(signed({ ...payload, algorithm: 'hmac-sha256' }))],
  ['with algorithm none', form(signed({ ...payload, algorithm: 'none' }))],
  ['from the future', form(signed({ ...payload, issued_at: NOW.getTime() / 1000 + 301 }))],
  ['without its time', form(signed({ ...payload, issued_at: undefined }))],
  ['without an account', form(signed({ ...payload, user_id: '' }))],
])('a notification %s is refused', (_what, body) => {
  expect(readBody(body)).toBeUndefined();
});
