import { randomBytes } from 'node:crypto';
import { expect } from 'vitest';
import { type AttemptId, newId } from '../../src/basics/ids.ts';
import { beginImport, completeImport } from '../../src/domain/connecting/import-grant.ts';
import { permitImport } from '../../src/domain/connecting/permit-attempt.ts';
import { type Database, inTransaction } from '../../src/store/driver/sql.ts';
import { openStage } from '../kit/activity-stage.ts';
import { test } from '../kit/postgres.ts';
import { setEnabled } from '../kit/seed.ts';
import { seedAttempt } from '../kit/seed-attempts.ts';

const profile = { displayName: null, handle: null, avatarUrl: null, profileUrl: null, description: null };

/** A grant of another system that is stored and becomes a connection next. */
async function openImport(sql: Database) {
  const { deps, seeded } = await openStage(sql);
  const registrationId = seeded.registrations.PROVIDER_B;
  const begin = () =>
    inTransaction(sql, (tx) =>
      beginImport(tx, {
        appId: seeded.app.appId,
        scope: seeded.newScope(),
        capabilities: ['PROFILE'],
        grant: {
          grantId: newId(),
          provider: 'PROVIDER_B',
          registrationId,
          principalMacs: [randomBytes(32)],
          permissions: ['user.info.basic', 'user.info.profile'],
          sealedTokens: 'sealed',
          accessExpiresAt: null,
          refreshExpiresAt: null,
        },
        importMac: randomBytes(32),
        tokenLifeDays: null,
      }),
    );
  const complete = (attemptId: AttemptId) =>
    inTransaction(sql, (tx) =>
      completeImport(deps, tx, attemptId, {
        providerAccountId: 'account-1',
        aliasIds: [],
        profile,
        accountMacs: [randomBytes(32)],
      }),
    );
  return { deps, seeded, registrationId, begin, complete };
}

test('a stored grant becomes a connection of its account', async ({ sql }) => {
  const { begin, complete } = await openImport(sql);
  const connectionId = await complete(await begin());
  const rows = await sql`select status, provider_account_id from connection where connection_id = ${connectionId}`;
  expect(rows).toEqual([{ status: 'CONNECTED', providerAccountId: 'account-1' }]);
});

test('a stored grant becomes no connection, and stays, if the rules of a connect refuse it', async ({ sql }) => {
  const { seeded, begin, complete } = await openImport(sql);
  const attemptId = await begin();
  await setEnabled(sql, seeded.app.appId, false);
  await expect(complete(attemptId)).rejects.toMatchObject({ code: 'POLICY_CHANGED', connectionId: null });
  expect(await sql`select status from account_grant where attempt_id = ${attemptId}`).toEqual([{ status: 'PENDING' }]);
  await setEnabled(sql, seeded.app.appId, true);
  expect(await complete(attemptId)).toEqual(expect.any(String));
});

test('an attempt that is gone, or has no grant, becomes no connection', async ({ sql }) => {
  const { seeded, complete } = await openImport(sql);
  await expect(complete(newId())).rejects.toMatchObject({ code: 'EXPIRED' });
  const { attemptId: withoutGrant } = await seedAttempt(sql, seeded);
  await expect(complete(withoutGrant)).rejects.toMatchObject({ code: 'EXPIRED' });
});

test('an import at a paused registration is refused, and may be tried again', async ({ sql }) => {
  const { deps, seeded, registrationId } = await openImport(sql);
  const { appId } = seeded.app;
  const permit = () =>
    permitImport(deps, sql, {
      appId,
      tenantKey: seeded.tenantKey,
      provider: 'PROVIDER_B',
      registrationId,
      capabilities: ['PROFILE'],
    });
  expect(await permit()).toEqual({ fault: undefined, capabilities: ['PROFILE'] });
  await sql`update registration set paused_at = business_now() where registration_id = ${registrationId}`;
  expect(await permit()).toEqual({
    fault: {
      resultCode: 'REGISTRATION_PAUSED',
      error: expect.objectContaining({
        code: 'FORBIDDEN',
        message: 'The provider registration at PROVIDER_B is paused.',
      }),
    },
  });
});
