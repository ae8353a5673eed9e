import { randomUUID } from 'node:crypto';
import { describe, expect, onTestFinished, vi } from 'vitest';
import { StaleDatabaseError } from '../../src/basics/errors.ts';
import { type ConnectionId, type JobId, newId } from '../../src/basics/ids.ts';
import { createLog } from '../../src/basics/log.ts';
import { repeatLostLines } from '../../src/domain/disconnecting/repeat-lost-lines.ts';
import type { JournalLine } from '../../src/journal/files.ts';
import { openJournal } from '../../src/journal/journal.ts';
import { createJournalKeeper } from '../../src/journal/keep.ts';
import { watchFreshness } from '../../src/journal/watch-freshness.ts';
import type { DisconnectInput } from '../../src/workflows/contract.ts';
import { openStage } from '../kit/activity-stage.ts';
import { createWorkerDeps } from '../kit/deps.ts';
import { newFolder } from '../kit/folder.ts';
import { journalTest as test } from '../kit/journal.ts';
import { asWorker, type Database, inTransaction } from '../kit/postgres.ts';
import { insertAdminToken, seedApp, seedConnection, seedContent, seedScope } from '../kit/seed.ts';

async function open(sql: Database) {
  const folder = newFolder();
  const deps = await createWorkerDeps(sql, { providers: {} as never });
  const journal = openJournal(folder, deps.mac);
  const keeper = createJournalKeeper(asWorker(sql), journal);
  const known = new Map<ConnectionId, DisconnectInput>();
  const recall = { findDisconnect: async (id: ConnectionId) => known.get(id) };
  let number = 0;
  return {
    journal,
    keeper,
    disconnects: known,
    seeded: await seedApp(sql),
    deps,
    write: (kind: JournalLine['kind'], id: string, at = new Date()) => {
      number += 1;
      return journal.append([{ number, entryId: randomUUID(), kind, id, at: at.toISOString() }]);
    },
    repeat: (seenAt = new Date()) => repeatLostLines({ ...deps, journal: keeper, recall }, seenAt),
  };
}

const statusOf = async (sql: Database, connectionId: ConnectionId) =>
  (await sql`select status from connection where connection_id = ${connectionId}`)[0]?.status;

describe('a worker that has seen a fail-over', () => {
  test('repeats lost disconnects under their callers’ receipts, and touches no other connection', async ({ sql }) => {
    const { deps, seeded, write, repeat, keeper, disconnects } = await open(sql);
    const [known, unknown, stays] = await Promise.all(
      ['known', 'unknown', 'stays'].map(() => seedConnection(sql, seeded, { scope: seeded.newScope() })),
    );
    if (!known || !unknown || !stays) throw new Error('Nobody is there.');
    for (const id of [known, unknown, stays]) await seedContent(sql, id, { publishedAt: new Date() });
    const ids = { revokeJobId: newId<JobId>(), eraseJobId: newId<JobId>() };
    disconnects.set(known, { connectionId: known, provider: 'PROVIDER_A', ...ids, revoked: true });
    await write('CONNECTION', known);
    await write('CONNECTION', unknown);
    await expect(keeper.check()).rejects.toThrow(StaleDatabaseError);
    await repeat();
    await keeper.check();
    expect(deps.lines.map((line) => JSON.parse(line))).toContainEqual(expect.objectContaining({ count: 2 }));
    expect([await statusOf(sql, known), await statusOf(sql, unknown)]).toEqual(['DISCONNECTED', 'DISCONNECTED']);
    const listJobs = (id: ConnectionId) =>
      sql`select job_id, kind, status from disconnect_job where connection_id = ${id} order by kind`;
    // The platform had confirmed the revoke.
    expect(await listJobs(known)).toEqual([
      { jobId: ids.eraseJobId, kind: 'ERASE', status: 'QUEUED' },
      { jobId: ids.revokeJobId, kind: 'REVOKE', status: 'SUCCEEDED' },
    ]);
    expect(await listJobs(unknown)).toMatchObject([
      { kind: 'ERASE', status: 'QUEUED' },
      { kind: 'REVOKE', status: 'QUEUED' },
    ]);
    for (const id of [known, unknown]) {
      expect(await sql`select from content_item where connection_id = ${id}`).toEqual([]);
      expect(await sql`select restart from outbox where workflow_id = ${`disconnect/${id}`}`).toEqual([
        { restart: true },
      ]);
    }
    expect(await statusOf(sql, stays)).toBe('CONNECTED');
    expect(await sql`select from content_item where connection_id = ${stays}`).toHaveLength(1);
    expect(await sql`select from disconnect_job where connection_id = ${stays}`).toEqual([]);
    await keeper.ship(); // The journal continues behind the repeated lines.
    await keeper.check();
  });

  test('repeats the end of grants, persons and credentials, with the rights of a worker', async ({ sql }) => {
    const stage = await openStage(sql);
    const { seeded, write, repeat, keeper } = await open(sql);
    const [dead, live] = [await stage.newConnection(), await stage.newConnection()];
    const scopeId = await seedScope(sql, seeded, seeded.newScope());
    const [key] = await sql`
      insert into app_key (key_id, app_id, secret_sha256, label)
      values (gen_random_uuid(), ${seeded.app.appId}, sha256('lost'), 'lost') returning key_id
    `;
    const { tokenId } = await inTransaction(sql, (tx) =>
      insertAdminToken(tx, { label: 'lost', role: 'VIEWER', expiresAt: new Date(Date.now() + 3_600_000) }),
    );
    await write('GRANT', dead.grantId);
    await write('SUBJECT', scopeId);
    await write('APP_KEY', String(key?.keyId));
    await write('ADMIN_TOKEN', tokenId);
    await repeat();
    await keeper.check();
    expect(await stage.connectionStatus(dead.connectionId)).toBe('RECONNECT_REQUIRED');
    expect(await stage.connectionStatus(live.connectionId)).toBe('CONNECTED');
    const [scope] = await sql`select external_subject_id from scope where scope_id = ${scopeId}`;
    expect(scope?.externalSubjectId).toMatch(/^erased-/);
    const revoked = await sql`
      select (select count(*)::int from app_key where revoked_at is not null) as keys,
        (select count(*)::int from admin_token where revoked_at is not null) as tokens
    `;
    expect(revoked).toEqual([{ keys: 1, tokens: 1 }]);
  });

  test('repeats nothing that a restored backup lacks', async ({ sql }) => {
    const { seeded, write, repeat, keeper } = await open(sql);
    const connectionId = await seedConnection(sql, seeded, { scope: seeded.newScope() });
    await write('CONNECTION', connectionId, new Date(Date.now() - 3_600_000));
    await write('CONNECTION', newId());
    await expect(repeat()).rejects.toThrow('restore replay');
    await expect(keeper.check()).rejects.toThrow(StaleDatabaseError);
    expect(await statusOf(sql, connectionId)).toBe('CONNECTED');
  });
});

describe('lines are repeated', () => {
  const BEFORE = { identity: 'a', cluster: '7/16384', timeline: '00000001', at: new Date('2026-01-01T00:00:00Z') };

  /** A process that has seen one server, and now finds another one, which lacks lines. */
  async function meet(now: Partial<typeof BEFORE> | { cluster: null }, { hasSeen = true } = {}) {
    let server: object = BEFORE;
    const check = vi.fn(() => Promise.resolve());
    const repeat = vi.fn(() => Promise.resolve());
    if (!hasSeen) check.mockRejectedValue(new StaleDatabaseError('It lacks 1 erasure.'));
    const sql = (() => Promise.resolve([server])) as unknown as Database;
    const options = { lookEveryMs: 5, repeat };
    const watch = watchFreshness(sql, { isKept: true, check }, createLog('silent'), options);
    onTestFinished(watch.close);
    await vi.waitUntil(() => check.mock.calls.length > 0);
    check.mockRejectedValue(new StaleDatabaseError('It lacks 1 erasure.'));
    server = { ...BEFORE, identity: 'b', at: new Date('2026-01-01T00:01:00Z'), ...now };
    const seen = check.mock.calls.length;
    await vi.waitUntil(() => check.mock.calls.length > seen + 3);
    return repeat.mock.calls;
  }

  test('after a fail-over of the same database, once in a while', async () => {
    expect(await meet({ timeline: '00000002' })).toEqual([[BEFORE.at]]);
  });

  test.for([
    ['a restart', {}, true],
    ['another cluster', { cluster: '8/16384', timeline: '00000002' }, true],
    ['a server that does not tell', { cluster: null, timeline: '00000002' }, true],
    ['a fail-over before the process began', { timeline: '00000002' }, false],
  ] as const)('not after %s', async ([, now, hasSeen]) => {
    expect(await meet(now, { hasSeen })).toEqual([]);
  });
});
