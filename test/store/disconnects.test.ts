import { randomBytes, randomUUID } from 'node:crypto';
import { describe, expect } from 'vitest';
import { type ConnectionId, type CorrelationId, newId, type ScopeId } from '../../src/basics/ids.ts';
import {
  deleteUnusedScopes,
  eraseConnection,
  purgeContent,
  startDisconnect,
} from '../../src/store/connections/disconnects.ts';
import { type Database, inTransaction } from '../../src/store/driver/sql.ts';
import { businessNow, DAY_MS } from '../kit/clock.ts';
import { test } from '../kit/postgres.ts';
import { type SeededApp, seedApp, seedConnection, seedContent, seedCoverage, seedScope } from '../kit/seed.ts';
import { answerAttempt, seedAttempt } from '../kit/seed-attempts.ts';
import { insertJob, insertRow } from '../kit/seed-jobs.ts';

/** A grant that no connection uses, unless one is given. */
async function insertGrant(sql: Database, seeded: SeededApp, scopeId: ScopeId, status: string, row: object = {}) {
  const grantId = randomUUID();
  await insertRow(sql, 'account_grant', {
    ...{ grantId, attemptId: randomUUID(), scopeId, provider: 'PROVIDER_B', status, permissions: ['read'] },
    ...{ registrationId: seeded.registrations.PROVIDER_B, obtainedAt: await businessNow(sql) },
    ...{ sealedTokens: status === 'DEAD' ? null : 'sealed', principalMac: randomBytes(32), ...row },
  });
  return grantId;
}

test('the data of a disconnected account is purged, and of no other', async ({ sql }) => {
  const seeded = await seedApp(sql);
  const now = await businessNow(sql);
  const window = { publishedAfter: new Date(now.getTime() - DAY_MS), publishedBefore: now, scannedAt: now };
  const make = async (status: 'CONNECTED' | 'DISCONNECTED' | 'DELETING') => {
    const id = await seedConnection(sql, seeded, { scope: seeded.newScope(), status });
    for (let n = 0; n < 2; n += 1) await seedContent(sql, id, { publishedAt: now });
    await seedCoverage(sql, id, window);
    await sql`update connection set last_successful_sync_at = ${now} where connection_id = ${id}`;
    return id;
  };
  const ids = [await make('DISCONNECTED'), await make('DELETING'), await make('CONNECTED'), await make('DISCONNECTED')];
  const [disconnected, deleting, connected] = ids as [ConnectionId, ConnectionId, ConnectionId];
  const [halves, many] = [await make('DISCONNECTED'), await make('DELETING')];
  await sql`update connection set profile = null, profile_observed_at = null where connection_id = ${halves}`;
  const unread = await make('DISCONNECTED'); // An account without a profile, which no scan has read.
  await sql`update connection set profile = null, last_successful_sync_at = null where connection_id = ${unread}`;
  await sql`
    insert into content_item (content_item_id, connection_id, provider_content_id, kind, availability, observed_at)
    select gen_random_uuid(), ${many}, n::text, 'VIDEO', 'AVAILABLE', ${now} from generate_series(1, 1500) as n
  `;
  for (const id of [disconnected, deleting, connected, halves, unread, many]) await purgeContent(sql, id);
  const listKept = async (id: ConnectionId | undefined) => {
    const [row] = await sql`
      select (select count(*)::int from content_item i where i.connection_id = c.connection_id) as posts,
        (select count(*)::int from coverage v where v.connection_id = c.connection_id) as ranges,
        profile is not null as profile, profile_observed_at, last_successful_sync_at
      from connection c where connection_id = ${id ?? null}
    `;
    return Object.keys(row ?? {}).filter((name) => row?.[name]);
  };
  const all = ['posts', 'ranges', 'profile', 'profileObservedAt', 'lastSuccessfulSyncAt'];
  for (const id of [disconnected, deleting, halves, unread, many]) expect(await listKept(id)).toEqual([]);
  for (const id of [connected, ids[3]]) expect(await listKept(id)).toEqual(all);
});

describe('an erase', () => {
  test('deletes the connection, and grants of its person that nothing uses', async ({ sql }) => {
    const seeded = await seedApp(sql);
    const [scope, otherScope] = [seeded.newScope(), seeded.newScope()];
    const [scopeId, otherId] = [await seedScope(sql, seeded, scope), await seedScope(sql, seeded, otherScope)];
    const make = (status: 'DELETING' | 'DISCONNECTED') => seedConnection(sql, seeded, { scope, status });
    const [erased, disconnected, deleting] = [
      await make('DELETING'),
      await make('DISCONNECTED'),
      await make('DELETING'),
    ];
    const { attemptId } = await seedAttempt(sql, seeded, { scopeId }, answerAttempt);
    const canceled = await seedAttempt(sql, seeded, { scopeId });
    await sql`
      update connect_attempt set status = 'CANCELED', finished_at = business_now() where attempt_id = ${canceled.attemptId}
    `;
    const kept = [
      await insertGrant(sql, seeded, scopeId, 'DEAD', { attemptId }),
      await insertGrant(sql, seeded, scopeId, 'PENDING'),
      await insertGrant(sql, seeded, scopeId, 'REVOKING'),
      await insertGrant(sql, seeded, scopeId, 'DEAD', { connectionId: deleting }),
      await insertGrant(sql, seeded, otherId, 'DEAD'),
    ];
    const gone = [
      await insertGrant(sql, seeded, scopeId, 'DEAD', { attemptId: canceled.attemptId }),
      await insertGrant(sql, seeded, scopeId, 'DEAD'),
    ];
    await inTransaction(sql, (tx) => eraseConnection(tx, disconnected));
    await inTransaction(sql, (tx) => eraseConnection(tx, erased));
    const connections = await sql`select connection_id from connection where scope_id = ${scopeId}`;
    expect(connections.map((row) => row.connectionId).sort()).toEqual([disconnected, deleting].sort());
    const grants = await sql`select grant_id from account_grant where grant_id = any(${[...kept, ...gone]}::uuid[])`;
    expect(grants.map((row) => row.grantId).sort()).toEqual([...kept].sort());
  });

  test('deletes a scope that nothing refers to', async ({ sql }) => {
    const seeded = await seedApp(sql);
    const make = async () => {
      const scope = seeded.newScope();
      return { scope, scopeId: await seedScope(sql, seeded, scope) };
    };
    const [connected, tried, granted] = [await make(), await make(), await make()];
    const [unused, unasked] = [await make(), await make()];
    for (let n = 0; n < 2; n += 1) {
      const id = await seedConnection(sql, seeded, { scope: connected.scope });
      await sql`delete from account_grant where connection_id = ${id}`;
      await seedAttempt(sql, seeded, { scopeId: tried.scopeId });
      await insertGrant(sql, seeded, granted.scopeId, 'DEAD');
    }
    const kept = [connected, tried, granted].map(({ scopeId }) => scopeId);
    await deleteUnusedScopes(sql, [...kept, unused.scopeId]);
    const rows = await sql`
      select scope_id from scope where scope_id = any(${[...kept, unused.scopeId, unasked.scopeId]}::uuid[])
    `;
    expect(rows.map((row) => row.scopeId).sort()).toEqual([...kept, unasked.scopeId].sort());
  });
});

test('a disconnect revokes the live grant alone, and a repeated one tells how that went', async ({ sql }) => {
  const seeded = await seedApp(sql);
  const scope = seeded.newScope();
  const connectionId = await seedConnection(sql, seeded, { scope });
  const scopeId = await seedScope(sql, seeded, scope);
  const dead = await insertGrant(sql, seeded, scopeId, 'DEAD', { connectionId });
  const start = () =>
    inTransaction(sql, (tx) =>
      startDisconnect(
        tx,
        { scopeId, scopeMac: randomBytes(32) },
        connectionId,
        { reason: 'APP', correlationId: newId<CorrelationId>() },
        {
          spares: false,
          listAccountMacs: () => [],
        },
      ),
    );
  const first = await start();
  const isFirst = { revokeJobId: first?.revokeJobId, eraseJobId: first?.eraseJobId, canceledReads: [] };
  expect(first).toMatchObject({ ...isFirst, started: true, revokeSettledWell: false });
  const grants = await sql`select grant_id, status from account_grant where connection_id = ${connectionId}`;
  expect(grants.map((row) => [row.grantId === dead, row.status]).sort()).toEqual([
    [false, 'REVOKING'],
    [true, 'DEAD'],
  ]);
  expect(await start()).toMatchObject({ ...isFirst, started: false, revokeSettledWell: false });
  const settle = (status: string) => sql`
    update disconnect_job set status = ${status}, finished_at = business_now() where job_id = ${first?.revokeJobId ?? null}
  `;
  await settle('FAILED');
  expect(await start()).toMatchObject({ ...isFirst, started: false, revokeSettledWell: false });
  await settle('SUCCEEDED');
  expect(await start()).toMatchObject({ ...isFirst, started: false, revokeSettledWell: true });
  await sql`delete from disconnect_job where job_id = ${first?.eraseJobId ?? null}`;
  await expect(start()).rejects.toThrow('has lost its receipts');
  await insertJob(sql, seeded, { kind: 'ERASE', connectionId });
  await sql`delete from disconnect_job where job_id = ${first?.revokeJobId ?? null}`;
  await expect(start()).rejects.toThrow('has lost its receipts');
});
