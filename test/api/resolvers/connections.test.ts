import { afterEach, describe, expect } from 'vitest';
import type { Database } from '../../../src/store/driver/sql.ts';
import { callerOf, createDeps, refusalOf } from '../../kit/caller.ts';
import { test } from '../../kit/postgres.ts';
import { available, freezeClock, releaseClock, seedApp, seedConnection } from '../../kit/seed.ts';

afterEach<{ sql: Database }>(({ sql }) => releaseClock(sql));

/** Each makes a CONNECTED connection fail, in the order of the checks. */
const FAULTS = [
  ['FORBIDDEN', 'the policy no longer names the capability'],
  ['CAPABILITY_UNAVAILABLE', 'the registration no longer serves the app'],
  ['AUTHORIZATION_SUSPENDED', 'the registration is paused'],
  ['RECONNECT_REQUIRED', 'the grant is no longer live'],
] as const;

describe('connection', () => {
  test('shows the profile and times of a CONNECTED one', async ({ sql }) => {
    const seeded = await seedApp(sql);
    const call = callerOf(await createDeps(sql), seeded);
    const scope = seeded.newScope();
    const id = await seedConnection(sql, seeded, { scope, capabilities: available('PROFILE', 'CONTENT_LIST') });
    const at = new Date('2030-01-02T03:04:05.678Z');
    await sql`update connection set last_successful_sync_at = ${at} where connection_id = ${id}`;
    const scan = await call('requestRefresh', { scope, connectionId: id });
    await sql`update read_job set next_retry_at = ${at} where job_id = ${scan.id}`;
    const found = await call('connection', { scope, id });
    expect(found).toMatchObject({
      id,
      provider: 'PROVIDER_B',
      status: 'CONNECTED',
      syncStatus: 'PENDING',
      capabilities: available('PROFILE', 'CONTENT_LIST'),
      profile: { providerAccountId: found.providerAccountId, displayName: 'Harbour', description: 'Boats.' },
      lastSuccessfulSyncAt: at.toISOString(),
      nextRetryAt: at.toISOString(),
    });
  });

  test('hides profile and times in any other status, even if other checks would fail', async ({ sql }) => {
    const seeded = await seedApp(sql);
    const call = callerOf(await createDeps(sql), seeded);
    const scope = seeded.newScope();
    await sql`update registration set paused_at = business_now() where registration_id = ${seeded.registrations.PROVIDER_B}`;
    for (const status of ['SUSPENDED', 'RECONNECT_REQUIRED', 'DISCONNECTED', 'DELETING'] as const) {
      const id = await seedConnection(sql, seeded, { scope, status });
      await sql`update connection set last_successful_sync_at = business_now() where connection_id = ${id}`;
      expect(await call('connection', { scope, id })).toMatchObject({
        status,
        profile: null,
        lastSuccessfulSyncAt: null,
        nextRetryAt: null,
      });
    }
  });

  test('hides a profile that is 30 days old or must not be read', async ({ sql }) => {
    const seeded = await seedApp(sql);
    const call = callerOf(await createDeps(sql), seeded);
    const scope = seeded.newScope();
    const observedAt = Date.parse('2030-03-01T00:00:00.000Z');
    await freezeClock(sql, new Date(observedAt));
    const id = await seedConnection(sql, seeded, { scope });
    const days30 = 30 * 24 * 3_600_000;
    await freezeClock(sql, new Date(observedAt + days30 - 1));
    expect((await call('connection', { scope, id })).profile).not.toBeNull();
    await freezeClock(sql, new Date(observedAt + days30));
    expect((await call('connection', { scope, id })).profile).toBeNull();

    const withdrawn = { capability: 'PROFILE', availability: 'NOT_GRANTED', reason: 'PERMISSION_WITHDRAWN' } as const;
    const other = await seedConnection(sql, seeded, { scope, capabilities: [withdrawn] });
    expect(await call('connection', { scope, id: other })).toMatchObject({ profile: null, capabilities: [withdrawn] });
  });

  test('computes STALE 24 hours after the last success', async ({ sql }) => {
    const seeded = await seedApp(sql);
    const call = callerOf(await createDeps(sql), seeded);
    const scope = seeded.newScope();
    const id = await seedConnection(sql, seeded, { scope });
    const syncedAt = Date.parse('2030-03-01T00:00:00.000Z');
    await sql`
      update connection set sync_status = 'READY', last_successful_sync_at = ${new Date(syncedAt)} where connection_id = ${id}
    `;
    await freezeClock(sql, new Date(syncedAt + 24 * 3_600_000 - 1));
    expect((await call('connection', { scope, id })).syncStatus).toBe('READY');
    await freezeClock(sql, new Date(syncedAt + 24 * 3_600_000));
    expect((await call('connection', { scope, id })).syncStatus).toBe('STALE');
  });

  test('runs its checks on a CONNECTED one at every read, in the order of the contract', async ({ sql }) => {
    const seeded = await seedApp(sql);
    const call = callerOf(await createDeps(sql), seeded);
    const scope = seeded.newScope();
    const id = await seedConnection(sql, seeded, { scope });
    const { appId } = seeded.app;
    const registration = seeded.registrations.PROVIDER_B;
    const policy = (capabilities: string[]) =>
      sql`update app_policy set capabilities = ${capabilities} where app_id = ${appId} and provider = 'PROVIDER_B'`;
    await policy(['PROFILE']);
    await sql`delete from registration_app where app_id = ${appId} and registration_id = ${registration}`;
    await sql`update registration set paused_at = business_now() where registration_id = ${registration}`;
    await sql`update account_grant set refresh_expires_at = business_now() where connection_id = ${id}`;
    const mend = [
      () => policy(['PROFILE', 'CONTENT_LIST', 'CONTENT_LOOKUP', 'CONTENT_METRICS']),
      () => sql`insert into registration_app (registration_id, app_id) values (${registration}, ${appId})`,
      () => sql`update registration set paused_at = null where registration_id = ${registration}`,
      () => sql`update account_grant set refresh_expires_at = null where connection_id = ${id}`,
    ];
    for (const [index, [code]] of FAULTS.entries()) {
      const refusal = await refusalOf(call('connection', { scope, id }));
      expect(refusal.code).toBe(code);
      expect(refusal.message).toContain(id);
      // A list is refused for the one, and names it.
      expect(await refusalOf(call('connections', { scope }))).toMatchObject({ code, connectionId: id });
      await mend[index]?.();
    }
    expect(await call('connection', { scope, id })).toMatchObject({ id });
    await sql`update account_grant set status = 'DEAD', sealed_tokens = null where connection_id = ${id}`;
    expect((await refusalOf(call('connection', { scope, id }))).code).toBe('RECONNECT_REQUIRED');
    await sql`delete from app_policy where app_id = ${appId} and provider = 'PROVIDER_B'`;
    expect((await refusalOf(call('connection', { scope, id }))).code).toBe('FORBIDDEN');
    await sql`delete from tenant where app_id = ${appId}`;
    expect((await refusalOf(call('connection', { scope, id }))).code).toBe('FORBIDDEN');
  });

  test('gives the same answer for a missing, erased or foreign connection', async ({ sql }) => {
    const seeded = await seedApp(sql);
    const other = await seedApp(sql);
    const kit = await createDeps(sql);
    const scope = seeded.newScope();
    const id = await seedConnection(sql, seeded, { scope });
    await sql`insert into tenant (app_id, tenant_key) values (${other.app.appId}, ${scope.tenantKey})`;
    const call = callerOf(kit, seeded);
    const refusals = await Promise.all([
      refusalOf(call('connection', { scope, id: '11111111-2222-4333-8444-555555555555' })),
      refusalOf(call('connection', { scope, id: 'not-an-id' })),
      refusalOf(call('connection', { scope: seeded.newScope(), id })),
      refusalOf(callerOf(kit, other)('connection', { scope, id })),
    ]);
    expect(new Set(refusals.map(({ message }) => message)).size).toBe(1);
    expect(refusals[0].code).toBe('NOT_FOUND');
  });
});

describe('connections', () => {
  test('pages through every status, oldest first, without gap or repeat', async ({ sql }) => {
    const seeded = await seedApp(sql);
    const call = callerOf(await createDeps(sql), seeded);
    const scope = seeded.newScope();
    const ids: string[] = [];
    await freezeClock(sql, new Date('2030-01-01T00:00:00.000Z')); // All created in one millisecond.
    for (const status of ['CONNECTED', 'SUSPENDED', 'RECONNECT_REQUIRED', 'DISCONNECTED', 'DELETING'] as const) {
      ids.push(await seedConnection(sql, seeded, { scope, status }));
    }
    const seen: string[] = [];
    let after: string | null = null;
    do {
      const { items, pageInfo }: { items: { id: string }[]; pageInfo: { endCursor: string; hasNextPage: boolean } } =
        await call('connections', { scope, first: 2, after });
      seen.push(...items.map(({ id }) => id));
      after = pageInfo.hasNextPage ? pageInfo.endCursor : null;
    } while (after !== null);
    expect(seen).toEqual([...ids].sort());
    expect(await call('connections', { scope, first: 5 })).toMatchObject({ pageInfo: { hasNextPage: false } });
  });

  test('returns an empty page for an unknown subject', async ({ sql }) => {
    const seeded = await seedApp(sql);
    const call = callerOf(await createDeps(sql), seeded);
    const page = { items: [], pageInfo: { endCursor: null, hasNextPage: false } };
    expect(await call('connections', { scope: seeded.newScope() })).toEqual(page);
    const foreign = { ...seeded.newScope(), tenantKey: 'unregistered' };
    expect((await refusalOf(call('connections', { scope: foreign }))).code).toBe('FORBIDDEN');
  });

  test('accepts only its own unaltered cursors of the same scope', async ({ sql }) => {
    const seeded = await seedApp(sql);
    const kit = await createDeps(sql);
    const call = callerOf(kit, seeded);
    const scope = seeded.newScope();
    await seedConnection(sql, seeded, { scope });
    const { endCursor } = (await call('connections', { scope })).pageInfo;
    await expect(call('connections', { scope, after: endCursor })).resolves.toMatchObject({ items: [] });

    const flip = (at: number) => endCursor.slice(0, at) + (endCursor[at] === 'A' ? 'B' : 'A') + endCursor.slice(at + 1);
    const altered = [
      flip(0),
      flip(50),
      flip(endCursor.length - 2),
      `${endCursor}=`,
      `${endCursor} `,
      endCursor.slice(1),
      '',
      'x',
    ];
    for (const after of altered) {
      expect((await refusalOf(call('connections', { scope, after }))).code).toBe('BAD_USER_INPUT');
    }
    expect((await refusalOf(call('connections', { scope: seeded.newScope(), after: endCursor }))).code).toBe(
      'BAD_USER_INPUT',
    );
    const otherKeys = callerOf(await createDeps(sql), seeded);
    expect((await refusalOf(otherKeys('connections', { scope, after: endCursor }))).code).toBe('BAD_USER_INPUT');
  });

  test('accepts a page size of 1 to 100, and defaults to 20', async ({ sql }) => {
    const seeded = await seedApp(sql);
    const call = callerOf(await createDeps(sql), seeded);
    const scope = seeded.newScope();
    for (let i = 0; i < 21; i += 1) await seedConnection(sql, seeded, { scope, status: 'DISCONNECTED' });
    expect((await call('connections', { scope })).items).toHaveLength(20);
    expect((await call('connections', { scope, first: null })).items).toHaveLength(20);
    expect((await call('connections', { scope, first: 1 })).items).toHaveLength(1);
    expect((await call('connections', { scope, first: 100 })).items).toHaveLength(21);
    for (const first of [0, -1, 101]) {
      expect((await refusalOf(call('connections', { scope, first }))).code).toBe('BAD_USER_INPUT');
    }
  });
});
