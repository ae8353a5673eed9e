import { randomBytes, randomUUID } from 'node:crypto';
import { describe, expect, onTestFinished } from 'vitest';
import type { AppId, AttemptId } from '../../src/basics/ids.ts';
import { recordAttemptCause, recordBrowserRefusal } from '../../src/store/attempts/attempt-causes.ts';
import { connectAttempts, moveAttemptToEnd } from '../../src/store/attempts/attempts.ts';
import type { Database } from '../../src/store/driver/sql.ts';
import { getEndedWork, listRecentEnds, listUnsummedWork, sumEndedWork } from '../../src/store/ended-work.ts';
import { requestRedelivery } from '../../src/store/webhooks/redeliveries.ts';
import { actsOnOthers } from '../kit/bystanders.ts';
import { HOUR_MS } from '../kit/clock.ts';
import { asApi, asWorker, createTestDatabase, inTransaction, test as postgresTest } from '../kit/postgres.ts';
import { freezeClock, type SeededApp, seedApp, seedConnection, seedLookups } from '../kit/seed.ts';
import { seedAttempt } from '../kit/seed-attempts.ts';
import { seedEndpoint } from '../kit/seed-endpoint.ts';
import { insertRow } from '../kit/seed-jobs.ts';
import { drawRows, oneOf } from './list-model.ts';

/** Each test has apps of its own. */
const test = postgresTest.extend<{ sql: Database }>({
  sql: async ({ sql }, use) => use(sql),
});

/** The ends of a day as `KIND OUTCOME: number`. */
async function count(sql: Database, appId: AppId): Promise<Record<string, number>> {
  const { counts } = await getEndedWork(asApi(sql), 'DAY', { appId, provider: null });
  return Object.fromEntries(counts.map(({ kind, outcome, count: ends }) => [`${kind} ${outcome}`, ends]));
}

async function startAttempt(sql: Database, seeded: SeededApp, returnUrl = seeded.returnUrl): Promise<AttemptId> {
  const hashes = { stateSha256: randomBytes(32), browserSha256: randomBytes(32), sealedCodeVerifier: null };
  const attempt = await seedAttempt(sql, seeded, { returnUrl }, (tx, attemptId) =>
    connectAttempts.moveToAuthorizing(tx, attemptId, hashes),
  );
  return attempt.attemptId;
}

const DENIED = { status: 'DENIED', resultCode: 'ACCESS_DENIED' } as const;

describe('ended work', () => {
  test('counts a delivery that is sent again by its last end, also one whose first end was added up before', async ({
    sql,
    seeded,
  }) => {
    const { appId } = seeded.app;
    const endpointId = await seedEndpoint(sql, appId);
    await sql`
      with event as (
        insert into webhook_event (app_id, type, data)
        select ${appId}, 'job.finished', '{}' from generate_series(1, 3) returning event_id, app_id, type
      )
      insert into webhook_delivery (event_id, endpoint_id, app_id, event_type)
      select event_id, ${endpointId}, app_id, type from event
    `;
    const end = (status: string, httpStatus: number) => asWorker(sql)`
      update webhook_delivery set status = ${status}, last_http_status = ${httpStatus}, next_retry_at = null,
        finished_at = business_now()
      where endpoint_id = ${endpointId} and status = 'PENDING'
    `;
    await end('FAILED', 410);
    expect(await count(sql, appId)).toEqual({ 'WEBHOOK HTTP_410': 3 });
    const [first, second] = await sql`select delivery_id from webhook_delivery where endpoint_id = ${endpointId}`;
    const repeat = (row: typeof first) => inTransaction(asApi(sql), (tx) => requestRedelivery(tx, row?.deliveryId));
    await repeat(first);
    await end('DELIVERED', 204);
    await sumEndedWork(asWorker(sql), 1_000);
    await repeat(second);
    await end('DELIVERED', 204);
    const last = { 'WEBHOOK HTTP_410': 1, 'WEBHOOK DELIVERED': 2 };
    expect(await count(sql, appId)).toEqual(last);
    await sumEndedWork(asWorker(sql), 1_000);
    expect(await count(sql, appId)).toEqual(last);
  });

  test('counts reads, revokes and token refreshes by outcome, and keeps the counts when the rows are erased', async ({
    sql,
    seeded,
  }) => {
    const { appId } = seeded.app;
    const connectionId = await seedConnection(sql, seeded, { scope: seeded.newScope(), provider: 'PROVIDER_C' });
    await seedLookups(sql, seeded, connectionId, 3);
    const end = (status: string, errorCode: string | null) => asWorker(sql)`
      update read_job set status = ${status}, error_code = ${errorCode}, finished_at = business_now()
      where job_id = (select job_id from read_job where connection_id = ${connectionId} and status = 'QUEUED' limit 1)
    `;
    await end('SUCCEEDED', null);
    await end('FAILED', 'CONTENT_NOT_FOUND');
    await end('CANCELED', null);
    await sql`
      insert into disconnect_job (job_id, kind, connection_id, app_id, provider, registration_id, correlation_id)
      select gen_random_uuid(), kind, ${connectionId}, ${appId}, 'PROVIDER_C', ${seeded.registrations.PROVIDER_C},
        ${randomUUID()} from unnest(array['REVOKE', 'ERASE']) kind
    `;
    await asWorker(sql)`
      update disconnect_job set status = 'FAILED', last_answer = 'HTTP_503', last_failure = 'PROVIDER_UNAVAILABLE', error_code = 'PROVIDER_UNAVAILABLE',
        finished_at = business_now() where connection_id = ${connectionId}
    `;
    await asWorker(sql)`update account_grant set generation = generation + 1 where connection_id = ${connectionId}`;
    await asWorker(sql)`update connection set status = 'RECONNECT_REQUIRED' where connection_id = ${connectionId}`;
    await asWorker(sql)`delete from connection where connection_id = ${connectionId}`;
    const all = {
      'READ SUCCEEDED': 1,
      'READ CONTENT_NOT_FOUND': 1,
      'READ CANCELED': 1,
      'REVOKE PROVIDER_UNAVAILABLE': 1,
      'TOKEN_REFRESH SUCCEEDED': 1,
      'TOKEN_REFRESH RECONNECT_REQUIRED': 1,
    };
    expect(await count(sql, appId)).toEqual(all);
    const { counts } = await getEndedWork(asApi(sql), 'DAY', { appId, provider: null });
    expect(counts.flatMap(({ kind, cause }) => (cause === null ? [] : [{ kind, cause }]))).toEqual([
      { kind: 'REVOKE', cause: 'HTTP_503' },
    ]);
  });

  test('counts failures by the answer to the last try or the refusal of the browser, the rarest of an hour together', async ({
    sql,
    seeded,
  }) => {
    actsOnOthers(sql, 'ended_work', 'ended_work_count');
    const { appId } = seeded.app;
    const causes = async () => {
      const { counts } = await getEndedWork(asApi(sql), 'DAY', { appId, provider: null });
      return counts.map(({ outcome, cause, count: ends }) => ({ outcome, cause, count: ends }));
    };
    const fail = async (answer: string | null, code: string | null) => {
      const attemptId = await startAttempt(sql, seeded);
      await recordAttemptCause(asWorker(sql), 'connect_attempt', attemptId, { answer, code });
      await moveAttemptToEnd(asWorker(sql), attemptId, { status: 'FAILED', resultCode: 'EXCHANGE_FAILED' });
    };
    await fail('HTTP_400', 'invalid_grant');
    await fail('HTTP_400', 'invalid_grant');
    await fail('TIMEOUT', null);
    await fail(null, null);
    const denied = await startAttempt(sql, seeded);
    await recordAttemptCause(asWorker(sql), 'connect_attempt', denied, { answer: 'REDIRECT', code: 'access_denied' });
    await moveAttemptToEnd(asWorker(sql), denied, DENIED);
    const late = [await startAttempt(sql, seeded), await startAttempt(sql, seeded)];
    await recordBrowserRefusal(asApi(sql), 'connect_attempt', denied, 'launchUsed'); // It had ended, and was no cause.
    await recordBrowserRefusal(asApi(sql), 'connect_attempt', late[0] ?? denied, 'wrongBrowser');
    await sql`update connect_attempt set expires_at = business_now() where attempt_id = any(${late})`;
    expect(await connectAttempts.endUnanswered(asWorker(sql), late)).toBe(2);
    const expected = [
      { outcome: 'ACCESS_DENIED', cause: null, count: 1 },
      { outcome: 'EXCHANGE_FAILED', cause: 'HTTP_400 invalid_grant', count: 2 },
      { outcome: 'EXCHANGE_FAILED', cause: 'TIMEOUT', count: 1 },
      { outcome: 'EXCHANGE_FAILED', cause: null, count: 1 },
      { outcome: 'EXPIRED', cause: 'wrongBrowser', count: 1 },
      { outcome: 'EXPIRED', cause: null, count: 1 },
    ];
    expect(await causes()).toEqual(expected);
    await sumEndedWork(asWorker(sql), 1_000);
    expect(await causes()).toEqual(expected);
    expect((await listRecentEnds(asApi(sql))).ends).toContainEqual(
      expect.objectContaining({ kind: 'CONNECT', outcome: 'EXCHANGE_FAILED' }),
    );
    // The choice of codes does not change the number of kept rows.
    for (let i = 0; i < 40; i += 1) await fail('REDIRECT', `made_up_${i}`);
    await fail('TIMEOUT', null);
    await sumEndedWork(asWorker(sql), 1_000);
    const bounded = await causes();
    expect(bounded).toContainEqual({ outcome: 'EXCHANGE_FAILED', cause: 'TIMEOUT', count: 2 });
    expect(bounded).toContainEqual({ outcome: 'EXCHANGE_FAILED', cause: 'OTHER', count: 13 });
    expect(bounded.reduce((sum, { count: ends }) => sum + ends, 0)).toBe(48);
  });
});

test('ends are counted by hour or day, of an app and a provider, the same before, while and after they are added up', async () => {
  const { sql, drop } = await createTestDatabase(); // The ends of others would count too.
  onTestFinished(drop);
  const apps = [(await seedApp(sql)).app.appId, (await seedApp(sql)).app.appId];
  const noon = new Date('2026-05-10T12:00:00Z');
  await freezeClock(sql, new Date(noon.getTime() + HOUR_MS / 2));
  /** Around the last day, the last week, and the last 30 days. */
  const hoursAgo = oneOf(-1, 0, 1, 2, 23, 24, 7 * 24 + 1, 7 * 24 + 2, 29 * 24 + 12, 29 * 24 + 13);
  const drawn = drawRows(80, {
    ...{ app: oneOf(0, 1), kind: oneOf('CONNECT', 'READ'), provider: oneOf('PROVIDER_A', 'PROVIDER_B'), hoursAgo },
    ...{ reason: oneOf('SUCCEEDED', 'INTERNAL'), cause: oneOf(null, 'TIMEOUT') },
  });
  const rows = drawn.map((row) => ({ ...row, hour: new Date(noon.getTime() - row.hoursAgo * HOUR_MS) }));
  for (const { app, hour, kind, provider, reason, cause } of rows) {
    const outcome = cause === null ? reason : `${reason} ${cause}`;
    await insertRow(sql, 'ended_work', { hour, appId: apps[app], kind, provider, outcome });
  }
  const tally = (names: readonly string[]) => {
    const counts: Record<string, number> = {};
    for (const name of names) counts[name] = (counts[name] ?? 0) + 1;
    return counts;
  };
  const check = async () => {
    for (const [period, unitLength, first, last] of [
      ['DAY', 13, 23, 0],
      ['MONTH', 10, 29 * 24 + 12, -11],
    ] as const)
      for (const app of [0, 1, null])
        for (const provider of ['PROVIDER_A', null] as const) {
          const own = rows
            .filter((row) => (app === null || row.app === app) && (provider === null || row.provider === provider))
            .filter((row) => row.hoursAgo <= first && row.hoursAgo >= last);
          const asked = { appId: app === null ? null : (apps[app] ?? null), provider };
          const { counts } = await getEndedWork(asApi(sql), period, asked);
          const found = counts.map((one) => [
            [one.at.toISOString().slice(0, unitLength), one.kind, one.outcome, one.cause].join(),
            one.count,
          ]);
          const named = own.map((row) =>
            [row.hour.toISOString().slice(0, unitLength), row.kind, row.reason, row.cause].join(),
          );
          expect(Object.fromEntries(found)).toEqual(tally(named));
        }
    const recent = rows
      .filter((row) => row.hoursAgo <= 7 * 24 + 1)
      .map((row) => [row.kind, row.provider, row.reason, row.hoursAgo <= 1].join());
    const { ends } = await listRecentEnds(asApi(sql));
    const found = ends.map((one) => [[one.kind, one.provider, one.outcome, one.isRecent].join(), one.count]);
    expect(Object.fromEntries(found)).toEqual(tally(recent));
  };
  await check();
  for (const [added, limit] of [
    [0, 1],
    [1, 30],
  ] as const) {
    expect((await listUnsummedWork(asWorker(sql))).map(({ dueAt }) => dueAt)).toEqual([rows[added]?.hour]);
    expect(await sumEndedWork(asWorker(sql), limit)).toBe(limit);
    await check();
  }
  const sums = await Promise.all(Array.from({ length: 5 }, () => sumEndedWork(asWorker(sql), 1_000)));
  expect(sums.reduce((sum, added) => sum + added)).toBe(rows.length - 31);
  expect(await listUnsummedWork(asWorker(sql))).toEqual([]);
  await check();
});
