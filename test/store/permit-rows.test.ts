import { randomBytes } from 'node:crypto';
import { describe, expect } from 'vitest';
import type { AttemptId, GrantId } from '../../src/basics/ids.ts';
import { newId } from '../../src/basics/ids.ts';
import { updatePolicy } from '../../src/store/apps/policies.ts';
import { deleteTenant, insertTenant } from '../../src/store/apps/tenants.ts';
import { moveAttemptToEnd } from '../../src/store/attempts/attempts.ts';
import { moveIdentityAttemptToEnd } from '../../src/store/attempts/identity-attempts.ts';
import { type Database, inTransaction } from '../../src/store/driver/sql.ts';
import { moveGrantToDead } from '../../src/store/grants/grant-end.ts';
import { findGrantOfConnection } from '../../src/store/grants/grants.ts';
import { updateIdentityEnabled, updateIdentitySettings } from '../../src/store/issuers/identity-settings.ts';
import { insertIssuer } from '../../src/store/issuers/issuers.ts';
import { findAttemptFacts, findGrantStatus, findSignInFacts } from '../../src/store/permit-rows.ts';
import { deleteRegistrationApp, updatePaused } from '../../src/store/registrations/known-registrations.ts';
import { insertRegistrationApp } from '../../src/store/registrations/registrations.ts';
import { asWorker, test } from '../kit/postgres.ts';
import { at, seedApp, seedConnection, setEnabled } from '../kit/seed.ts';
import { answerAttempt, answerSignIn, seedAttempt, seedSignIn } from '../kit/seed-attempts.ts';

const YES = { isWanted: true, isAllowed: true, isPaused: false };
const NOT_ALLOWED = { ...YES, isAllowed: false };
const NOTHING = { isWanted: false, isAllowed: false, isPaused: false };

describe('an exchange', () => {
  async function openAttempt(sql: Database) {
    const seeded = await seedApp(sql);
    const attempt = await seedAttempt(sql, seeded, { capabilities: ['PROFILE', 'CONTENT_LIST'] }, answerAttempt);
    const facts = () => findAttemptFacts(asWorker(sql), attempt.attemptId);
    return { ...seeded, appId: seeded.app.appId, seeded, attempt, facts };
  }

  test('is wanted from the callback to the deadline', async ({ sql }) => {
    const { seeded, attempt, facts } = await openAttempt(sql);
    const unanswered = await seedAttempt(sql, seeded);
    expect(await findAttemptFacts(sql, unanswered.attemptId)).toEqual({ ...YES, isWanted: false });
    expect(await facts()).toEqual(YES);
    expect(await at(sql, attempt.expiresAt, -1, facts)).toEqual(YES);
    expect(await at(sql, attempt.expiresAt, 0, facts)).toEqual({ ...YES, isWanted: false });
    await inTransaction(sql, (tx) =>
      moveAttemptToEnd(tx, attempt.attemptId, { status: 'FAILED', resultCode: 'EXCHANGE_FAILED', creatorAction: null }),
    );
    expect(await facts()).toEqual({ ...YES, isWanted: false });
    expect(await findAttemptFacts(sql, newId<AttemptId>())).toEqual(NOTHING);
  });

  test('is allowed by its own app, and not once that is disabled', async ({ sql }) => {
    const { appId, facts } = await openAttempt(sql);
    await setEnabled(sql, appId, false);
    expect(await facts()).toEqual(NOT_ALLOWED);
  });

  test('is allowed by its tenant, not by another one, or the same of another app', async ({ sql }) => {
    const { appId, tenantKey, facts } = await openAttempt(sql);
    await seedApp(sql, { tenantKey });
    await insertTenant(sql, appId, 'another');
    await deleteTenant(sql, appId, tenantKey);
    expect(await facts()).toEqual(NOT_ALLOWED);
  });

  test('is allowed by a policy with all its capabilities', async ({ sql }) => {
    const { appId, facts } = await openAttempt(sql);
    for (const [capabilities, expected] of [
      [['CONTENT_LIST', 'PROFILE'], YES],
      [['PROFILE'], NOT_ALLOWED],
      [[], NOT_ALLOWED],
    ] as const) {
      await updatePolicy(sql, appId, 'PROVIDER_B', { capabilities });
      expect(await facts()).toEqual(expected);
    }
  });

  test('is allowed by its own registration while that serves its app', async ({ sql }) => {
    const { appId, registrations, facts } = await openAttempt(sql);
    const other = await seedApp(sql);
    await insertRegistrationApp(sql, registrations.PROVIDER_B, other.app.appId);
    await insertRegistrationApp(sql, other.registrations.PROVIDER_B, appId);
    expect(await facts()).toEqual(YES);
    await deleteRegistrationApp(sql, registrations.PROVIDER_B, appId);
    expect(await facts()).toEqual(NOT_ALLOWED);
  });

  test('is paused with its registration, and with no other', async ({ sql }) => {
    const { registrations, facts } = await openAttempt(sql);
    await updatePaused(sql, registrations.PROVIDER_A, true);
    expect(await facts()).toEqual(YES);
    await updatePaused(sql, registrations.PROVIDER_B, true);
    expect(await facts()).toEqual({ ...YES, isPaused: true });
  });
});

describe('the exchange of a sign-in', () => {
  async function openSignIn(sql: Database) {
    const seeded = await seedApp(sql);
    const attempt = await seedSignIn(sql, seeded, {}, answerSignIn);
    const facts = () => findSignInFacts(asWorker(sql), attempt.attemptId);
    return { ...seeded, appId: seeded.app.appId, seeded, attempt, facts };
  }

  test('is wanted from the callback to the deadline', async ({ sql }) => {
    const { seeded, attempt, facts } = await openSignIn(sql);
    const unanswered = await seedSignIn(sql, seeded);
    expect(await findSignInFacts(sql, unanswered.attemptId)).toEqual({ ...YES, isWanted: false });
    expect(await facts()).toEqual(YES);
    expect(await at(sql, attempt.expiresAt, -1, facts)).toEqual(YES);
    expect(await at(sql, attempt.expiresAt, 0, facts)).toEqual({ ...YES, isWanted: false });
    await moveIdentityAttemptToEnd(sql, attempt.attemptId, { status: 'FAILED' });
    expect(await facts()).toEqual({ ...YES, isWanted: false });
    expect(await findSignInFacts(sql, newId<AttemptId>())).toEqual(NOTHING);
  });

  test('is allowed by the settings of its own app, though another one has the same', async ({ sql }) => {
    const { appId, tenantKey, issuerId, identityReturnUrl, facts } = await openSignIn(sql);
    const twin = await seedApp(sql, { tenantKey, identityReturnUrl });
    await updateIdentitySettings(sql, twin.app.appId, issuerId, identityReturnUrl);
    await setEnabled(sql, appId, false);
    expect(await facts()).toEqual(NOT_ALLOWED);
    await setEnabled(sql, appId, true);
    await updateIdentityEnabled(sql, appId, false);
    expect(await facts()).toEqual(NOT_ALLOWED);
    await updateIdentityEnabled(sql, appId, true);
    expect(await facts()).toEqual(YES);
    await insertTenant(sql, appId, 'another');
    await deleteTenant(sql, appId, tenantKey);
    expect(await facts()).toEqual(NOT_ALLOWED);
  });

  test('is allowed for the issuer and the return URL with which it began', async ({ sql }) => {
    const { appId, issuerId, identityReturnUrl, facts } = await openSignIn(sql);
    const issuer = {
      issuer: `https://${newId<AttemptId>()}.example`,
      clientId: 'client',
      tokenAuthMethod: 'client_secret_post',
    } as const;
    const otherIssuerId = await insertIssuer(sql, issuer, async () => 'sealed');
    for (const [currentIssuerId, returnUrl, expected] of [
      [otherIssuerId, identityReturnUrl, NOT_ALLOWED],
      [issuerId, 'https://caller.example/elsewhere', NOT_ALLOWED],
      [issuerId, identityReturnUrl, YES],
    ] as const) {
      await updateIdentitySettings(sql, appId, currentIssuerId, returnUrl);
      expect(await facts()).toEqual(expected);
    }
  });
});

/** A grant as `seedConnection` makes it, of this principal. */
async function openGrant(sql: Database, principalMac = randomBytes(32)) {
  const seeded = await seedApp(sql);
  const connectionId = await seedConnection(sql, seeded, { scope: seeded.newScope(), principalMac });
  const grant = await findGrantOfConnection(sql, connectionId);
  if (!grant) return expect.fail('The connection has no grant.');
  return { seeded, connectionId, grant, principalMac };
}

test('a grant has its status, and none once it is gone', async ({ sql }) => {
  const [{ grant }, other] = [await openGrant(sql), await openGrant(sql)];
  await inTransaction(sql, (tx) => moveGrantToDead(tx, grant.grantId));
  expect(await findGrantStatus(sql, grant.grantId)).toBe('DEAD');
  expect(await findGrantStatus(sql, other.grant.grantId)).toBe('LIVE');
  expect(await findGrantStatus(sql, newId<GrantId>())).toBeUndefined();
});
