import { randomBytes } from 'node:crypto';
import { describe, expect } from 'vitest';
import { createInProcessAdmin } from '../../../src/api/admin/in-process.ts';
import { createCatalog } from '../../../src/providers/catalog.ts';
import { listDailyQuotas } from '../../../src/providers/facts.ts';
import { findCallbackRegistration } from '../../../src/store/erasures/platform-callbacks.ts';
import { countUnits } from '../../../src/store/registrations/registration-usage.ts';
import { getCallLimits, updateQuotaSpent } from '../../../src/store/registrations/registrations.ts';
import { associatedData } from '../../../src/vault/associated-data.ts';
import { configFor } from '../../kit/fake-platform.ts';
import { refusalOf, useAdmin, useApp } from '../../kit/operator.ts';
import { test } from '../../kit/postgres.ts';
import { rejectClient, seedApp, seedConnection } from '../../kit/seed.ts';
import { insertJob } from '../../kit/seed-jobs.ts';

const QUOTAS = listDailyQuotas(createCatalog(configFor('https://platform.example')));

const { admin, operator } = useAdmin();
const seeded = useApp();

describe('a registration', () => {
  test('is not paused by a dry run, which counts its connections', async ({ sql }) => {
    await seedConnection(sql, seeded, { scope: seeded.newScope() });
    const id = seeded.registrations.PROVIDER_B;
    const pause = (dryRun: boolean) =>
      operator.run('pauseRegistration', { id, dryRun }, 'connectionCount registration { pausedAt }');
    expect(await pause(true)).toEqual({ connectionCount: 1, registration: { pausedAt: null } });
    expect(await operator.run('registration', { id }, 'pausedAt')).toEqual({ pausedAt: null });
    expect(await pause(false)).toMatchObject({ registration: { pausedAt: expect.any(String) } });
  });

  test('asks for all permissions that the service uses, or for those that its platform has approved', async () => {
    const { PROVIDER_B: id } = seeded.registrations;
    const fields = 'permissions { name isAsked isNeeded } capabilities';
    const set = (permissions: readonly string[] | null) =>
      operator.run('setRegistrationPermissions', { id, permissions }, fields);
    const read = (of: string) => operator.run('registration', { id: of }, fields);
    expect(await set(['user.info.basic', 'video.list'])).toEqual({
      permissions: [
        { name: 'user.info.basic', isAsked: true, isNeeded: true },
        { name: 'user.info.profile', isAsked: false, isNeeded: false },
        { name: 'video.list', isAsked: true, isNeeded: false },
      ],
      capabilities: ['PROFILE', 'CONTENT_LIST', 'CONTENT_LOOKUP', 'CONTENT_METRICS'],
    });
    const basic = 'user.info.basic';
    for (const wrong of [[], ['video.list'], [basic, basic], [basic, 'user.info.stats']])
      expect(await refusalOf(set(wrong)), wrong.join()).toMatchObject({ code: 'BAD_USER_INPUT' });
    expect((await read(id)).permissions[1].isAsked).toBe(false);
    expect((await set([basic])).capabilities).toEqual(['PROFILE']);
    await set(null);
    expect((await read(id)).permissions.every(({ isAsked }: { isAsked: boolean }) => isAsked)).toBe(true);
  });

  test('shows since when its platform refuses many accounts, until an operator accepts it', async ({ database }) => {
    const { PROVIDER_B: id, PROVIDER_A: other } = seeded.registrations;
    const doubtedAt = async (of: string) => (await operator.run('registration', { id: of }, 'doubtedAt')).doubtedAt;
    await database.sql`update registration set downgrades_held_at = business_now() where registration_id = ${id}`;
    expect([await doubtedAt(id), await doubtedAt(other)]).toEqual([expect.any(String), null]);
    await operator.run('retryRegistration', { id });
    expect(await doubtedAt(id)).toBeNull();
  });

  test('accepts a new secret, which is never shown and only the worker opens', async ({ database }) => {
    const id = seeded.registrations.PROVIDER_B;
    const secret = `s3cret-${randomBytes(8).toString('hex')}`;
    await rejectClient(database.sql, id);
    const rotated = operator.run('rotateRegistrationSecret', { id, clientSecret: secret }, 'rejectedAt testedAt');
    expect(await rotated).toEqual({ rejectedAt: null, testedAt: null }); // Nothing is known of it yet.
    const [row] = await database.sql`select sealed_client_secret from registration where registration_id = ${id}`;
    expect(row?.sealedClientSecret).toMatch(/^ey/);
    expect(admin.lines.join('\n')).not.toContain(secret);
  });

  test.for(['rotateRegistrationSecret', 'retryRegistration'] as const)(
    'wakes the jobs that wait for a client that was refused: %s',
    async (mutation, { database: { sql } }) => {
      const id = seeded.registrations.PROVIDER_B;
      await rejectClient(sql, id);
      const waits = { tries: 6, lastFailure: 'PROVIDER_UNAVAILABLE', nextRetryAt: new Date(Date.now() + 3_600_000) };
      const connectionIds = [1, 2].map(() => seedConnection(sql, seeded, { scope: seeded.newScope() }));
      for (const connectionId of await Promise.all(connectionIds))
        await insertJob(sql, seeded, { kind: 'LOOKUP', connectionId, status: 'RUNNING', ...waits });
      await sql`delete from outbox`;
      await operator.run(mutation, { id, ...(mutation === 'rotateRegistrationSecret' && { clientSecret: 'another' }) });
      const signals = await sql`select signal_name from outbox where workflow_type = 'contentLookup'`;
      expect(signals).toEqual([{ signalName: 'retryNow' }, { signalName: 'retryNow' }]);
      const probes = await sql`select workflow_id from outbox where workflow_type = 'clientProbe'`;
      expect(probes).toEqual(mutation === 'retryRegistration' ? [] : [{ workflowId: `probe/${id}` }]);
    },
  );

  test('is tested at once for operators, or says how old the last answer is and when to ask again', async ({ sql }) => {
    const id = seeded.registrations.PROVIDER_B;
    const testedAgo = (seconds: number) => sql`
      update registration set client_probed_at = business_now() - make_interval(secs => ${seconds}),
        client_answered_at = business_now(), rejected_at = business_now() where registration_id = ${id}
    `;
    await sql`delete from outbox`;
    await testedAgo(12);
    expect(await operator.run('testRegistration', { id }, 'testedAt')).toEqual({ testedAt: null });
    await testedAgo(4);
    const { code, message, retryAfterSeconds } = await refusalOf(operator.run('testRegistration', { id }));
    expect([code, retryAfterSeconds]).toEqual([
      'RATE_LIMITED',
      expect.toSatisfy((wait: number) => wait >= 1 && wait <= 6),
    ]);
    expect(message).toMatch(/ was asked \d s ago, and refused the client\. Ask again after [\d:]{8} UTC\.$/);
    expect(await sql`select workflow_id from outbox where workflow_type = 'clientProbe'`).toHaveLength(1);
    const outcomes =
      await sql`select outcome from audit_log where action = 'testRegistration' and target = ${id} order by 1`;
    expect(outcomes).toEqual([{ outcome: 'DONE' }, { outcome: 'RATE_LIMITED' }]);
    // The command line beside the database learns the wait, too.
    const run = createInProcessAdmin({ ...admin.deps, sql, deliver: async () => {} } as never);
    const again = run('mutation ($id: ID!) { testRegistration(id: $id) { id } }', { id });
    await expect(again).rejects.toMatchObject({ code, details: { retryAfterSeconds: expect.any(Number) } });
  });

  test('accepts callback secrets, which only the api opens, and deletes them on request', async ({ database }) => {
    const registrationId = seeded.registrations.PROVIDER_B;
    const secret = `s3cret-${randomBytes(8).toString('hex')}`;
    const add = (args: Record<string, string>) =>
      operator.run('addCallbackSecret', args, 'callbackSecrets { id createdAt }');
    const added = await add({ registrationId, secret });
    expect(added.callbackSecrets).toEqual([{ id: expect.any(String), createdAt: expect.any(String) }]);
    const [{ id }] = added.callbackSecrets;
    const [sealed] = (await findCallbackRegistration(database.sql, registrationId))?.secrets ?? [];
    const opened = await admin.openEdge(sealed?.sealedSecret ?? '', associatedData.callbackSecret(id));
    expect(opened.reveal()).toBe(secret);
    expect(admin.lines.join('\n')).not.toContain(secret);

    const remove = () => operator.run('removeCallbackSecret', { id }, 'callbackSecrets { id }');
    expect(await remove()).toEqual({ callbackSecrets: [] });
    expect((await refusalOf(remove())).code).toBe('NOT_FOUND');
  });

  test('that was refused, or has no quota left, is used again once an operator retries it', async ({ sql }) => {
    const id = seeded.registrations.PROVIDER_B;
    await rejectClient(sql, id);
    await updateQuotaSpent(sql, id, 3_600);
    const act = (name: string) => operator.run(name, { id }, 'rejectedAt usage { spentUntil }');
    const spentUntil = expect.any(String);
    expect(await act('retryRegistration')).toEqual({ rejectedAt: null, usage: { spentUntil } });
    expect(await act('clearSpentQuota')).toEqual({ rejectedAt: null, usage: { spentUntil: null } });
    expect(await getCallLimits(sql, id)).toEqual({ clientRefused: false, quotaSeconds: 0 });
  });

  test('shows the used and allowed units of each app: equal shares, a policy, a raised quota', async ({ sql }) => {
    const id = seeded.registrations.PROVIDER_A;
    const { appId } = seeded.app;
    const other = await seedApp(sql);
    await operator.run('serveApp', { registrationId: id, appId: other.app.appId });
    await countUnits(sql, { registrationId: id, appId: other.app.appId, units: 7 }, QUOTAS);
    const fields = 'usage { unitsUsed unitsAllowed unitsLeft } apps { appId unitsUsed quotaPercent unitsAllowed }';
    const look = () => operator.run('registration', { id }, fields);
    const half = { quotaPercent: 50, unitsAllowed: 5_000 };
    expect(await look()).toEqual({
      usage: { unitsUsed: 7, unitsAllowed: 10_000, unitsLeft: 9_993 },
      apps: [
        { appId, unitsUsed: 0, ...half },
        { appId: other.app.appId, unitsUsed: 7, ...half },
      ],
    });
    await operator.run('setDailyQuota', { id, units: 300_000 }, 'id');
    const policy = { appId, provider: 'PROVIDER_A', capabilities: ['PROFILE'] };
    for (const more of [{ quotaPercent: 20 }, {}]) await operator.run('setPolicy', { ...policy, ...more }); // An omitted field stays.
    expect((await look()).apps).toMatchObject([{ quotaPercent: 20, unitsAllowed: 60_000 }, { unitsAllowed: 150_000 }]);
    await operator.run('setPolicy', { ...policy, quotaPercent: null });
    expect((await look()).apps).toMatchObject([{ quotaPercent: 50, unitsAllowed: 150_000 }, {}]);
    await operator.run('stopServingApp', { registrationId: id, appId: other.app.appId, dryRun: false }, 'dryRun');
    await sql`delete from registration_usage where registration_id = ${id}`;
  });

  test.for([
    ['PROVIDER_A', { default: 29, taken: [1, 29], refused: [0, 30] }],
    ['PROVIDER_B', { default: 90, taken: [0, 3_650], refused: [-1, 3_651] }],
  ] as const)('of %s disconnects unproven connections after a bounded number of days', async ([provider, days]) => {
    const id = seeded.registrations[provider];
    const field = 'disconnectAfterDays';
    const set = async (value: number | null) =>
      (await operator.run('setDisconnectAfter', { id, days: value }, field))[field];
    const shown = async (of: string) => (await operator.run('registration', { id: of }, field))[field];
    expect(await shown(id)).toBe(days.default);
    for (const value of days.taken) expect(await set(value)).toBe(value);
    for (const value of days.refused) expect((await refusalOf(set(value))).code, String(value)).toBe('BAD_USER_INPUT');
    expect(await shown(id)).toBe(days.taken.at(-1));
    expect(await set(null)).toBe(days.default);
  });
});
