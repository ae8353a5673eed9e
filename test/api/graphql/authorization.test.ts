import { describe, expect, test, vi } from 'vitest';
import { createAuthenticator } from '../../../src/api/graphql/authorization.ts';
import { FailureDelay } from '../../../src/api/http/failure-delay.ts';
import { AUTHORIZATION, KEY_ID, owner, SECRET } from '../../kit/graphql-service.ts';

const code = (code: string) => expect.objectContaining({ name: 'ServiceError', code });

test('an app is refused requests beyond its rate', async () => {
  const authenticate = createAuthenticator(async () => owner({ requestsPerSecond: 5 }));
  const outcomes = await Promise.allSettled(Array.from({ length: 9 }, () => authenticate(AUTHORIZATION, 'a')));
  expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(5);
  await expect(authenticate(AUTHORIZATION, 'a')).rejects.toMatchObject({
    code: 'RATE_LIMITED',
    details: { retryAfterSeconds: 1 },
  });
});

describe('guesses from one address', () => {
  const GUESSES = { rate: { perSecond: 1, burst: 3 }, delayMs: 1_000, maxWaiting: 5 };
  const guess = (n: number) => `Bearer ${KEY_ID.slice(0, -3)}${String(n).padStart(3, '0')}.${SECRET}`;
  const stage = () => {
    const waited = vi.fn(async (_ms: number) => {});
    const findKeyOwner = vi.fn(async (keyId: string) => (keyId === KEY_ID ? owner() : undefined));
    const authenticate = createAuthenticator(findKeyOwner, {
      delays: new FailureDelay({ ...GUESSES, wait: waited }, () => 0),
    });
    return { waited, findKeyOwner, authenticate };
  };

  test('always get the same answer, delayed after the first few', async () => {
    const { authenticate, waited } = stage();
    for (let n = 0; n < 10; n += 1) {
      await expect(authenticate(guess(n), 'proxy')).rejects.toEqual(code('UNAUTHENTICATED'));
    }
    await expect(authenticate('nonsense', 'proxy')).rejects.toEqual(code('UNAUTHENTICATED'));
    expect(waited.mock.calls).toEqual(Array.from({ length: 8 }, () => [1_000]));
  });

  test('neither refuse nor delay a valid key from the same address', async () => {
    const { authenticate, waited } = stage();
    await Promise.allSettled(Array.from({ length: 500 }, (_, n) => authenticate(guess(n), 'proxy')));
    waited.mockClear();
    await expect(authenticate(AUTHORIZATION, 'proxy')).resolves.toMatchObject({ name: 'Demo' });
    expect(waited).not.toHaveBeenCalled();
  });
});
