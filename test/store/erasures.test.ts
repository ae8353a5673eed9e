import { randomBytes } from 'node:crypto';
import { describe, expect } from 'vitest';
import { inTransaction, type Transaction } from '../../src/store/driver/sql.ts';
import { countSubjectJobs } from '../../src/store/erasures/erasures.ts';
import {
  countNamedConnections,
  hasOwnRevoke,
  insertDeletionRequest,
  listNamedConnections,
  type NamedAccount,
} from '../../src/store/erasures/platform-callbacks.ts';
import { moveDisconnectJobToRunning } from '../../src/store/jobs/disconnect-jobs.ts';
import { businessNow, SECOND_MS } from '../kit/clock.ts';
import { overlap } from '../kit/overlap.ts';
import { asApi, asWorker, test } from '../kit/postgres.ts';
import { at, type SeedConnection, seedApp, seedConnection } from '../kit/seed.ts';
import { type SeedDisconnectJob, seedDisconnectJob } from '../kit/seed-jobs.ts';

describe('erasures', () => {
  test('concern the open jobs of a subject, and failed ones that keep tokens', async ({ sql }) => {
    const seeded = await seedApp(sql);
    const [mac, otherMac] = [randomBytes(32), randomBytes(32)];
    const insert = async (scopeMac: Buffer, status: string, sealedTokens: string | null) => {
      const jobId = await seedDisconnectJob(sql, seeded, { scopeMac });
      await sql`
        update disconnect_job set status = ${status}, sealed_tokens = ${sealedTokens},
          finished_at = ${status === 'RUNNING' ? null : sql`business_now()`}
        where job_id = ${jobId}
      `;
    };
    await insert(mac, 'RUNNING', 'tried again');
    await insert(mac, 'RUNNING', null);
    await insert(mac, 'FAILED', 'kept');
    await insert(mac, 'FAILED', null);
    await insert(mac, 'SUCCEEDED', null);
    await insert(otherMac, 'FAILED', 'kept');
    expect(await countSubjectJobs(asApi(sql), { scopeId: undefined, scopeMacs: [randomBytes(32), mac] })).toEqual({
      jobs: 3,
      keptTokens: 1,
    });
  });
});

describe('a platform’s callback', () => {
  test('names connections of the account whose last grant is not of a later second', async ({ sql }) => {
    const seeded = await seedApp(sql);
    const now = await businessNow(sql);
    const accountMac = randomBytes(32);
    const connect = async (macs: readonly Buffer[], options: Partial<SeedConnection> = {}) => {
      const connectionId = await at(sql, now, 0, () =>
        seedConnection(sql, seeded, { scope: seeded.newScope(), ...options }),
      );
      for (const mac of macs)
        await sql`
          update account_grant set account_macs = account_macs || ${mac}::bytea where connection_id = ${connectionId}
        `;
      return connectionId;
    };
    const own = await connect([randomBytes(32), accountMac]);
    await connect([randomBytes(32)]);
    await connect([accountMac], { provider: 'PROVIDER_A' });
    const gone = await connect([accountMac], { status: 'DISCONNECTED' });
    await sql`update account_grant set status = 'REVOKING' where connection_id = ${gone}`;
    const named = (ms: number): NamedAccount => ({
      registrationId: seeded.registrations.PROVIDER_B,
      accountMacs: [accountMac, randomBytes(32)],
      happenedAt: new Date(now.getTime() + ms),
    });
    const find = async (ms: number) => {
      const ids: string[] = [];
      for await (const page of listNamedConnections(asApi(sql), named(ms)))
        ids.push(...page.map(({ connectionId }) => connectionId));
      return [ids, await countNamedConnections(asApi(sql), named(ms))];
    };
    expect(await find(-SECOND_MS)).toEqual([[], 0]);
    const pages = listNamedConnections(asApi(sql), named(-SECOND_MS));
    expect(await pages.next()).toEqual({ done: true, value: undefined }); // Not even an empty one.
    expect(await find(1 - SECOND_MS)).toEqual([[own], 2]);
    // The person has connected it again since: a later grant of the same connection.
    await sql`
      insert into account_grant (grant_id, attempt_id, scope_id, provider, registration_id, connection_id, status,
        permissions, obtained_at)
      select gen_random_uuid(), gen_random_uuid(), scope_id, provider, registration_id, connection_id, 'DEAD',
        permissions, obtained_at + interval '1 millisecond'
      from account_grant where connection_id = ${own}
    `;
    expect(await find(9 * SECOND_MS)).toEqual([[], 1]);
  });

  test('is an answer to our own revoke if one of the principal was begun', async ({ sql }) => {
    const seeded = await seedApp(sql);
    const has = (principalMac: Buffer) =>
      hasOwnRevoke(asApi(sql), seeded.registrations.PROVIDER_B, [randomBytes(32), principalMac]);
    const tried = async (job: SeedDisconnectJob, isBegun = true) => {
      const principalMac = randomBytes(32);
      const jobId = await seedDisconnectJob(sql, seeded, { ...job, principalMac });
      if (isBegun) await moveDisconnectJobToRunning(asWorker(sql), jobId);
      return await has(principalMac);
    };
    expect(await tried({}, false)).toBe(false);
    expect(await tried({})).toBe(true);
    expect(await tried({ kind: 'COMPENSATION' })).toBe(true);
    expect(await tried({ kind: 'ERASE' })).toBe(false);
    expect(await tried({ provider: 'PROVIDER_A' })).toBe(false);
    expect(await has(randomBytes(32))).toBe(false);
  });

  test('to delete an account keeps the code that it has, of an older key too', async ({ sql }) => {
    const code = () => randomBytes(16).toString('hex');
    const [older, newer] = [code(), code()];
    const insert = (codes: readonly string[]) => inTransaction(asApi(sql), (tx) => insertDeletionRequest(tx, codes));
    expect(await insert([older])).toBe(older);
    expect(await insert([newer, older])).toBe(older);
    const another = code();
    expect(await insert([another, newer])).toBe(another);
    await expect(insert([])).rejects.toThrow('A deletion request needs a code.');
  });

  test('to delete an account gets one code, also if it arrives twice at once', async ({ sql }) => {
    const codes = [randomBytes(16).toString('hex')];
    const insert = (tx: Transaction) => insertDeletionRequest(tx, codes);
    expect(await overlap(asApi(sql), insert, () => inTransaction(asApi(sql), insert))).toBe(codes[0]);
  });
});
