import { randomBytes } from 'node:crypto';
import { describe, expect } from 'vitest';
import {
  type AttemptId,
  type ConnectionId,
  type CorrelationId,
  type GrantId,
  type JobId,
  newId,
  type ScopeId,
} from '../../src/basics/ids.ts';
import { startDisconnect } from '../../src/store/connections/disconnects.ts';
import { type Database, inTransaction } from '../../src/store/driver/sql.ts';
import { countSubjectJobs, insertErasure, listErasureJobs } from '../../src/store/erasures/erasures.ts';
import { moveGrantToRevoking } from '../../src/store/grants/grant-end.ts';
import { findGrant, findGrantOfConnection, insertGrant, updateGrantAccount } from '../../src/store/grants/grants.ts';
import { claimKeptRefresh, keepTokens } from '../../src/store/grants/kept-tokens.ts';
import { moveDisconnectJobToEnd, moveDisconnectJobToRunning } from '../../src/store/jobs/disconnect-jobs.ts';
import { PERMIT } from '../kit/permit.ts';
import { asApi, asWorker, test } from '../kit/postgres.ts';
import { type SeededApp, seedApp, seedConnection, seedScope } from '../kit/seed.ts';
import { seedDisconnectJob } from '../kit/seed-jobs.ts';

/** A pending grant of PROVIDER_B as an exchange stores it, with the account behind it: no connection uses it yet. */
async function seedGrant(sql: Database, seeded: SeededApp, scopeId: ScopeId): Promise<GrantId> {
  const grantId = newId<GrantId>();
  await insertGrant(sql, {
    grantId,
    attemptId: newId<AttemptId>(),
    scopeId,
    provider: 'PROVIDER_B',
    registrationId: seeded.registrations.PROVIDER_B,
    principalMacs: [],
    permissions: ['read'],
    sealedTokens: 'sealed',
    accessExpiresAt: null,
    refreshExpiresAt: null,
  });
  await updateGrantAccount(sql, grantId, {
    providerAccountId: 'account',
    accountMacs: [],
    profile: { displayName: 'Harbour', handle: 'harbour', avatarUrl: null, profileUrl: null, description: null },
  });
  return grantId;
}

/** Lets a revoke fail, with or without the tokens that it keeps and whose refresh has begun. */
async function failRevoke(sql: Database, jobId: JobId, grantId: GrantId | null): Promise<void> {
  await moveDisconnectJobToRunning(asWorker(sql), jobId);
  if (grantId !== null) {
    await keepTokens(asWorker(sql), jobId, 'kept', { grantId, refreshClaim: null });
    await claimKeptRefresh(asWorker(sql), jobId, newId());
  }
  await moveDisconnectJobToEnd(asWorker(sql), jobId, {
    status: 'FAILED',
    creatorAction: null,
    errorCode: 'PROVIDER_UNAVAILABLE',
  });
}

interface Person {
  readonly scopeId: ScopeId;
  readonly scopeMac: Buffer;
  readonly connectionIds: readonly ConnectionId[];
  /** Exchanged, with the account behind it; no connection uses it yet. */
  readonly pending: GrantId;
  /** Without a connection: its revoke has failed. */
  readonly unused: GrantId;
  readonly unusedJob: JobId;
  /** Of a connection: its revoke has failed as well, and keeps tokens. */
  readonly used: GrantId;
  readonly usedJob: JobId;
}

/** A person whose connections are disconnected, and whose revokes have failed. */
async function seedPerson(sql: Database, seeded: SeededApp): Promise<Person> {
  const scope = seeded.newScope();
  const scopeMac = randomBytes(32);
  const scopeId = await seedScope(sql, seeded, scope);
  const pending = await seedGrant(sql, seeded, scopeId);
  const unused = await seedGrant(sql, seeded, scopeId);
  await inTransaction(sql, (tx) => moveGrantToRevoking(tx, unused, PERMIT));
  const unusedJob = await seedDisconnectJob(sql, seeded, { kind: 'COMPENSATION', scopeId, grantId: unused });
  await failRevoke(sql, unusedJob, unused);
  const disconnect = async (provider: 'PROVIDER_A' | 'PROVIDER_B') => {
    const connectionId = await seedConnection(sql, seeded, { scope, provider });
    const started = await inTransaction(asApi(sql), (tx) =>
      startDisconnect(
        tx,
        { scopeId, scopeMac },
        connectionId,
        { reason: 'APP', correlationId: newId<CorrelationId>() },
        {
          spares: false,
          listAccountMacs: () => [],
        },
      ),
    );
    const grant = await findGrantOfConnection(sql, connectionId);
    if (!started || !grant) return expect.fail('There was nothing to disconnect.');
    return { connectionId, grantId: grant.grantId, jobId: started.revokeJobId };
  };
  const [first, second] = [await disconnect('PROVIDER_B'), await disconnect('PROVIDER_A')];
  await failRevoke(sql, first.jobId, first.grantId);
  await failRevoke(sql, second.jobId, null);
  return {
    ...{ scopeId, scopeMac, pending, unused, unusedJob },
    connectionIds: [first.connectionId, second.connectionId],
    used: first.grantId,
    usedJob: first.jobId,
  };
}

const erase = async (
  sql: Database,
  seeded: SeededApp,
  person: Pick<Person, 'scopeId' | 'scopeMac' | 'connectionIds'>,
) => {
  const subject = { ...person, appId: seeded.app.appId, scopeMacs: [person.scopeMac] };
  const begun = await inTransaction(asApi(sql), (tx) => insertErasure(tx, subject));
  return begun ?? expect.fail('Nobody was erased.');
};

/** Everything of a person that an erasure may change. */
const rowsOf = async (sql: Database, { scopeId }: Person) => [
  await sql`select * from scope where scope_id = ${scopeId}`,
  await sql`select * from account_grant where scope_id = ${scopeId} order by grant_id`,
  await sql`select * from disconnect_job where scope_id = ${scopeId} order by job_id`,
];

describe('the erasure of a person', () => {
  test('discards kept tokens and forgets the accounts of unused grants, and none of another person', async ({
    sql,
  }) => {
    const seeded = await seedApp(sql);
    const [person, other] = [await seedPerson(sql, seeded), await seedPerson(sql, seeded)];
    const before = await rowsOf(sql, other);
    const subject = { scopeId: person.scopeId, scopeMacs: [person.scopeMac] };
    // Both erases are open, and two of the three failed revokes keep tokens.
    expect(await countSubjectJobs(asApi(sql), subject)).toEqual({ jobs: 4, keptTokens: 2 });
    expect(await findGrant(sql, person.pending)).toMatchObject({ profile: { handle: 'harbour' } });

    const { erasureId, keptTokens } = await erase(sql, seeded, person);
    expect(keptTokens).toBe(2);
    expect(await listErasureJobs(asApi(sql), erasureId)).toHaveLength(5);
    for (const jobId of [person.unusedJob, person.usedJob]) {
      const [job] = await sql`
        select status, sealed_tokens, refresh_claim, refresh_claimed_at from disconnect_job where job_id = ${jobId}
      `;
      expect(job).toEqual({ status: 'FAILED', sealedTokens: null, refreshClaim: null, refreshClaimedAt: null });
    }
    const forgotten = { profile: null, providerAccountId: null };
    expect(await findGrant(sql, person.pending)).toMatchObject({ status: 'PENDING', ...forgotten });
    expect(await findGrant(sql, person.unused)).toMatchObject({ status: 'DEAD', sealedTokens: null });
    // This one ends with its connection, whose erase is still to come.
    expect(await findGrant(sql, person.used)).toMatchObject({ status: 'REVOKING', sealedTokens: 'sealed' });
    expect(await rowsOf(sql, other)).toEqual(before);
  });

  test('leaves the receipts of an earlier erasure to that one', async ({ sql }) => {
    const seeded = await seedApp(sql);
    const person = await seedPerson(sql, seeded);
    const first = await erase(sql, seeded, person);
    const receipts = await listErasureJobs(asApi(sql), first.erasureId);
    const second = await erase(sql, seeded, person);
    expect(second.keptTokens).toBe(0);
    expect(await listErasureJobs(asApi(sql), second.erasureId)).toEqual([]);
    expect(await listErasureJobs(asApi(sql), first.erasureId)).toEqual(receipts);
  });
});
