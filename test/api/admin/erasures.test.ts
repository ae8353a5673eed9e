import { randomBytes, randomUUID } from 'node:crypto';
import { describe, expect } from 'vitest';
import { makeKeys } from '../../../local/src/development-keys.ts';
import type { ProviderName } from '../../../src/basics/codes.ts';
import type { ConnectionId } from '../../../src/basics/ids.ts';
import { createMac, type Mac } from '../../../src/vault/mac.ts';
import { callerOf, createDeps } from '../../kit/caller.ts';
import { type Answer, createTestAdmin, refusalOf, useAdmin, useApp } from '../../kit/operator.ts';
import { type Database, test } from '../../kit/postgres.ts';
import { seedApp, seedConnection } from '../../kit/seed.ts';

const { operator } = useAdmin();
const seeded = useApp();

const disconnect = (id: ConnectionId) => operator.run('disconnectConnection', { id }, 'receipts { id kind }');

describe('erasing a person', () => {
  const FIELDS =
    'connectionCount keptTokenCount erasure { id remaining completedAt connectionIds jobs { kind status } }';
  const erase = (scope: ReturnType<typeof seeded.newScope>, dryRun = false, as = operator) =>
    as.run('eraseSubject', { input: { appId: seeded.app.appId, ...scope }, dryRun }, FIELDS);

  test('disconnects all connections, deletes the identity, and repeats the receipt', async ({ sql }) => {
    const scope = seeded.newScope();
    const ids = [
      await seedConnection(sql, seeded, { scope }),
      await seedConnection(sql, seeded, { scope, provider: 'PROVIDER_A' }),
    ];
    expect(await erase(scope, true)).toMatchObject({ connectionCount: 2, erasure: null });
    const erased = await erase(scope);
    expect(erased.erasure).toMatchObject({ remaining: 2, completedAt: null });
    expect([...erased.erasure.connectionIds].sort()).toEqual([...ids].sort());
    expect(erased.erasure.jobs).toHaveLength(4);
    const rows = await sql`select status from connection where connection_id = any(${ids}::uuid[])`;
    expect(rows.map(({ status }) => status)).toEqual(['DISCONNECTED', 'DISCONNECTED']);
    const [left] = await sql`
      select count(*)::int as count from scope
      where app_id = ${seeded.app.appId} and external_subject_id = ${scope.externalSubjectId}
    `;
    expect(left?.count).toBe(0);
    expect((await erase(scope)).erasure.id).toBe(erased.erasure.id);
  });

  /** Leaves only the receipts of a person's connection, with tokens that a failed revoke kept. @returns its id */
  async function leaveKeptTokens(sql: Database, scope: ReturnType<typeof seeded.newScope>) {
    const connectionId = await seedConnection(sql, seeded, { scope });
    await disconnect(connectionId);
    await sql`update disconnect_job set status = 'SUCCEEDED', finished_at = business_now() where connection_id = ${connectionId}`;
    await sql`
      update disconnect_job set status = 'FAILED', sealed_tokens = 'sealed'
      where connection_id = ${connectionId} and kind = 'REVOKE'
    `;
    const [row] = await sql`delete from connection where connection_id = ${connectionId} returning scope_id`;
    await sql`delete from scope where scope_id = ${row?.scopeId}`;
    return connectionId;
  }

  test('names the connection and jobs of a person with only kept tokens, and repeats that answer', async ({ sql }) => {
    const scope = seeded.newScope();
    const connectionId = await leaveKeptTokens(sql, scope);
    expect(await erase(scope, true)).toMatchObject({ keptTokenCount: 1, erasure: null });
    const first = await erase(scope);
    expect(first).toMatchObject({ connectionCount: 0, keptTokenCount: 1 });
    expect(first.erasure).toMatchObject({ remaining: 0, connectionIds: [connectionId] });
    expect(first.erasure.jobs).toEqual(
      expect.arrayContaining([
        { kind: 'REVOKE', status: 'FAILED' },
        { kind: 'ERASE', status: 'SUCCEEDED' },
      ]),
    );
    expect(await erase(scope)).toEqual({ ...first, keptTokenCount: 0 });
  });

  test('discards tokens kept from before they came back, and names their connection then too', async ({ sql }) => {
    const scope = seeded.newScope();
    const before = await leaveKeptTokens(sql, scope);
    const now = await seedConnection(sql, seeded, { scope });
    const counts = { connectionCount: 1, keptTokenCount: 1 };
    expect(await erase(scope, true)).toMatchObject(counts);
    const erased = await erase(scope);
    expect(erased).toMatchObject(counts);
    expect([...erased.erasure.connectionIds].sort()).toEqual([before, now].sort());
    expect(erased.erasure.jobs).toHaveLength(4);
    const kept = await sql`select from disconnect_job where connection_id = ${before} and sealed_tokens is not null`;
    expect(kept).toHaveLength(0);
  });

  test('of an unknown person says whether the tenant is wrong', async ({ sql }) => {
    const scope = seeded.newScope();
    const refuse = async (of: object) => (await refusalOf(erase({ ...scope, ...of }, true))).message;
    expect(await refuse({})).toBe('NOT_FOUND: The service holds no data of this subject in this tenant.');
    const wrong = 'NOT_FOUND: The app has no such tenant, so this proves nothing about the person.';
    expect(await refuse({ tenantKey: 'another' })).toBe(wrong);
    await seedConnection(sql, seeded, { scope });
    const elsewhere = `${wrong} It holds the same subject in ${seeded.tenantKey}.`;
    expect(await refuse({ tenantKey: 'another' })).toBe(elsewhere);
  });

  test('says beforehand for which connections no revoke will be sent, and why', async ({ sql }) => {
    const [scope, other] = [seeded.newScope(), seeded.newScope()];
    const [own, shared] = [randomBytes(32), randomBytes(32)];
    const seed = (of: typeof scope, provider: ProviderName, principalMac?: Buffer) =>
      seedConnection(sql, seeded, { scope: of, provider, ...(principalMac && { principalMac }) });
    // The two of one principal leave together: neither is in use then.
    for (let count = 0; count < 2; count += 1) await seed(scope, 'PROVIDER_A', own);
    await seed(scope, 'PROVIDER_B', shared);
    await seed(other, 'PROVIDER_B', shared);
    const [ended, doubtful] = [await seed(scope, 'PROVIDER_B'), await seed(scope, 'PROVIDER_B')];
    await sql`
      update account_grant set status = 'DEAD', sealed_tokens = null,
        refresh_claim = case connection_id when ${doubtful}::uuid then gen_random_uuid() end
      where connection_id in (${ended}, ${doubtful})
    `;
    await sql`update connection set status = 'RECONNECT_REQUIRED' where connection_id in (${ended}, ${doubtful})`;
    for (let count = 0; count < 2; count += 1) await seed(scope, 'PROVIDER_C');
    const foresee = async (of: typeof scope, dryRun = true): Promise<string[] | null> =>
      (await operator.run('eraseSubject', { input: { appId: seeded.app.appId, ...of }, dryRun }, 'unsentRevokes'))
        .unsentRevokes;
    const inUse =
      'No revoke will be sent for 1 connection at TikTok: the same person has, or may have, another grant in use there, which it would end too. The person still sees the app there, until they remove it.';
    expect((await foresee(scope))?.sort()).toEqual([
      'No revoke will be sent for 1 connection at TikTok: the grant has ended already.',
      'No revoke will be sent for 1 connection at TikTok: the grant may have ended; the answer that would show it was lost. The person may still see the app there, until they remove it.',
      inUse,
      'No revoke will be sent for 2 connections at Instagram: this provider offers no revoke. The person still sees the app there, until they remove it.',
    ]);
    expect(await foresee(other)).toEqual([inUse]);
    expect(await foresee(scope, false)).toBeNull();
    expect(await foresee(other)).toEqual([]);
  });

  test('lets them connect again when their revoke has settled, also by a new hashing key', async ({ sql }) => {
    const [old, fresh] = [await makeKeys(), await makeKeys()].map((keys) => JSON.parse(keys.VAULT_MAC_KEYS).keys[0]);
    const [before, after] = [createMac({ keys: [old] }), createMac({ keys: [{ ...fresh, kid: 'fresh' }, old] })];
    const options = { suspendSiblings: true };
    const scope = seeded.newScope();
    const connectionId = await seedConnection(sql, seeded, { scope, provider: 'PROVIDER_B' });
    const { as } = await createTestAdmin(sql, options, { mac: before });
    await erase(scope, false, as('ADMIN'));
    const { deps } = await createDeps(sql, options);
    const input = { scope, provider: 'PROVIDER_B', capabilities: ['PROFILE'], returnUrl: seeded.returnUrl };
    const connect = (mac: Mac) => callerOf({ deps: { ...deps, mac } }, seeded)('createConnectSession', { input });
    for (const mac of [before, after]) expect((await refusalOf(connect(mac))).code).toBe('FORBIDDEN');
    await sql`
      update disconnect_job set status = 'SUCCEEDED', finished_at = business_now()
      where connection_id = ${connectionId} and kind = 'REVOKE'
    `;
    expect(await connect(after)).toMatchObject({ id: expect.any(String) });
  });
});

describe('a certificate of deletion of a registration', () => {
  const certify = (registrationId: string) =>
    operator.run('certificateOfDeletion', { registrationId }, 'document signature');

  test('is available once it is paused and nothing of its accounts is left, lists the kept data, and can be verified', async ({
    sql,
  }) => {
    const own = await seedApp(sql);
    const { PROVIDER_A: id, PROVIDER_B: other } = own.registrations;
    const scopes = [own.newScope(), own.newScope()] as const;
    const ids: readonly [ConnectionId, ConnectionId] = [
      await seedConnection(sql, own, { scope: scopes[0], provider: 'PROVIDER_A' }),
      await seedConnection(sql, own, { scope: scopes[1], provider: 'PROVIDER_A' }),
    ];
    await seedConnection(sql, own, { scope: own.newScope(), provider: 'PROVIDER_B' });
    const refused = async (registrationId: string) => (await refusalOf(certify(registrationId))).message;

    expect(await refused(id)).toContain('not paused');
    for (const one of [id, other]) await operator.run('pauseRegistration', { id: one }, 'dryRun');
    expect(await refused(id)).toContain('connections (2)');
    for (const one of ids) await disconnect(one);
    await sql`delete from connection where connection_id = any(${ids}::uuid[])`;
    expect(await refused(id)).toContain('not ended (4)');
    await sql`
      update disconnect_job set status = 'SUCCEEDED', finished_at = business_now() where connection_id = any(${ids}::uuid[])
    `;
    await sql`
      update disconnect_job set status = 'FAILED', sealed_tokens = 'sealed' where kind = 'REVOKE' and connection_id = ${ids[0]}
    `;
    const certificate = await certify(id);
    const until = async (connectionIds: readonly ConnectionId[], kinds = ['REVOKE', 'ERASE']) => {
      const [row] = await sql`
        select max(created_at) + interval '7 days' as until from disconnect_job
        where connection_id = any(${connectionIds}::uuid[]) and kind = any(${kinds})
      `;
      return row?.until.toISOString();
    };
    expect(JSON.parse(certificate.document)).toMatchObject({
      registrationId: id,
      provider: 'PROVIDER_A',
      clientId: 'client',
      kept: [
        { what: 'tokens of failed revokes', until: await until([ids[0]], ['REVOKE']) },
        { what: 'receipts', until: await until(ids) },
      ],
    });
    for (const { externalSubjectId, tenantKey } of scopes)
      for (const personal of [externalSubjectId, tenantKey]) expect(certificate.document).not.toContain(personal);
    const verify = (document: string) =>
      operator.run('verifyProofOfDeletion', { document, signature: certificate.signature });
    expect(await verify(certificate.document)).toBe(true);
    expect(await verify(certificate.document.replace(id, other))).toBe(false);

    expect(await refused(other)).toContain('connections (1)');
    expect(await refused(randomUUID())).toMatch(/^NOT_FOUND/);
  });
});

test('a proof of deletion while tokens are kept gives the date of their deletion, and lists them as deleted afterwards', async ({
  sql,
}) => {
  const proofOf = async (id: ConnectionId) => {
    const proofOfDeletion = await operator.run('proofOfDeletion', { connectionId: id }, 'document');
    return JSON.parse(proofOfDeletion.document);
  };
  const id = await seedConnection(sql, seeded, { scope: seeded.newScope() });
  const story = await disconnect(id);
  const jobId = story.receipts.find(({ kind }: Answer) => kind === 'REVOKE').id;
  await sql`update disconnect_job set status = 'SUCCEEDED', finished_at = business_now() where connection_id = ${id}`;
  await sql`update disconnect_job set status = 'FAILED', sealed_tokens = 'sealed' where job_id = ${jobId}`;
  const proof = await proofOf(id);
  const [job] = await sql`select created_at + interval '7 days' as until from disconnect_job where job_id = ${jobId}`;
  expect(proof.kept).toContainEqual({ what: 'tokens', jobId, revoke: 'FAILED', until: job?.until.toISOString() });
  expect(proof.deleted).not.toContain('grants and tokens');

  await sql`update disconnect_job set sealed_tokens = null where job_id = ${jobId}`;
  const later = await proofOf(id);
  expect(later.deleted).toContain('grants and tokens');
  expect(JSON.stringify(later.kept)).not.toContain('tokens');
});
