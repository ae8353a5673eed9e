import { randomBytes } from 'node:crypto';
import { inspect } from 'node:util';
import { describe, expect, test } from 'vitest';
import { makeKeys } from '../../local/src/development-keys.ts';
import { type AssociatedData, associatedData, encodeAssociatedData } from '../../src/vault/associated-data.ts';
import type { KeySet } from '../../src/vault/keys.ts';
import { createOpen, SealBroken } from '../../src/vault/open.ts';
import { createSeal } from '../../src/vault/seal.ts';

const TEXT = 'a refresh token: äöü 🐟';
const bound: AssociatedData = { table: 'account_grant', column: 'sealed_tokens', row: '1' };

const symmetric = (kid: string): KeySet['keys'][number] => ({
  kid,
  kty: 'oct',
  k: randomBytes(32).toString('base64url'),
});
const setOf = (...keys: KeySet['keys'][number][]): KeySet => ({ keys });

const keys = await makeKeys();
const inboxPublic: KeySet = JSON.parse(keys.VAULT_INBOX_PUBLIC_KEYS);
const inboxPrivate: KeySet = JSON.parse(keys.VAULT_INBOX_PRIVATE_KEYS);

describe('a sealed value', () => {
  test('opens with its associated data only', async () => {
    const keys = setOf(symmetric('k1'));
    const sealed = await (await createSeal(keys))(TEXT, bound);
    expect(sealed).not.toContain(TEXT);
    const opened = await (await createOpen(keys))(sealed, bound);
    expect(opened.reveal()).toBe(TEXT);
    expect(`${opened} ${JSON.stringify(opened)} ${inspect(opened)}`).toBe('[secret] "[secret]" [secret]');
  });

  // Made with the key wrap and AES-256-GCM of another library, as in RFC 7516.
  test('of an earlier version opens in every later version', async () => {
    const keys = setOf({ kid: 'k1', kty: 'oct', k: Buffer.alloc(32, 7).toString('base64url') });
    const sealed = [
      'eyJhbGciOiJBMjU2S1ciLCJlbmMiOiJBMjU2R0NNIiwia2lkIjoiazEifQ',
      'GMdhvHNf62JZlrQzysWlz--VteqEsZhDoqo9W7gceXAZ6BoLKzuA7w',
      'AwMDAwMDAwMDAwMD',
      'Z9HxLRjetYZClA2jxDMYNKvmq_yGJUjtkd_66g',
      'BOFPx4N5qODKDVgUgPL9EA',
    ].join('.');
    expect((await (await createOpen(keys))(sealed, bound)).reveal()).toBe(TEXT);
  });

  for (const change of [
    { row: '2' },
    { column: 'sealed_code' },
    { table: 'disconnect_job' },
  ] as Partial<AssociatedData>[]) {
    test(`does not open moved to another ${Object.keys(change)}`, async () => {
      const keys = setOf(symmetric('k1'));
      const sealed = await (await createSeal(keys))(TEXT, bound);
      const open = await createOpen(keys);
      await expect(open(sealed, { ...bound, ...change })).rejects.toBeInstanceOf(SealBroken);
    });
  }

  test('reveals neither text nor key when it fails', async () => {
    const sealed = await (await createSeal(setOf(symmetric('k1'))))(TEXT, bound);
    for (const broken of [sealed, '', 'x', 'a.b.c.d.e', `${sealed}.more`, TEXT]) {
      const error: unknown = await (await createOpen(setOf(symmetric('k1'))))(broken, bound).catch((thrown) => thrown);
      expect(error).toBeInstanceOf(SealBroken);
      expect(String(error)).toMatch(/^SealBroken: [A-Z][a-z ]+\.$/);
      expect((error as Error).cause).toBeUndefined();
    }
  });
});

test('rotation seals with the first key and opens with every configured key', async () => {
  const [old, current] = [symmetric('old'), symmetric('current')];
  const before = await (await createSeal(setOf(old)))(TEXT, bound);
  const after = await (await createSeal(setOf(current, old)))(TEXT, bound);
  const open = await createOpen(setOf(current, old));
  expect((await open(before, bound)).reveal()).toBe(TEXT);
  expect((await open(after, bound)).reveal()).toBe(TEXT);
  await expect((await createOpen(setOf(old)))(after, bound)).rejects.toThrow('a key that is not configured');
  await expect((await createOpen(setOf(current)))(before, bound)).rejects.toThrow('a key that is not configured');
});

test('the inbox is sealed with the public half, which cannot open it, and opened with the private one', async () => {
  const sealed = await (await createSeal(inboxPublic))(TEXT, bound);
  expect((await (await createOpen(inboxPrivate))(sealed, bound)).reveal()).toBe(TEXT);
  await expect((await createOpen(inboxPublic))(sealed, bound)).rejects.toBeInstanceOf(SealBroken);
});

describe('associated data', () => {
  test('of each kind stays as it is: values that are stored already open with no other', () => {
    const texts = Object.entries(associatedData).map(([kind, of]) => [
      kind,
      Buffer.from(encodeAssociatedData(of('1'))).toString(),
    ]);
    expect(Object.fromEntries(texts)).toEqual({
      clientSecret: '["registration","sealed_client_secret","1"]',
      callbackSecret: '["platform_callback_secret","sealed_secret","1"]',
      webhookSecret: '["webhook_secret","sealed_secret","1"]',
      issuerSecret: '["identity_issuer","sealed_client_secret","1"]',
      codeVerifier: '["connect_attempt","sealed_code_verifier","1"]',
      code: '["connect_attempt","sealed_code","1"]',
      identityNonce: '["identity_attempt","sealed_nonce","1"]',
      identityCodeVerifier: '["identity_attempt","sealed_code_verifier","1"]',
      identityCode: '["identity_attempt","sealed_code","1"]',
      identityClaims: '["identity_attempt","sealed_claims","1"]',
      tokens: '["account_grant","sealed_tokens","1"]',
      keptTokens: '["disconnect_job","sealed_tokens","1"]',
    });
  });

  test('is unambiguous for any names', () => {
    const one = encodeAssociatedData({ table: 'a', column: 'b","c', row: 'd' });
    const other = encodeAssociatedData({ table: 'a","b', column: 'c', row: 'd' });
    expect(Buffer.from(one)).not.toEqual(Buffer.from(other));
  });
});
