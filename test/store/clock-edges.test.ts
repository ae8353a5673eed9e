import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { describe, expect } from 'vitest';
import { type AttemptId, type CorrelationId, type JobId, newId } from '../../src/basics/ids.ts';
import { findUseFault } from '../../src/domain/reading/usable.ts';
import { findKeyOwner } from '../../src/store/apps/keys.ts';
import {
  connectAttempts,
  countUnfinishedAttempts,
  findAttemptResult,
  insertAttempt,
} from '../../src/store/attempts/attempts.ts';
import { findConnection } from '../../src/store/connections/connections.ts';
import { findContent } from '../../src/store/content/content.ts';
import { type Database, inTransaction } from '../../src/store/driver/sql.ts';
import {
  countCallerJobsInFlight,
  findReadJob,
  findReadJobOfConnection,
  insertLookup,
  insertScan,
} from '../../src/store/jobs/read-jobs.ts';
import { findSyncJob } from '../../src/store/jobs/sync-jobs.ts';
import { findScopeById } from '../../src/store/scopes.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS, moveClock } from '../kit/clock.ts';
import { test } from '../kit/postgres.ts';
import { type SeededApp, seedApp, seedConnection, seedContent, seedScope } from '../kit/seed.ts';

/** A margin before an instant; tests take less time than this. */
const A_MOMENT_MS = 2_000;

/** Expects a condition to hold until an instant, and not from it on. */
async function expectUntil(sql: Database, afterMs: number, holds: () => Promise<boolean>): Promise<void> {
  await moveClock(sql, afterMs - A_MOMENT_MS);
  expect(await holds(), 'a moment before').toBe(true);
  await moveClock(sql, A_MOMENT_MS);
  expect(await holds(), 'at the instant').toBe(false);
}

const newAttempt = async (sql: Database, seeded: SeededApp) => {
  const scopeId = await seedScope(sql, seeded, seeded.newScope());
  const attemptId = newId<AttemptId>();
  await inTransaction(sql, (tx) =>
    insertAttempt(tx, {
      attemptId,
      scopeId,
      appId: seeded.app.appId,
      provider: 'PROVIDER_B',
      registrationId: seeded.registrations.PROVIDER_B,
      capabilities: ['PROFILE'],
      returnUrl: seeded.returnUrl,
      reconnectConnectionId: null,
      launchTokenSha256: randomBytes(32),
      correlationId: newId<CorrelationId>(),
    }),
  );
  return { attemptId, scopeId };
};
const launch = (sql: Database, attemptId: AttemptId) =>
  inTransaction(sql, (tx) =>
    connectAttempts.moveToAuthorizing(tx, attemptId, {
      stateSha256: randomBytes(32),
      browserSha256: randomBytes(32),
      sealedCodeVerifier: null,
    }),
  );

describe('by the clock of the database', () => {
  test('a key serves until it expires', async ({ sql }) => {
    const { keyId } = await seedApp(sql);
    await sql`update app_key set expires_at = business_now() + interval '1 hour' where key_id = ${keyId}`;
    await expectUntil(sql, HOUR_MS, async () => (await findKeyOwner(sql, keyId))?.usable === true);
  });

  test('an attempt can be launched for 10 minutes', async ({ sql }) => {
    const seeded = await seedApp(sql);
    const early = await newAttempt(sql, seeded);
    const late = await newAttempt(sql, seeded);
    await moveClock(sql, 10 * MINUTE_MS - A_MOMENT_MS);
    expect(await launch(sql, early.attemptId)).toBe(true);
    await moveClock(sql, A_MOMENT_MS);
    expect(await launch(sql, late.attemptId)).toBe(false);
  });

  test('an attempt accepts its callback for 10 minutes', async ({ sql }) => {
    const seeded = await seedApp(sql);
    const [early, late] = [await newAttempt(sql, seeded), await newAttempt(sql, seeded)];
    for (const { attemptId } of [early, late]) await launch(sql, attemptId);
    const accept = (attemptId: AttemptId) =>
      inTransaction(sql, (tx) => connectAttempts.moveToExchanging(tx, attemptId, 'sealed'));
    await moveClock(sql, 10 * MINUTE_MS - A_MOMENT_MS);
    expect(await accept(early.attemptId)).toBe(true);
    await moveClock(sql, A_MOMENT_MS);
    expect(await accept(late.attemptId)).toBe(false);
  });

  test('an attempt counts as unfinished for 10 minutes', async ({ sql }) => {
    const { scopeId } = await newAttempt(sql, await seedApp(sql));
    const count = () => inTransaction(sql, (tx) => countUnfinishedAttempts(tx, scopeId, 'PROVIDER_B'));
    expect(await count()).toMatchObject({ count: 1, oldestExpiresInSeconds: 600 });
    await expectUntil(sql, 10 * MINUTE_MS, async () => (await count()).count === 1);
  });

  test('a result can be read for 24 hours', async ({ sql }) => {
    const seeded = await seedApp(sql);
    const { attemptId, scopeId } = await newAttempt(sql, seeded);
    const { appId } = seeded.app;
    const scope = (await findScopeById(sql, scopeId)) ?? { tenantKey: '', externalSubjectId: '' };
    const find = async () => (await findAttemptResult(sql, { appId, scope, id: attemptId })).attempt;
    await expectUntil(sql, 24 * HOUR_MS, async () => (await find()) !== undefined);
  });

  test('a connection may be read until its refresh token expires', async ({ sql }) => {
    const seeded = await seedApp(sql);
    const connectionId = await seedConnection(sql, seeded, { scope: seeded.newScope() });
    await sql`
      update account_grant set refresh_expires_at = business_now() + interval '1 hour' where connection_id = ${connectionId}
    `;
    const fault = async () => {
      const connection = await findConnection(sql, connectionId);
      return connection && findUseFault(connection)?.code;
    };
    await expectUntil(sql, HOUR_MS, async () => (await fault()) === undefined);
    expect(await fault()).toBe('RECONNECT_REQUIRED');
  });

  test('a profile is shown for 30 days', async ({ sql }) => {
    const seeded = await seedApp(sql);
    const connectionId = await seedConnection(sql, seeded, { scope: seeded.newScope() });
    await expectUntil(sql, 30 * DAY_MS, async () => (await findConnection(sql, connectionId))?.profile != null);
  });

  test('a sync is STALE from 24 hours after the last success', async ({ sql }) => {
    const seeded = await seedApp(sql);
    const connectionId = await seedConnection(sql, seeded, { scope: seeded.newScope() });
    await sql`
      update connection set sync_status = 'READY', last_successful_sync_at = business_now() where connection_id = ${connectionId}
    `;
    await expectUntil(sql, 24 * HOUR_MS, async () => (await findConnection(sql, connectionId))?.syncStatus === 'READY');
    expect((await findConnection(sql, connectionId))?.syncStatus).toBe('STALE');
  });

  test('a post is expired from 30 days after it was read', async ({ sql }) => {
    const seeded = await seedApp(sql);
    const connectionId = await seedConnection(sql, seeded, { scope: seeded.newScope() });
    const id = await seedContent(sql, connectionId, { publishedAt: new Date() });
    await expectUntil(sql, 30 * DAY_MS, async () => (await findContent(sql, connectionId, id))?.expired === false);
  });

  test('an incomplete scan can be continued for 24 hours, and a finished job read for 7 days', async ({ sql }) => {
    const seeded = await seedApp(sql);
    const connectionId = await seedConnection(sql, seeded, { scope: seeded.newScope() });
    const { jobId } = await insertScan(sql, {
      connectionId,
      appId: seeded.app.appId,
      provider: 'PROVIDER_B',
      requestedBy: 'CALLER',
      correlationId: newId<CorrelationId>(),
      window: null,
      maxItems: 1,
      continues: null,
    });
    await sql`
      update read_job set status = 'SUCCEEDED', finished_at = business_now(), provider_cursor = 'next',
        incomplete_reason = 'MAX_ITEMS' where job_id = ${jobId}
    `;
    await expectUntil(sql, 24 * HOUR_MS, async () => (await findReadJob(sql, jobId))?.continuable === true);
    await expectUntil(
      sql,
      6 * DAY_MS,
      async () => (await findReadJobOfConnection(sql, connectionId, jobId)) !== undefined,
    );
  });

  test('a receipt can be read for 7 days', async ({ sql }) => {
    const seeded = await seedApp(sql);
    const [jobId, connectionId] = [newId<JobId>(), randomUUID()];
    const scopeMac = randomBytes(32);
    await sql`
      insert into disconnect_job (job_id, kind, connection_id, app_id, provider, registration_id, scope_mac, correlation_id)
      values (${jobId}, 'ERASE', ${connectionId}, ${seeded.app.appId}, 'PROVIDER_B', ${seeded.registrations.PROVIDER_B},
        ${scopeMac}, ${randomUUID()})
    `;
    const receipt = {
      appId: seeded.app.appId,
      scope: seeded.newScope(),
      id: jobId,
      connectionId: connectionId as never,
    };
    const find = async (asked: Buffer) =>
      (await findSyncJob(sql, { ...receipt, isOfScope: (stored) => stored.equals(asked) })).job;
    await expectUntil(sql, 7 * DAY_MS, async () => (await find(scopeMac)) !== undefined);
    expect(await find(randomBytes(32))).toBeUndefined();
  });
});

describe('the cap on reads in flight', () => {
  test('is exact when 40 requests arrive at once', async ({ sql }) => {
    const seeded = await seedApp(sql);
    const connectionId = await seedConnection(sql, seeded, { scope: seeded.newScope() });
    const CAP = 20;
    const admit = () =>
      inTransaction(sql, async (tx) => {
        const url = `https://platform.example/${randomUUID()}`;
        const job = {
          connectionId,
          appId: seeded.app.appId,
          provider: 'PROVIDER_B',
          requestedBy: 'CALLER',
          correlationId: newId<CorrelationId>(),
          url,
          urlSha256: createHash('sha256').update(url).digest(),
        } as const;
        if ((await countCallerJobsInFlight(tx, seeded.app.appId)) >= CAP) return false;
        await insertLookup(tx, job);
        return true;
      });
    const admitted = await Promise.all(Array.from({ length: 40 }, admit));
    expect(admitted.filter(Boolean)).toHaveLength(CAP);
  });
});
