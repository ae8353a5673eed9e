import { createHmac } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { Secret } from '../../../src/basics/secret.ts';
import { createEventsCallback } from '../../../src/providers/provider-b/callbacks.ts';
import { configFor, MARK, NOW } from '../../kit/fake-platform.ts';

const MAX_AGE_SECONDS = 3_600;
const callback = createEventsCallback(
  configFor('https://far.side', { PROVIDER_B_EVENT_MAX_AGE_SECONDS: MAX_AGE_SECONDS }),
);
const secret = `${MARK}-client-secret`;
const nowSeconds = NOW.getTime() / 1000;

const removed = {
  client_key: 'client-1',
  event: 'authorization.removed',
  create_time: nowSeconds - 10,
  user_openid: '-000aZ3kExampleOpenId7Qw',
  content: '{"reason":1}',
};

interface Twist {
  readonly body?: string | Buffer;
  readonly signedAt?: number;
  readonly key?: string;
  readonly header?: (t: number, s: string) => string | undefined;
}

function read(event: object, { signedAt = nowSeconds, key = secret, header, ...twist }: Twist = {}) {
  const text = JSON.stringify(event);
  const signature = createHmac('sha256', key).update(`${signedAt}.${text}`).digest('hex');
  const value = header ? header(signedAt, signature) : `t=${signedAt},s=${signature}`;
  return callback.read({
    body: Buffer.from(twist.body ?? text),
    header: (name) => (name === 'tiktok-signature' ? value : undefined),
    clientId: 'client-1',
    secret: new Secret(secret),
    now: NOW,
  });
}

describe('an authorization.removed event', () => {
  test('names the account and the time', () => {
    expect(read(removed)).toEqual({
      kind: 'removal',
      accountId: removed.user_openid,
      happenedAt: new Date(NOW.getTime() - 10_000),
      byUs: false,
    });
  });

  test.each([
    ['{"reason":5}', true],
    ['{"reason":2}', false],
  ])('with content %s counts as our own revoke: %s', (content, byUs) => {
    expect(read({ ...removed, content })).toMatchObject({ kind: 'removal', byUs });
  });

  test.each([
    ['without create_time', { ...removed, create_time: undefined }],
    ['from the future', { ...removed, create_time: nowSeconds + 301 }],
    ['without an account', { ...removed, user_openid: '' }],
    ['of another client', { ...removed, client_key: 'client-2' }],
  ])('%s is refused', (_what, event) => {
    expect(read(event)).toBeUndefined();
  });
});

test.each<[string, Twist]>([
  ['made with another secret', { key: 'another' }],
  ['of another body', { body: JSON.stringify({ ...removed, user_openid: 'somebody-else' }) }],
  ['that is missing', { header: () => undefined }],
  ['with an altered time', { header: (t, s) => `t=${t + 1},s=${s}` }],
  ['without its time', { header: (_t, s) => `s=${s}` }],
  ['from the future', { signedAt: nowSeconds + 301 }],
  ['older than the setting allows', { signedAt: nowSeconds - MAX_AGE_SECONDS - 1 }],
])('a signature %s is refused', (_what, twist) => {
  expect(read(removed, twist)).toBeUndefined();
});
