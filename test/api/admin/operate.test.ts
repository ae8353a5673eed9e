import { randomUUID } from 'node:crypto';
import { describe, expect } from 'vitest';
import type { ConnectionId, GrantId, JobId } from '../../../src/ids.ts';
import { listOverdueReleaseJobs } from '../../../src/store/overdue.ts';
import type { Database } from '../../../src/store/sql.ts';
import { inTransaction } from '../../../src/store/sql.ts';
import { test as base } from '../../kit/postgres.ts';
import { type SeededApp, seedApp, seedConnection } from '../../kit/seed.ts';
import { type Answer, createTestAdmin, type Operator, refusalOf, TEMPORAL_UI_URL, type TestAdmin } from './operator.ts';

let admin: TestAdmin;
let operator: Operator;
let seeded: SeededApp;

const test = base;
test.beforeEach(async ({ database }) => {
  admin ??= await createTestAdmin(database.sql);
  operator = admin.as('ADMIN');
  seeded = await seedApp(database.sql);
});

const DISCONNECT = 'mutation ($id: ID!) { disconnectConnection(id: $id) { receipts { id kind status } } }';
const RETRY = 'mutation ($id: ID!) { retryJob(id: $id) { id status retryable stuck tries nextTryAt workflowId } }';
const RETRY_ALL =
  'mutation ($f: JobFilter!, $d: Boolean) { retryJobs(filter: $f, dryRun: $d) { dryRun count failedCount more } }';

/** A disconnected connection whose revoke has failed `tries` times and waits an hour for the next. */
async function stuckRevoke(sql: Database, tries = 3): Promise<{ connectionId: ConnectionId; jobId: JobId }> {
  const connectionId = await seedConnection(sql, seeded, { scope: seeded.newScope() });
  const { disconnectConnection: story } = await operator(DISCONNECT, { id: connectionId });
  const jobId = story.receipts.find(({ kind }: Answer) => kind === 'REVOKE').id;
  await sql`
    update release_job set status = 'RUNNING', started_at = business_now(), tries = ${tries},
      last_failure = 'PROVIDER_UNAVAILABLE', first_failed_at = business_now() - interval '2 hours',
      next_retry_at = business_now() + interval '1 hour'
    where job_id = ${jobId}
  `;
  await sql`delete from outbox`;
  return { connectionId, jobId };
}

const outbox = async (sql: Database) =>
  await sql`select workflow_id, workflow_type, signal_name, restart from outbox order by outbox_id`;

describe('a stuck revoke', () => {
  test('is listed with why, since when, what comes next and where to look', async ({ database }) => {
    const { jobId, connectionId } = await stuckRevoke(database.sql);
    const { jobs } = await operator(
      `query ($f: JobFilter) { jobs(filter: $f) { items {
        id kind status appName tenantKey stuck stuckSince retryable tries lastFailure { code message } firstFailedAt nextTryAt givesUpAt workflowId workflowUrl
      } } }`,
      { f: { appId: seeded.app.appId, stuck: true } },
    );
    const [{ firstFailedAt }] = jobs.items;
    expect(jobs.items).toEqual([
      {
        id: jobId,
        kind: 'REVOKE',
        status: 'RUNNING',
        appName: 'Harbour Kitchen',
        tenantKey: seeded.tenantKey,
        stuck: true,
        stuckSince: firstFailedAt,
        retryable: true,
        tries: 3,
        lastFailure: {
          code: 'PROVIDER_UNAVAILABLE',
          message: expect.stringMatching(/did not answer.* It is tried again\.$/),
        },
        firstFailedAt: expect.any(String),
        nextTryAt: expect.any(String),
        givesUpAt: expect.any(String),
        workflowId: `disconnect/${connectionId}`,
        workflowUrl: `${TEMPORAL_UI_URL}/namespaces/default/workflows/disconnect%2F${connectionId}`,
      },
    ]);
  });

  test('is pushed once, however often it is asked for', async ({ database }) => {
    const { jobId, connectionId } = await stuckRevoke(database.sql);
    const before = admin.nudges();
    for (let i = 0; i < 3; i += 1) {
      expect((await operator(RETRY, { id: jobId })).retryJob).toMatchObject({ id: jobId, status: 'RUNNING' });
    }
    expect(await outbox(database.sql)).toEqual([
      { workflowId: `disconnect/${connectionId}`, workflowType: 'disconnect', signalName: 'retryNow', restart: true },
    ]);
    expect(admin.nudges()).toBe(before + 3);
  });

  test('that is just being tried is left alone', async ({ database }) => {
    const { jobId } = await stuckRevoke(database.sql);
    await database.sql`update release_job set next_retry_at = business_now() where job_id = ${jobId}`;
    expect((await operator(RETRY, { id: jobId })).retryJob).toMatchObject({ id: jobId, retryable: false });
    expect(await outbox(database.sql)).toEqual([]);
  });

  test('leaves out of it the erase, which only waits for it', async ({ database }) => {
    const { connectionId } = await stuckRevoke(database.sql);
    const { connection } = await operator(
      'query ($id: ID!) { connection(id: $id) { receipts { id kind stuck stuckSince } } }',
      {
        id: connectionId,
      },
    );
    const erase = connection.receipts.find(({ kind }: Answer) => kind === 'ERASE');
    expect(erase).toMatchObject({ stuck: false, stuckSince: null });
  });

  test('is one of many that are pushed by filter, after a dry run has counted them', async ({ database }) => {
    const ids = [];
    for (let i = 0; i < 3; i += 1) ids.push((await stuckRevoke(database.sql)).connectionId);
    const f = { appId: seeded.app.appId, kinds: ['REVOKE'], stuck: true };
    expect((await operator(RETRY_ALL, { f, d: true })).retryJobs).toEqual({
      dryRun: true,
      count: 3,
      failedCount: 0,
      more: false,
    });
    expect(await outbox(database.sql)).toEqual([]);
    expect((await operator(RETRY_ALL, { f })).retryJobs).toMatchObject({ dryRun: false, count: 3 });
    expect((await operator(RETRY_ALL, { f })).retryJobs).toMatchObject({ count: 0 });
    const workflows = (await outbox(database.sql)).map(({ workflowId }) => workflowId);
    expect(workflows.sort()).toEqual(ids.map((id) => `disconnect/${id}`).sort());
    const [entry] =
      await database.sql`select count(*)::int as count from audit_log where action = 'retryJobs' and outcome = 'DRY_RUN'`;
    expect(entry?.count).toBeGreaterThan(0);
  });

  test('counts among those like it, and not among those to be pushed while it is tried', async ({ database }) => {
    const { sql } = database;
    const { jobId } = await stuckRevoke(sql);
    const [other, failed] = [await stuckRevoke(sql), await stuckRevoke(sql)];
    await sql`update release_job set last_failure = 'PROVIDER_CONTRACT' where job_id = ${other.jobId}`;
    await sql`
      update release_job set status = 'FAILED', error_code = 'PROVIDER_UNAVAILABLE', finished_at = business_now(),
        next_retry_at = null, creator_action = 'REMOVE_APP_AT_PROVIDER', sealed_tokens = 'sealed'
      where job_id = ${failed.jobId}
    `;
    await operator(RETRY, { id: jobId });
    const { appId } = seeded.app;
    const count = async (filter: object, first = 20) =>
      (
        await operator(
          `query ($f: JobFilter, $first: Int) { stuckWork(filter: $f, first: $first) { count retryableCount groupCount
            groups { appId appName provider kind lastFailure { code } count failedCount since } } }`,
          { f: { appId, ...filter }, first },
        )
      ).stuckWork;
    const whole = await count({});
    const group = {
      appId,
      appName: 'Harbour Kitchen',
      provider: 'PROVIDER_B',
      kind: 'REVOKE',
      since: expect.any(String),
    };
    expect(whole).toEqual({
      count: 3,
      retryableCount: 2,
      groupCount: 2,
      groups: [
        { ...group, lastFailure: { code: 'PROVIDER_UNAVAILABLE' }, count: 2, failedCount: 1 },
        { ...group, lastFailure: { code: 'PROVIDER_CONTRACT' }, count: 1, failedCount: 0 },
      ],
    });
    expect(await count({}, 1)).toEqual({ ...whole, groups: whole.groups.slice(0, 1) });
    expect(await count({ lastFailure: 'PROVIDER_CONTRACT' })).toMatchObject({ count: 1, groupCount: 1 });
    for (const none of [{ stuck: false }, { provider: 'PROVIDER_C' }]) {
      expect(await count(none)).toEqual({ count: 0, retryableCount: 0, groupCount: 0, groups: [] });
    }
  });

  test('counts on the overview, with the provider at fault', async ({ database }) => {
    await stuckRevoke(database.sql);
    const { overview } = await operator(`{ overview {
      stuckRevokes oldestStuckRevokeAt stuckJobs outboxWaiting connections { provider status count } jobs { kind status count }
      providers { provider openJobs failing { failure { code } count since } }
    } }`);
    expect(overview.stuckRevokes).toBeGreaterThan(0);
    expect(Date.now() - Date.parse(overview.oldestStuckRevokeAt)).toBeGreaterThan(7_000_000);
    const provider = overview.providers.find((one: Answer) => one.provider === 'PROVIDER_B');
    expect(provider.failing[0]).toMatchObject({ failure: { code: 'PROVIDER_UNAVAILABLE' } });
  });
});

describe('a revoke that has failed for good', () => {
  async function failedRevoke(sql: Database, { kept }: { kept: boolean }) {
    const stuck = await stuckRevoke(sql);
    await sql`
      update release_job set status = 'FAILED', error_code = 'PROVIDER_UNAVAILABLE', finished_at = business_now(),
        next_retry_at = null, creator_action = 'REMOVE_APP_AT_PROVIDER', sealed_tokens = ${kept ? 'sealed' : null}
      where job_id = ${stuck.jobId}
    `;
    const [row] = await sql`select grant_id from release_job where job_id = ${stuck.jobId}`;
    await sql`delete from connection where connection_id = ${stuck.connectionId}`;
    return { ...stuck, grantId: row?.grantId as GrantId };
  }

  test('is opened again under a new run, for as long as its receipt is kept', async ({ database }) => {
    const { jobId, grantId } = await failedRevoke(database.sql, { kept: true });
    expect((await operator(RETRY, { id: jobId })).retryJob).toMatchObject({
      status: 'QUEUED',
      workflowId: `revoke/${grantId}/1`,
    });
    expect(await outbox(database.sql)).toEqual([
      { workflowId: `revoke/${grantId}/1`, workflowType: 'revokeGrant', signalName: 'retryNow', restart: true },
    ]);
    const [job] = await database.sql`
      select creator_action, error_code, finished_at, give_up_at between business_now() + interval '71 hours'
        and business_now() + interval '72 hours' as patient from release_job where job_id = ${jobId}
    `;
    expect(job).toEqual({ creatorAction: null, errorCode: null, finishedAt: null, patient: true });
  });

  test('is being tried once it is pushed, however long ago it began: it is not pushed again', async ({ database }) => {
    const { jobId } = await failedRevoke(database.sql, { kept: true });
    await database.sql`
      update release_job set created_at = business_now() - interval '80 hours',
        started_at = business_now() - interval '80 hours' where job_id = ${jobId}
    `;
    expect((await operator(RETRY, { id: jobId })).retryJob).toMatchObject({ status: 'QUEUED', retryable: false });
    expect((await operator(RETRY_ALL, { f: { appId: seeded.app.appId } })).retryJobs).toMatchObject({ count: 0 });
    expect(await listOverdueReleaseJobs(database.sql)).not.toContain(jobId);
  });

  test('is not said to be tried again', async ({ database }) => {
    const { jobId } = await failedRevoke(database.sql, { kept: true });
    const { job } = await operator(
      'query ($id: ID!) { job(id: $id) { lastFailure { message } failure { message } } }',
      { id: jobId },
    );
    const message = 'The provider did not answer, or answered with an error of its own.';
    expect(job).toEqual({ lastFailure: { message }, failure: { message } });
  });

  test('with nothing left to revoke with says so', async ({ database }) => {
    const { jobId } = await failedRevoke(database.sql, { kept: false });
    const refusal = await refusalOf(operator(RETRY, { id: jobId }));
    expect(refusal.message).toBe('BAD_USER_INPUT: id names a revoke with nothing left to revoke with.');
  });
});

describe('disconnecting many', () => {
  const ALL = `mutation ($i: DisconnectAllInput!, $d: Boolean) { disconnectAll(input: $i, dryRun: $d) {
    dryRun connectionCount run { id total disconnected unsettled finishedAt workflowId }
  } }`;

  test('says how many first, and is begun once', async ({ database }) => {
    for (let i = 0; i < 3; i += 1) await seedConnection(database.sql, seeded, { scope: seeded.newScope() });
    const i = { appId: seeded.app.appId, tenantKey: seeded.tenantKey };
    await database.sql`delete from outbox`;
    expect((await operator(ALL, { i, d: true })).disconnectAll).toEqual({
      dryRun: true,
      connectionCount: 3,
      run: null,
    });
    const { disconnectAll: first } = await operator(ALL, { i });
    const { disconnectAll: second } = await operator(ALL, { i });
    expect(first.run).toMatchObject({ total: 3, disconnected: 0, workflowId: `disconnect-all/${first.run.id}` });
    expect(second.run.id).toBe(first.run.id);
    expect(await outbox(database.sql)).toHaveLength(1);
  });

  test('needs to be told whose', async () => {
    for (const i of [{}, { appId: seeded.app.appId }, { registrationId: randomUUID(), tenantKey: 'x' }]) {
      expect((await refusalOf(operator(ALL, { i }))).code).toBe('BAD_USER_INPUT');
    }
  });

  test('comes with removing a tenant, if that is asked for', async ({ database }) => {
    await seedConnection(database.sql, seeded, { scope: seeded.newScope() });
    const remove = `mutation ($a: ID!, $t: String!, $c: TenantConnections!, $d: Boolean) {
      removeTenant(appId: $a, tenantKey: $t, connections: $c, dryRun: $d) { connectionCount bulkDisconnect { total } }
    }`;
    const variables = { a: seeded.app.appId, t: seeded.tenantKey, c: 'DISCONNECT_ALL' };
    expect((await operator(remove, { ...variables, d: true })).removeTenant).toEqual({
      connectionCount: 1,
      bulkDisconnect: null,
    });
    expect((await operator(remove, variables)).removeTenant).toEqual({
      connectionCount: 1,
      bulkDisconnect: { total: 1 },
    });
    expect((await refusalOf(operator(remove, variables))).code).toBe('NOT_FOUND');
  });
});

describe('erasing a person', () => {
  const ERASE = `mutation ($i: EraseSubjectInput!, $d: Boolean) { eraseSubject(input: $i, dryRun: $d) {
    dryRun connectionCount attemptCount keptTokenCount erasure { id remaining completedAt connectionIds jobs { kind status } }
  } }`;

  test('disconnects all they have, forgets who they are, and answers the same receipt again', async ({ database }) => {
    const { sql } = database;
    const scope = seeded.newScope();
    const ids = [
      await seedConnection(sql, seeded, { scope }),
      await seedConnection(sql, seeded, { scope, provider: 'PROVIDER_A' }),
    ];
    const i = { appId: seeded.app.appId, ...scope };
    expect((await operator(ERASE, { i, d: true })).eraseSubject).toMatchObject({ connectionCount: 2, erasure: null });
    const { eraseSubject: erased } = await operator(ERASE, { i });
    expect(erased.erasure).toMatchObject({ remaining: 2, completedAt: null });
    expect([...erased.erasure.connectionIds].sort()).toEqual([...ids].sort());
    expect(erased.erasure.jobs).toHaveLength(4);
    const rows = await sql`select status from connection where connection_id = any(${ids}::uuid[])`;
    expect(rows.map(({ status }) => status)).toEqual(['DISCONNECTED', 'DISCONNECTED']);
    const [left] =
      await sql`select count(*)::int as count from scope where external_subject_id = ${scope.externalSubjectId}`;
    expect(left?.count).toBe(0);
    expect((await operator(ERASE, { i })).eraseSubject.erasure.id).toBe(erased.erasure.id);
  });

  test('destroys the tokens kept of a failed revoke', async ({ database }) => {
    const { sql } = database;
    const scope = seeded.newScope();
    const connectionId = await seedConnection(sql, seeded, { scope });
    await operator(DISCONNECT, { id: connectionId });
    await sql`
      update release_job set status = 'FAILED', sealed_tokens = 'sealed', finished_at = business_now()
      where connection_id = ${connectionId} and kind = 'REVOKE'
    `;
    const { eraseSubject: erased } = await operator(ERASE, { i: { appId: seeded.app.appId, ...scope } });
    expect(erased.keptTokenCount).toBe(1);
    const [job] =
      await sql`select sealed_tokens from release_job where connection_id = ${connectionId} and kind = 'REVOKE'`;
    expect(job?.sealedTokens).toBeNull();
  });

  test('of whom only such tokens were left names their connection and jobs, and answers so again', async ({
    database: { sql },
  }) => {
    const scope = seeded.newScope();
    const connectionId = await seedConnection(sql, seeded, { scope });
    await operator(DISCONNECT, { id: connectionId });
    await sql`update release_job set status = 'SUCCEEDED', finished_at = business_now() where connection_id = ${connectionId}`;
    await sql`
      update release_job set status = 'FAILED', sealed_tokens = 'sealed'
      where connection_id = ${connectionId} and kind = 'REVOKE'
    `;
    const [row] = await sql`delete from connection where connection_id = ${connectionId} returning scope_id`;
    await sql`delete from scope where scope_id = ${row?.scopeId}`;
    const i = { appId: seeded.app.appId, ...scope };
    expect((await operator(ERASE, { i, d: true })).eraseSubject).toMatchObject({ keptTokenCount: 1, erasure: null });
    const { eraseSubject: first } = await operator(ERASE, { i });
    expect(first).toMatchObject({ connectionCount: 0, keptTokenCount: 1 });
    expect(first.erasure).toMatchObject({ remaining: 0, connectionIds: [connectionId] });
    expect(first.erasure.jobs).toEqual(
      expect.arrayContaining([
        { kind: 'REVOKE', status: 'FAILED' },
        { kind: 'ERASE', status: 'SUCCEEDED' },
      ]),
    );
    expect((await operator(ERASE, { i })).eraseSubject).toEqual({ ...first, keptTokenCount: 0 });
  });

  test('asked for twice at once makes one receipt', async ({ database: { sql } }) => {
    const scope = seeded.newScope();
    await seedConnection(sql, seeded, { scope });
    const i = { appId: seeded.app.appId, ...scope };
    const both = await Promise.all([operator(ERASE, { i }), operator(ERASE, { i })]);
    expect(new Set(both.map(({ eraseSubject }) => eraseSubject.erasure.id)).size).toBe(1);
  });

  test('of whom nothing is held is NOT_FOUND', async () => {
    const i = { appId: seeded.app.appId, ...seeded.newScope() };
    expect((await refusalOf(operator(ERASE, { i }))).code).toBe('NOT_FOUND');
  });
});

describe('a proof of deletion', () => {
  const PROOF = 'query ($id: ID!) { proofOfDeletion(connectionId: $id) { document signature } }';
  const VERIFY = 'query ($d: String!, $s: String!) { verifyProofOfDeletion(document: $d, signature: $s) }';

  test('is given once all is erased, names nobody, and can be checked', async ({ database }) => {
    const { sql } = database;
    const scope = seeded.newScope();
    const id = await seedConnection(sql, seeded, { scope });
    await operator(DISCONNECT, { id });
    expect((await refusalOf(operator(PROOF, { id }))).code).toBe('BAD_USER_INPUT');
    await sql`update release_job set status = 'SUCCEEDED', finished_at = business_now() where connection_id = ${id}`;
    const { proofOfDeletion: proof } = await operator(PROOF, { id });
    for (const personal of [scope.externalSubjectId, scope.tenantKey]) expect(proof.document).not.toContain(personal);
    expect(JSON.parse(proof.document)).toMatchObject({ connectionId: id, erase: { status: 'SUCCEEDED' } });
    const { document: d, signature: s } = proof;
    expect((await operator(VERIFY, { d, s })).verifyProofOfDeletion).toBe(true);
    expect((await operator(VERIFY, { d: d.replace('SUCCEEDED', 'FAILED'), s })).verifyProofOfDeletion).toBe(false);
  });
});

describe('a proof of deletion while tokens are kept', () => {
  test('says so, and until when; once they are gone it says that all is', async ({ database: { sql } }) => {
    const proofOf = async (id: ConnectionId) => {
      const { proofOfDeletion } = await operator(
        'query ($id: ID!) { proofOfDeletion(connectionId: $id) { document } }',
        { id },
      );
      return JSON.parse(proofOfDeletion.document);
    };
    const id = await seedConnection(sql, seeded, { scope: seeded.newScope() });
    const { disconnectConnection: story } = await operator(DISCONNECT, { id });
    const jobId = story.receipts.find(({ kind }: Answer) => kind === 'REVOKE').id;
    await sql`update release_job set status = 'SUCCEEDED', finished_at = business_now() where connection_id = ${id}`;
    await sql`update release_job set status = 'FAILED', sealed_tokens = 'sealed' where job_id = ${jobId}`;
    const proof = await proofOf(id);
    const [job] = await sql`select created_at + interval '7 days' as until from release_job where job_id = ${jobId}`;
    expect(proof.kept).toEqual([{ what: 'tokens', jobId, revoke: 'FAILED', until: job?.until.toISOString() }]);
    expect(proof.deleted).not.toContain('grant and tokens');
    expect(proof.statement).toContain('but for what is kept');

    await sql`update release_job set sealed_tokens = null where job_id = ${jobId}`;
    expect(await proofOf(id)).toMatchObject({
      statement: 'All that was held of this connection has been deleted.',
      deleted: expect.arrayContaining(['grant and tokens']),
      kept: [],
    });
  });
});

describe('the audit log', () => {
  test('is written in the transaction of what it tells of, and only ever added to', async ({ database }) => {
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
    // The newest first; that of the last names a token there is not.
    expect(named.items.map(({ actorLabel }: Answer) => actorLabel)).toEqual([null, null, null, 'Long gone', 'A ADMIN']);
    for (const change of ['delete from audit_log', "update audit_log set actor = 'nobody'"]) {
      await expect(inTransaction(sql, (tx) => tx.unsafe(change))).rejects.toThrow('insert-only');
    }
  });
});
