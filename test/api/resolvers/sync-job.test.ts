import { randomUUID } from 'node:crypto';
import { afterEach, describe, expect } from 'vitest';
import type { JobId } from '../../../src/basics/ids.ts';
import { endReadJob } from '../../../src/domain/reading/end-read-job.ts';
import type { Database } from '../../../src/store/driver/sql.ts';
import { moveReadJobToRunning } from '../../../src/store/jobs/read-jobs.ts';
import { createMac } from '../../../src/vault/mac.ts';
import { callerOf, createDeps, refusalOf } from '../../kit/caller.ts';
import { test } from '../../kit/postgres.ts';
import { freezeClock, releaseClock, seedApp, seedConnection } from '../../kit/seed.ts';

afterEach<{ sql: Database }>(({ sql }) => releaseClock(sql));

const NOW = Date.parse('2030-06-01T00:00:00.000Z');
const WEEK = 7 * 24 * 3_600_000;

async function start(sql: Database) {
  const seeded = await seedApp(sql);
  const kit = await createDeps(sql);
  const call = callerOf(kit, seeded);
  const scope = seeded.newScope();
  const connectionId = await seedConnection(sql, seeded, { scope });
  const read = (id: string) => call('syncJob', { scope, connectionId, id });
  return { seeded, kit, call, scope, connectionId, read };
}

describe('syncJob of a read job', () => {
  test('shows the status of a scan and whether it covered its window', async ({ sql }) => {
    const { call, scope, connectionId, read } = await start(sql);
    const { id } = await call('requestRefresh', { scope, connectionId });
    const retryAt = new Date('2030-01-01T00:00:00.000Z');
    await moveReadJobToRunning(sql, id);
    await sql`
      update read_job set next_retry_at = ${retryAt}, last_failure = 'PROVIDER_UNAVAILABLE' where job_id = ${id}
    `;
    expect(await read(id)).toEqual({
      id,
      status: 'RUNNING',
      nextRetryAt: retryAt.toISOString(),
      errorCode: 'PROVIDER_UNAVAILABLE',
      creatorAction: null,
      resultProviderContentId: null,
      completeForWindow: null,
      incompleteReason: null,
      continuationCursor: null,
    });
    await sql`update read_job set reached_end = true, next_retry_at = null where job_id = ${id}`;
    expect(await read(id)).toMatchObject({ status: 'RUNNING', errorCode: null });
    await endReadJob(sql, id, { status: 'SUCCEEDED' });
    expect(await read(id)).toMatchObject({ status: 'SUCCEEDED', errorCode: null, completeForWindow: true });
  });

  test('offers a continuation only after a successful scan that did not reach the end', async ({ sql }) => {
    const { call, scope, connectionId, read } = await start(sql);
    const { id } = await call('requestRefresh', { scope, connectionId });
    await moveReadJobToRunning(sql, id);
    await sql`update read_job set provider_cursor = 'page-2' where job_id = ${id}`;
    const failure = {
      status: 'FAILED',
      errorCode: 'PROVIDER_UNAVAILABLE',
      incompleteReason: 'PROVIDER_UNAVAILABLE',
    } as const;
    await endReadJob(sql, id, failure);
    expect(await read(id)).toMatchObject({ ...failure, completeForWindow: false, continuationCursor: null });
    await sql`update read_job set status = 'SUCCEEDED', incomplete_reason = 'MAX_ITEMS' where job_id = ${id}`;
    expect(await read(id)).toMatchObject({ completeForWindow: false, continuationCursor: expect.any(String) });
    await sql`update read_job set provider_cursor = null where job_id = ${id}`;
    expect(await read(id)).toMatchObject({ continuationCursor: null });
  });

  test('names the post that a lookup found, and has no window', async ({ sql }) => {
    const { call, scope, connectionId, read } = await start(sql);
    const { id } = await call('requestContentLookup', { scope, connectionId, url: 'https://platform.example/p/1' });
    await moveReadJobToRunning(sql, id);
    await endReadJob(sql, id, {
      status: 'SUCCEEDED',
      resultProviderContentId: '7431',
      incompleteReason: 'CONTENT_NOT_FOUND',
    });
    expect(await read(id)).toMatchObject({
      status: 'SUCCEEDED',
      resultProviderContentId: '7431',
      completeForWindow: null,
      incompleteReason: 'CONTENT_NOT_FOUND',
      continuationCursor: null,
    });
  });

  test('keeps an open job without limit and a finished one for 7 days, to the millisecond', async ({ sql }) => {
    const { call, scope, connectionId, read } = await start(sql);
    await freezeClock(sql, new Date(NOW));
    const { id } = await call('requestRefresh', { scope, connectionId });
    await freezeClock(sql, new Date(NOW + 2 * WEEK));
    expect(await read(id)).toMatchObject({ status: 'QUEUED' });
    await endReadJob(sql, id as JobId, { status: 'CANCELED' });
    await freezeClock(sql, new Date(NOW + 3 * WEEK - 1));
    expect(await read(id)).toMatchObject({ status: 'CANCELED' });
    await freezeClock(sql, new Date(NOW + 3 * WEEK));
    expect((await refusalOf(read(id))).code).toBe('NOT_FOUND');
  });
});

describe('syncJob of a receipt', () => {
  test('returns both for 7 days from their creation, after connection and scope are deleted', async ({ sql }) => {
    const { call, scope, connectionId, read } = await start(sql);
    await freezeClock(sql, new Date(NOW));
    const { revokeJobId, eraseJobId } = await call('disconnectConnection', { scope, connectionId });
    await sql`
      update disconnect_job set status = 'SUCCEEDED', creator_action = 'REMOVE_APP_AT_PROVIDER', finished_at = business_now()
      where job_id = ${revokeJobId}
    `;
    await sql`delete from connection where connection_id = ${connectionId}`;
    await sql`delete from scope where external_subject_id = ${scope.externalSubjectId}`;
    await freezeClock(sql, new Date(NOW + WEEK - 1));
    expect(await read(revokeJobId)).toEqual({
      id: revokeJobId,
      status: 'SUCCEEDED',
      nextRetryAt: null,
      errorCode: null,
      creatorAction: 'REMOVE_APP_AT_PROVIDER',
      resultProviderContentId: null,
      completeForWindow: null,
      incompleteReason: null,
      continuationCursor: null,
    });
    expect(await read(eraseJobId)).toMatchObject({ id: eraseJobId, creatorAction: null });
    await freezeClock(sql, new Date(NOW + WEEK));
    expect((await refusalOf(read(revokeJobId))).code).toBe('NOT_FOUND');
    expect((await refusalOf(read(eraseJobId))).code).toBe('NOT_FOUND');
  });

  test('finds it by the hash of an older key while that key is kept', async ({ sql }) => {
    const { call, kit, seeded, scope, connectionId } = await start(sql);
    const { revokeJobId } = await call('disconnectConnection', { scope, connectionId });
    const fresh = { kid: 'dev-mac-2', kty: 'oct', k: Buffer.alloc(32, 7).toString('base64url') };
    const readWith = (keys: Parameters<typeof createMac>[0]['keys']) =>
      callerOf({ deps: { ...kit.deps, mac: createMac({ keys }) } }, seeded)('syncJob', {
        scope,
        connectionId,
        id: revokeJobId,
      });
    await expect(readWith([fresh, ...kit.deps.config.VAULT_MAC_KEYS.keys])).resolves.toMatchObject({ id: revokeJobId });
    expect((await refusalOf(readWith([fresh]))).code).toBe('NOT_FOUND');
  });

  test('does not show a compensating revoke', async ({ sql }) => {
    const { call, scope, connectionId, read } = await start(sql);
    const { revokeJobId } = await call('disconnectConnection', { scope, connectionId });
    await sql`update disconnect_job set kind = 'COMPENSATION', run = 1 where job_id = ${revokeJobId}`;
    expect((await refusalOf(read(revokeJobId))).code).toBe('NOT_FOUND');
  });
});

test('syncJob gives the same answer for everything missing or foreign', async ({ sql }) => {
  const { call, seeded, kit, scope, connectionId } = await start(sql);
  const stranger = await seedApp(sql);
  await sql`insert into tenant (app_id, tenant_key) values (${stranger.app.appId}, ${scope.tenantKey})`;
  const other = await seedConnection(sql, seeded, { scope });
  const job = await call('requestRefresh', { scope, connectionId });
  const { revokeJobId } = await call('disconnectConnection', { scope, connectionId: other });
  const messages = new Set<string>();
  for (const [owner, id] of [
    [connectionId, job.id],
    [other, revokeJobId],
  ] as const) {
    const refusals = [
      call('syncJob', { scope, connectionId: owner, id: randomUUID() }),
      call('syncJob', { scope, connectionId: owner, id: 'nonsense' }),
      call('syncJob', { scope, connectionId: 'nonsense', id }),
      call('syncJob', { scope, connectionId: owner === other ? connectionId : other, id }),
      call('syncJob', { scope: seeded.newScope(), connectionId: owner, id }),
      call('syncJob', { scope: { ...scope, tenantKey: 'unregistered' }, connectionId: owner, id }),
      callerOf(kit, stranger)('syncJob', { scope, connectionId: owner, id }),
    ];
    for (const refusal of await Promise.all(refusals.map(refusalOf))) {
      expect(refusal.code).toBe('NOT_FOUND');
      messages.add(refusal.message);
    }
    await expect(call('syncJob', { scope, connectionId: owner, id })).resolves.toMatchObject({ id });
  }
  expect(messages.size).toBe(1);
  await sql`delete from tenant where app_id = ${seeded.app.appId}`;
  expect((await refusalOf(call('syncJob', { scope, connectionId, id: job.id }))).code).toBe('NOT_FOUND');
  expect((await refusalOf(call('syncJob', { scope, connectionId: other, id: revokeJobId }))).code).toBe('NOT_FOUND');
});
