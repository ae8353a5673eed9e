import { randomUUID } from 'node:crypto';
import { EventEmitter, once } from 'node:events';
import { describe, expect, onTestFinished } from 'vitest';
import { OperatorLimits } from '../../../src/api/admin/operator-limits.ts';
import type { ConnectionId, JobId } from '../../../src/basics/ids.ts';
import { inTransaction, type Sql } from '../../../src/store/driver/sql.ts';
import { assignJobsToBulk } from '../../../src/store/jobs/admin-jobs.ts';
import { type Answer, createTestAdmin, type Operator, refusalOf, type TestAdmin } from '../../kit/operator.ts';
import { createTestDatabase, test } from '../../kit/postgres.ts';
import { type SeededApp, seedApp, seedConnection } from '../../kit/seed.ts';

let admin: TestAdmin;
let operator: Operator;
let seeded: SeededApp;

test.beforeEach(async ({ database }) => {
  admin ??= await createTestAdmin(database.sql);
  operator = admin.as('ADMIN');
  seeded = await seedApp(database.sql);
});

const DISCONNECT = 'mutation ($id: ID!) { disconnectConnection(id: $id) { receipts { id kind status } } }';

describe('the choices of the audit log', () => {
  test('are the operators and actions that entries have, each once', async () => {
    const { sql, drop } = await createTestDatabase(); // It lists the entries of everybody.
    onTestFinished(drop);
    const alone = await createTestAdmin(sql);
    for (let i = 0; i < 3; i += 1) await alone.as('ADMIN')('mutation { createApp(input: { name: "Quay" }) { id } }');
    await sql`insert into audit_log (actor, action, outcome) values ('command line', 'key issue', 'DONE')`;
    const { auditChoices } = await alone.as('VIEWER')('{ auditChoices { actors { actor actorLabel } actions } }');
    const [{ actor } = {}] = await sql`select actor from audit_log where action = 'createApp' limit 1`;
    expect(auditChoices.actors).toEqual([
      { actor, actorLabel: 'A ADMIN' },
      { actor: 'command line', actorLabel: null },
    ]);
    expect(auditChoices.actions).toEqual([...new Set(auditChoices.actions)]);
    expect(auditChoices.actions).toEqual(expect.arrayContaining(['createApp', 'key issue']));
  });
});

describe("a connection's story", () => {
  const STORY = 'query ($id: ID!) { connection(id: $id) { audit { action target related } } }';
  const storyOf = async (id: ConnectionId) => (await operator(STORY, { id })).connection.audit;

  test('names the erasure that disconnected it', async ({ sql }) => {
    const scope = seeded.newScope();
    const id = await seedConnection(sql, seeded, { scope });
    const { eraseSubject } = await operator(
      'mutation ($i: EraseSubjectInput!) { eraseSubject(input: $i) { erasure { id } } }',
      { i: { appId: seeded.app.appId, ...scope } },
    );
    expect(await storyOf(id)).toEqual([
      {
        action: 'eraseSubject',
        target: seeded.app.appId,
        related: expect.arrayContaining([eraseSubject.erasure.id]),
      },
    ]);
  });

  test('names the bulk disconnect that ended it', async ({ sql }) => {
    const id = await seedConnection(sql, seeded, { scope: seeded.newScope() });
    const registrationId = seeded.registrations.PROVIDER_B;
    const { disconnectAll } = await operator(
      'mutation ($i: DisconnectAllInput!) { disconnectAll(input: $i) { bulkDisconnect { id } } }',
      { i: { registrationId } },
    );
    await operator(DISCONNECT, { id });
    await assignJobsToBulk(
      sql,
      disconnectAll.bulkDisconnect.id,
      (await sql`select job_id from disconnect_job where connection_id = ${id}`).map((row) => row.jobId as JobId),
    );
    expect(await storyOf(id)).toEqual([
      { action: 'disconnectConnection', target: id, related: expect.any(Array) },
      { action: 'disconnectAll', target: registrationId, related: [disconnectAll.bulkDisconnect.id] },
    ]);
  });

  test('names the bulk retry that included its revoke', async ({ sql }) => {
    const ids = [
      await seedConnection(sql, seeded, { scope: seeded.newScope() }),
      await seedConnection(sql, seeded, { scope: seeded.newScope() }),
    ];
    for (const id of ids) await operator(DISCONNECT, { id });
    const jobs = await sql`
      update disconnect_job set status = 'RUNNING', tries = 1, next_retry_at = business_now() + interval '1 hour'
      where connection_id = any(${ids}::uuid[]) and kind = 'REVOKE' returning job_id
    `;
    await operator('mutation ($f: JobFilter!) { retryJobs(filter: $f) { count } }', {
      f: { appId: seeded.app.appId, kinds: ['REVOKE'], stuck: true },
    });
    for (const id of ids) {
      const [push] = await storyOf(id);
      expect(push).toMatchObject({ action: 'retryJobs', target: seeded.app.appId });
      expect([...push.related].sort()).toEqual([...jobs.map(({ jobId }) => jobId), 'REVOKE'].sort());
    }
  });
});

describe('one token', () => {
  const MANY = `{ ${Array.from({ length: 40 }, (_, at) => `a${at}: adminTokens { id }`).join(' ')} }`;
  const entriesOf = (sql: Sql, label: string) => sql`
    select outcome, changes from audit_log where actor in (select 'token:' || token_id from admin_token where label = ${label})
    order by audit_id
  `;

  test('that is refused again and again shares an entry with its count, and others keep theirs', async () => {
    const { sql, drop } = await createTestDatabase(); // Labels name the tokens.
    onTestFinished(drop);
    const limits = new OperatorLimits(sql, { ownEntries: { perSecond: 0.001, burst: 3 }, sharedEveryMs: 50 });
    const alone = await createTestAdmin(sql, {}, {}, limits);
    await Promise.all([refusalOf(alone.as('VIEWER')(MANY)), refusalOf(alone.as('OPERATOR')('{ adminTokens { id } }'))]);
    await expect.poll(() => entriesOf(sql, 'A VIEWER')).toHaveLength(4);
    expect(await entriesOf(sql, 'A VIEWER')).toEqual([
      { outcome: 'FORBIDDEN', changes: null },
      { outcome: 'FORBIDDEN', changes: null },
      { outcome: 'FORBIDDEN', changes: null },
      { outcome: 'FORBIDDEN', changes: [{ setting: 'refusals in this entry', from: null, to: '37' }] },
    ]);
    expect(await entriesOf(sql, 'A OPERATOR')).toEqual([{ outcome: 'FORBIDDEN', changes: null }]);
  });

  test('runs three operations at once, and gets RATE_LIMITED beyond its rate, which another token does not feel', async () => {
    const { sql, drop } = await createTestDatabase();
    onTestFinished(drop);
    let [running, most] = [0, 0];
    const full = new EventEmitter();
    const countFailing = async () => {
      most = Math.max(most, ++running);
      if (most < 3) await once(full, 'three');
      else full.emit('three');
      running -= 1;
      return null;
    };
    const limits = new OperatorLimits(sql, { operations: { perSecond: 0.001, burst: 10 } });
    const alone = await createTestAdmin(sql, {}, { countFailing }, limits);
    const ask = (role: 'ADMIN' | 'VIEWER') => alone.as(role)('{ overview { failingWorkflows } }');
    await Promise.all(Array.from({ length: 10 }, () => ask('ADMIN')));
    expect(most).toBe(3);
    expect(await refusalOf(ask('ADMIN'))).toMatchObject({ code: 'RATE_LIMITED', retryAfterSeconds: 1 });
    await ask('VIEWER');
  });
});

describe('the audit log', () => {
  test('does not say of a mutation whose commit fails that it is done', async ({ sql }) => {
    const id = seeded.app.appId;
    await sql.unsafe(`
      create function refuse_commit() returns trigger language plpgsql as $$ begin raise exception 'refused'; end $$;
      create constraint trigger refused after update on app deferrable initially deferred
        for each row execute function refuse_commit();
    `);
    try {
      await refusalOf(operator('mutation ($id: ID!) { disableApp(id: $id) { id } }', { id }));
    } finally {
      await sql.unsafe('drop trigger refused on app; drop function refuse_commit');
    }
    const { app, auditLog } = await operator(
      'query ($id: ID!, $f: AuditFilter) { app(id: $id) { enabled } auditLog(filter: $f) { items { action outcome } } }',
      { id, f: { target: id } },
    );
    expect(app.enabled).toBe(true);
    expect(auditLog.items).toEqual([{ action: 'disableApp', outcome: 'FAILED' }]);
  });

  test('is written in the transaction of the recorded act, and is append-only', async ({ database }) => {
    const { sql } = database;
    const id = seeded.app.appId;
    await operator('mutation ($id: ID!) { disableApp(id: $id) { id } }', { id });
    const { auditLog } = await operator(
      'query ($f: AuditFilter) { auditLog(filter: $f) { items { actor actorLabel action target outcome correlationId } } }',
      { f: { target: id } },
    );
    expect(auditLog.items).toEqual([
      {
        actor: expect.stringMatching(/^token:/),
        actorLabel: 'A ADMIN',
        action: 'disableApp',
        target: id,
        outcome: 'DONE',
        correlationId: expect.any(String),
      },
    ]);
    const { me } = await operator('{ me { id } }');
    const lapsed = randomUUID();
    await sql`
      insert into admin_token (token_id, label, role, secret_sha256, expires_at, revoked_at)
      values (${lapsed}, 'Long gone', 'OPERATOR', ${Buffer.alloc(32)}, business_now() - interval '1 year', business_now())
    `;
    const target = randomUUID();
    for (const actor of [`token:${me.id}`, `token:${lapsed}`, 'command line', 'unknown', `token:${target}`]) {
      await sql`insert into audit_log (actor, action, target, outcome) values (${actor}, 'look', ${target}, 'DONE')`;
    }
    const { auditLog: named } = await operator(
      'query ($f: AuditFilter) { auditLog(filter: $f) { items { actorLabel } } }',
      { f: { target } },
    );
    // Newest first. The last entry names an unknown token.
    expect(named.items.map(({ actorLabel }: Answer) => actorLabel)).toEqual([null, null, null, 'Long gone', 'A ADMIN']);
    for (const change of ['delete from audit_log', "update audit_log set actor = 'nobody'"]) {
      await expect(inTransaction(sql, (tx) => tx.unsafe(change))).rejects.toThrow('insert-only');
    }
  });
});
