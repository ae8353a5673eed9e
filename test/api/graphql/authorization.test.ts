import { randomUUID } from 'node:crypto';
import { describe, expect, test, vi } from 'vitest';
import { createAuthenticator, readCredentials } from '../../../src/api/graphql/authorization.ts';
import { AUTHORIZATION, KEY_ID, owner, SECRET } from '../service.ts';

const code = (code: string) => expect.objectContaining({ name: 'ServiceError', code });

describe('credentials', () => {
  test('are a UUID and 64 hexadecimal digits', () => {
    expect(readCredentials(AUTHORIZATION)).toEqual({ keyId: KEY_ID, secretSha256: owner().secretSha256 });
  });
  test('name the same key in upper case', () => {
    expect(readCredentials(`Bearer ${KEY_ID.toUpperCase()}.${SECRET}`).keyId).toBe(KEY_ID);
  });
  test.each([
    null,
    '',
    'Bearer',
    'Bearer ',
    `${KEY_ID}.${SECRET}`,
    `bearer ${KEY_ID}.${SECRET}`,
    `Bearer  ${KEY_ID}.${SECRET}`,
    `Bearer ${KEY_ID}.${SECRET} `,
    `Bearer ${KEY_ID}.${SECRET}\n`,
    `Bearer ${KEY_ID}:${SECRET}`,
    `Bearer ${KEY_ID}.${SECRET}a`,
    `Bearer ${KEY_ID}.${SECRET.slice(1)}`,
    `Bearer ${KEY_ID}.${SECRET.slice(1)}g`,
    `Bearer ${KEY_ID.replaceAll('-', '')}.${SECRET}`,
    `Bearer ${'-'.repeat(36)}.${SECRET}`,
    `Bearer ${KEY_ID}.${SECRET}, Bearer ${KEY_ID}.${SECRET}`,
    `Basic ${KEY_ID}.${SECRET}`,
  ])('not %j', async (header) => {
    const findKeyOwner = vi.fn(async () => owner());
    await expect(createAuthenticator(findKeyOwner)(header, 'a')).rejects.toEqual(code('UNAUTHENTICATED'));
    expect(findKeyOwner).not.toHaveBeenCalled();
  });
});

describe('a key', () => {
  const trying = async (found: ReturnType<typeof owner> | undefined) =>
    await createAuthenticator(async () => found)(AUTHORIZATION, 'a');

  test('that is good names its app, without its secret', async () => {
    const { secretSha256: _secret, usable: _usable, ...app } = owner();
    expect(await trying(owner())).toEqual(app);
  });
  test('that is unknown', () => expect(trying(undefined)).rejects.toEqual(code('UNAUTHENTICATED')));
  test('that is revoked or expired', () =>
    expect(trying(owner({ usable: false }))).rejects.toEqual(code('UNAUTHENTICATED')));
  test('with another secret', () =>
    expect(trying(owner({ secretSha256: Buffer.alloc(32) }))).rejects.toEqual(code('UNAUTHENTICATED')));
  test('of a disabled app', () => expect(trying(owner({ enabled: false }))).rejects.toEqual(code('FORBIDDEN')));
  test('of a disabled app, with another secret', () =>
    expect(trying(owner({ enabled: false, secretSha256: Buffer.alloc(32) }))).rejects.toEqual(code('UNAUTHENTICATED')));
});

test('an app gets as many requests a second as it may send', async () => {
  const authenticate = createAuthenticator(async () => owner({ requestsPerSecond: 5 }));
  const outcomes = await Promise.allSettled(Array.from({ length: 9 }, () => authenticate(AUTHORIZATION, 'a')));
  expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(5);
  await expect(authenticate(AUTHORIZATION, 'a')).rejects.toMatchObject({ code: 'RATE_LIMITED', retryAfterSeconds: 1 });
});

test('guessing from one address is bounded, and locks out neither other addresses nor proven keys', async () => {
  const findKeyOwner = vi.fn(async (keyId: string) => (keyId === KEY_ID ? owner() : undefined));
  const authenticate = createAuthenticator(findKeyOwner);
  await authenticate(AUTHORIZATION, 'proxy');
  findKeyOwner.mockClear();

  const guess = (n: number) => `Bearer ${KEY_ID.slice(0, -3)}${String(n).padStart(3, '0')}.${SECRET}`;
  const outcomes = await Promise.allSettled(Array.from({ length: 500 }, (_, n) => authenticate(guess(n), 'proxy')));
  const reasons = outcomes.map((outcome) => outcome.status === 'rejected' && outcome.reason.code);
  expect(new Set(reasons)).toEqual(new Set(['UNAUTHENTICATED', 'RATE_LIMITED']));
  expect(findKeyOwner.mock.calls.length).toBeLessThan(60);

  await expect(authenticate(AUTHORIZATION, 'proxy')).resolves.toMatchObject({ name: 'Demo' });
  await expect(authenticate(guess(1), 'elsewhere')).rejects.toEqual(code('UNAUTHENTICATED'));
});

test('keys that are good are no guesses, however many of them come first from one address', async () => {
  const authenticate = createAuthenticator(async () => owner({ requestsPerSecond: 5_000 }));
  for (let count = 0; count < 200; count += 1) {
    const keyId = randomUUID();
    const atOnce = Array.from({ length: 5 }, () => authenticate(`Bearer ${keyId}.${SECRET}`, 'a'));
    for (const one of atOnce) await expect(one).resolves.toMatchObject({ enabled: true });
  }
});
