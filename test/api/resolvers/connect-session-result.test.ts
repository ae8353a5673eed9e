import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, describe, expect } from 'vitest';
import type { AttemptId, ScopeId } from '../../../src/basics/ids.ts';
import { connectAttempts, moveAttemptToEnd } from '../../../src/store/attempts/attempts.ts';
import { type Database, inTransaction } from '../../../src/store/driver/sql.ts';
import { lockScopeById } from '../../../src/store/scopes.ts';
import { type Caller, callerOf, createDeps, refusalOf } from '../../kit/caller.ts';
import { test } from '../../kit/postgres.ts';
import { freezeClock, releaseClock, type SeededApp, seedApp } from '../../kit/seed.ts';

const create = async (call: Caller, seeded: SeededApp, scope = seeded.newScope()) => {
  const { id } = await call('createConnectSession', {
    input: { scope, provider: 'PROVIDER_A', capabilities: ['PROFILE'], returnUrl: seeded.returnUrl },
  });
  return { scope, id: id as string };
};

describe('connectSessionResult', () => {
  afterEach<{ sql: Database }>(({ sql }) => releaseClock(sql));

  test('returns the attempt only to the scope that created it', async ({ sql }) => {
    const seeded = await seedApp(sql);
    const call = callerOf(await createDeps(sql), seeded);
    const { scope, id } = await create(call, seeded);
    expect(await call('connectSessionResult', { scope, id })).toMatchObject({
      id,
      provider: 'PROVIDER_A',
      status: 'CREATED',
      resultCode: null,
      connectionId: null,
      creatorAction: null,
    });
    const other = await seedApp(sql);
    const codeFor = async (who: Caller, as: object, what: string) =>
      (await refusalOf(who('connectSessionResult', { scope: as, id: what }))).code;
    expect(await codeFor(call, seeded.newScope(), id)).toBe('NOT_FOUND');
    expect(await codeFor(call, scope, 'nonsense')).toBe('NOT_FOUND');
    expect(await codeFor(call, { ...scope, tenantKey: 'unregistered' }, id)).toBe('FORBIDDEN');
    expect(await codeFor(callerOf(await createDeps(sql), other), scope, id)).toBe('FORBIDDEN');
    await sql`insert into tenant (app_id, tenant_key) values (${other.app.appId}, ${scope.tenantKey})`;
    expect(await codeFor(callerOf(await createDeps(sql), other), scope, id)).toBe('NOT_FOUND');
  });

  test('is EXPIRED from the deadline on, to the millisecond, until the result is deleted', async ({ sql }) => {
    const seeded = await seedApp(sql);
    const call = callerOf(await createDeps(sql), seeded);
    const createdAt = Date.parse('2030-05-01T12:00:00.000Z');
    await freezeClock(sql, new Date(createdAt));
    const { scope, id } = await create(call, seeded);
    const readAfter = async (ms: number) => {
      await freezeClock(sql, new Date(createdAt + ms));
      return await call('connectSessionResult', { scope, id });
    };
    for (const status of ['CREATED', 'AUTHORIZING', 'EXCHANGING']) {
      await sql`update connect_attempt set status = ${status} where attempt_id = ${id}`;
      expect(await readAfter(10 * 60_000 - 1)).toMatchObject({ status, resultCode: null });
      expect(await readAfter(10 * 60_000)).toMatchObject({ status: 'EXPIRED', resultCode: 'EXPIRED' });
    }
    expect(await readAfter(24 * 3_600_000 - 1)).toMatchObject({ status: 'EXPIRED' });
    expect((await refusalOf(readAfter(24 * 3_600_000))).code).toBe('NOT_FOUND');
  });

  test('waits for an end that began before the deadline: nobody reads EXPIRED and later another end', async ({
    sql,
  }) => {
    const seeded = await seedApp(sql);
    const call = callerOf(await createDeps(sql), seeded);
    const { scope, id } = await create(call, seeded);
    const read = () => call('connectSessionResult', { scope, id });
    const attemptId = id as AttemptId;
    let reading: ReturnType<typeof read> | undefined;
    // A worker that is frozen between its statement and its commit, while the deadline passes.
    await inTransaction(sql, async (tx) => {
      const attempt = await connectAttempts.find(tx, attemptId);
      await lockScopeById(tx, attempt?.scopeId as ScopeId);
      const end = { status: 'FAILED', resultCode: 'PROVIDER_UNAVAILABLE' } as const;
      expect(await moveAttemptToEnd(tx, attemptId, end)).toBe(true);
      await freezeClock(sql, new Date(Date.now() + 11 * 60_000));
      reading = read();
      await expect(Promise.race([reading, delay(300)])).resolves.toBeUndefined();
    });
    expect(await reading).toMatchObject({ status: 'FAILED', resultCode: 'PROVIDER_UNAVAILABLE' });
    expect(await read()).toEqual(await reading);
  });

  test('reports the outcome of a finished attempt, also past its deadline', async ({ sql }) => {
    const seeded = await seedApp(sql);
    const call = callerOf(await createDeps(sql), seeded);
    const { scope, id } = await create(call, seeded);
    const connectionId = '11111111-2222-4333-8444-555555555555';
    await sql`
      update connect_attempt set status = 'COMPLETED', result_code = 'PARTIAL_PERMISSION', connection_id = ${connectionId},
        expires_at = business_now() where attempt_id = ${id}
    `;
    const completed = { status: 'COMPLETED', resultCode: 'PARTIAL_PERMISSION', connectionId, creatorAction: null };
    expect(await call('connectSessionResult', { scope, id })).toMatchObject(completed);
    await sql`
      update connect_attempt set status = 'FAILED', result_code = 'EXCHANGE_FAILED', connection_id = null,
        creator_action = 'REMOVE_APP_AT_PROVIDER' where attempt_id = ${id}
    `;
    expect(await call('connectSessionResult', { scope, id })).toMatchObject({
      status: 'FAILED',
      resultCode: 'EXCHANGE_FAILED',
      connectionId: null,
      creatorAction: 'REMOVE_APP_AT_PROVIDER',
    });
  });
});
