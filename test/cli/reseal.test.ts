import { describe, expect } from 'vitest';
import { makeKeys } from '../../local/src/development-keys.ts';
import { reseal, SEALED_COLUMNS } from '../../src/cli/reseal.ts';
import { associatedData } from '../../src/vault/associated-data.ts';
import { createOpen } from '../../src/vault/open.ts';
import { createSeal } from '../../src/vault/seal.ts';
import { asMaintenance, test } from '../kit/postgres.ts';
import { seedApp, seedConnection } from '../kit/seed.ts';

const kidOf = (keySet: string): string => JSON.parse(keySet).keys[0].kid;

describe('resealing', () => {
  test('leaves no row under an older key, keeps every value, and counts the rows of each key', async ({ sql }) => {
    const seeded = await seedApp(sql);
    const [old, fresh] = [await makeKeys(), await makeKeys()];
    const rename = (set: string) => set.replaceAll('dev-', 'dev-new-');
    const both = (name: 'VAULT_GRANT_KEYS' | 'VAULT_INBOX_PRIVATE_KEYS' | 'VAULT_EDGE_KEYS') => ({
      keys: [...JSON.parse(rename(fresh[name])).keys, ...JSON.parse(old[name]).keys],
    });
    const keySets = {
      VAULT_GRANT_KEYS: both('VAULT_GRANT_KEYS'),
      VAULT_INBOX_PRIVATE_KEYS: both('VAULT_INBOX_PRIVATE_KEYS'),
      VAULT_EDGE_KEYS: both('VAULT_EDGE_KEYS'),
    };
    await sql`update account_grant set sealed_tokens = null`;
    await sql`update disconnect_job set sealed_tokens = null`;
    const sealGrant = await createSeal(JSON.parse(old.VAULT_GRANT_KEYS));
    const sealInbox = await createSeal(JSON.parse(old.VAULT_INBOX_PUBLIC_KEYS));
    const connectionId = await seedConnection(sql, seeded, { scope: seeded.newScope() });
    const [grant] = await sql`select grant_id from account_grant where connection_id = ${connectionId}`;
    const tokens = associatedData.tokens(grant?.grantId);
    await sql`update account_grant set sealed_tokens = ${await sealGrant('tokens', tokens)} where grant_id = ${grant?.grantId}`;
    for (const registrationId of Object.values(seeded.registrations)) {
      const sealed = await sealInbox('client secret', associatedData.clientSecret(registrationId));
      await sql`update registration set sealed_client_secret = ${sealed} where registration_id = ${registrationId}`;
    }
    const issuer = associatedData.issuerSecret(seeded.issuerId);
    await sql`update identity_issuer set sealed_client_secret = ${await sealInbox('issuer secret', issuer)}`;

    const counted = await reseal(asMaintenance(sql), keySets, { dryRun: true });
    expect(counted.find(({ column }) => column === 'account_grant.sealed_tokens')).toMatchObject({
      keyId: kidOf(old.VAULT_GRANT_KEYS),
      count: 1,
    });

    const uses = await reseal(asMaintenance(sql), keySets, { dryRun: false });
    expect(uses.filter(({ keyId }) => !keyId.startsWith('dev-new-')).every(({ count }) => count === 0)).toBe(true);
    expect(uses).toContainEqual({
      keys: 'VAULT_INBOX_PRIVATE_KEYS',
      column: 'registration.sealed_client_secret',
      keyId: kidOf(old.VAULT_INBOX_PRIVATE_KEYS),
      count: 0,
      resealed: 3,
      unopened: 0,
    });
    const openGrant = await createOpen(JSON.parse(rename(fresh.VAULT_GRANT_KEYS)));
    const [row] = await sql`select sealed_tokens from account_grant where grant_id = ${grant?.grantId}`;
    expect((await openGrant(row?.sealedTokens, tokens)).reveal()).toBe('tokens');
    const openInbox = await createOpen(JSON.parse(rename(fresh.VAULT_INBOX_PRIVATE_KEYS)));
    const [kept] = await sql`select sealed_client_secret from identity_issuer where issuer_id = ${seeded.issuerId}`;
    expect((await openInbox(kept?.sealedClientSecret, issuer)).reveal()).toBe('issuer secret');
    expect((await reseal(asMaintenance(sql), keySets, { dryRun: false })).every(({ resealed }) => resealed === 0)).toBe(
      true,
    );
  });

  test('reseals the others when one value opens with no key, and counts it', async ({ sql }) => {
    const seeded = await seedApp(sql);
    const [lost, old, fresh] = [await makeKeys(), await makeKeys(), await makeKeys()];
    const grantKeys = [fresh, old].flatMap(({ VAULT_GRANT_KEYS: set }, index) =>
      JSON.parse(set).keys.map((key: object) => ({ ...key, kid: `kept-${index}` })),
    );
    const keySets = {
      VAULT_GRANT_KEYS: { keys: grantKeys },
      VAULT_INBOX_PRIVATE_KEYS: JSON.parse(fresh.VAULT_INBOX_PRIVATE_KEYS),
      VAULT_EDGE_KEYS: JSON.parse(fresh.VAULT_EDGE_KEYS),
    };
    await sql`update account_grant set sealed_tokens = null`;
    await sql`update disconnect_job set sealed_tokens = null`;
    for (const set of [JSON.parse(lost.VAULT_GRANT_KEYS), { keys: [grantKeys[1]] }]) {
      const seal = await createSeal(set);
      const connectionId = await seedConnection(sql, seeded, { scope: seeded.newScope() });
      const [grant] = await sql`select grant_id from account_grant where connection_id = ${connectionId}`;
      const sealed = await seal('tokens', associatedData.tokens(grant?.grantId));
      await sql`update account_grant set sealed_tokens = ${sealed} where grant_id = ${grant?.grantId}`;
    }
    const uses = await reseal(asMaintenance(sql), keySets, { dryRun: false });
    const ofGrants = uses.filter(({ column }) => column === 'account_grant.sealed_tokens');
    expect(ofGrants.map(({ count, resealed, unopened }) => ({ count, resealed, unopened }))).toEqual(
      expect.arrayContaining([
        { count: 1, resealed: 0, unopened: 1 }, // Stays under the lost key.
        { count: 0, resealed: 1, unopened: 0 },
        { count: 1, resealed: 0, unopened: 0 },
      ]),
    );
  });

  test('covers every sealed column', async ({ sql }) => {
    const columns = await sql`
      select table_name || '.' || column_name as name from information_schema.columns
      where table_schema = 'public' and column_name like 'sealed\\_%' and is_updatable = 'YES' order by 1
    `;
    const known = Object.values(SEALED_COLUMNS).flatMap((list) =>
      list.map(({ table, column }) => `${table}.${column}`),
    );
    expect(known.sort()).toEqual(columns.map(({ name }) => name));
  });
});
