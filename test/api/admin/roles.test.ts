import { describe, expect } from 'vitest';
import { ADMIN_ROLES, type AdminRole, isPermitted } from '../../../src/domain/rules/roles.ts';
import { OPERATIONS as DECLARED } from '../../../src/generated/admin-operations.ts';
import { OPERATIONS, requestOf } from '../../kit/every-operation.ts';
import { createTestAdmin, Refusal, type TestAdmin } from '../../kit/operator.ts';
import { test } from '../../kit/postgres.ts';

const CASES = OPERATIONS.flatMap((operation) => ADMIN_ROLES.map((role) => ({ ...operation, role })));

/**
 * The role and the effect of each operation, written by hand: a changed word in admin.graphql must be meant, and then
 * changes this table too.
 */
const MEANT: Readonly<Record<string, string>> = {
  'VIEWER READ': `me service overview endedWork apps app appUse tenants registrations registration unknownAnswers identityIssuers
    connectionCount attempts attemptCount attempt signIn tenantKeys jobCount jobs stuckWork job liveState bulkDisconnect bulkDisconnects erasure
    webhookEventTypes webhookEndpoints troubledWebhookEndpoints webhookEndpoint webhookDeliveries webhookDelivery
    erasures proofOfDeletion certificateOfDeletion verifyProofOfDeletion expiringCredentials auditLog auditChoices`,
  'VIEWER READ_PERSON': 'connections connection person find',
  'OPERATOR READ': 'identityIssuerTest',
  'OPERATOR CHANGE': `enableApp resumeRegistration retryRegistration testRegistration clearSpentQuota dismissUnknownAnswer
    enableWebhookEndpoint
    sendTestWebhook redeliverWebhook redeliverWebhooks retryJob retryJobs`,
  'OPERATOR STOP': 'disableApp pauseRegistration disableWebhookEndpoint',
  'OPERATOR END_ONE': 'cancelAttempt disconnectConnection',
  'OPERATOR END_MANY': 'revokeKey eraseSubject',
  'ADMIN READ': 'adminTokens',
  'ADMIN CHANGE': `createApp changeApp changeKey addTenant setBranding setLogo removeLogo setRegistrationPermissions
    setRefreshPolicy setRefreshShare`,
  'ADMIN STOP': 'setDailyQuota',
  'ADMIN END_ONE': 'revokeAdminToken deleteApp deleteRegistration deleteIdentityIssuer',
  'ADMIN END_MANY': `removeTenant removeReturnUrl removeLaunchOrigin removeCallbackSecret stopServingApp removeWebhookEndpoint setDisconnectAfter
    retireWebhookSecret disconnectAll`,
  'ADMIN OPEN': `issueKey addReturnUrl addLaunchOrigin setPolicy setIdentity createRegistration rotateRegistrationSecret
    addCallbackSecret serveApp createIdentityIssuer rotateIdentityIssuerSecret createWebhookEndpoint
    changeWebhookEndpoint rotateWebhookSecret exportSubject createAdminToken`,
};

let admin: TestAdmin;
test.beforeEach(async ({ database }) => {
  admin ??= await createTestAdmin(database.sql);
});

describe('the permissions of a role', () => {
  test('are declared for every operation of the served schema, and begin its description', () => {
    expect(OPERATIONS.map(({ name }) => name).sort()).toEqual(Object.keys(DECLARED).sort());
    for (const { name, field } of OPERATIONS) {
      const { role, effect } = DECLARED[name];
      const begin = ['READ', 'READ_PERSON', 'CHANGE'].includes(effect) ? `${role}. ` : `${role}, ${effect}. `;
      expect(field.description?.startsWith(begin), name).toBe(true);
    }
  });

  test('are those that we mean', () => {
    const declared = Object.entries(DECLARED).map(([name, { role, effect }]) => [name, `${role} ${effect}`]);
    const meant = Object.entries(MEANT).flatMap(([key, names]) => names.split(/\s+/).map((name) => [name, key]));
    expect(Object.fromEntries(declared)).toEqual(Object.fromEntries(meant));
    expect(meant).toHaveLength(declared.length);
  });

  test.for(CASES)('$name as $role', async ({ role, ...operation }, { database }) => {
    const { name, kind } = operation;
    const { text, variables } = requestOf(operation);
    const outcome = await admin
      .as(role)(text, variables)
      .then(
        () => 'DONE',
        (error: unknown) => (error instanceof Refusal ? error.code : Promise.reject(error)),
      );
    if (isPermitted(role, name)) expect(['DONE', 'NOT_FOUND', 'BAD_USER_INPUT']).toContain(outcome);
    else expect(outcome).toBe('FORBIDDEN');
    const [entry] = await database.sql`select action, outcome from audit_log order by audit_id desc limit 1`;
    if (kind === 'mutation' || outcome === 'FORBIDDEN') expect(entry).toEqual({ action: name, outcome });
  });

  test('are checked before an operation changes anything', async ({ database }) => {
    const before = await database.sql`select count(*)::int as count from app`;
    const creating = admin.as('OPERATOR')('mutation { createApp(input: { name: "No" }) { id } }');
    await expect(creating).rejects.toThrow(
      'FORBIDDEN: createApp needs the role ADMIN; this token has the role OPERATOR.',
    );
    expect(await database.sql`select count(*)::int as count from app`).toEqual(before);
  });

  test('include those of every lower role', () => {
    const count = (role: AdminRole) => OPERATIONS.filter(({ name }) => isPermitted(role, name)).length;
    expect(count('VIEWER')).toBeLessThan(count('OPERATOR'));
    expect(count('OPERATOR')).toBeLessThan(count('ADMIN'));
    expect(count('ADMIN')).toBe(OPERATIONS.length);
  });
});
