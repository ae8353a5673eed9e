import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import { type CorrelationId, newId } from '../../src/basics/ids.ts';
import { type Database, inTransaction } from '../../src/store/driver/sql.ts';
import {
  type BulkTarget,
  findBulkDisconnect,
  findBulkOutcome,
  insertBulkDisconnect,
} from '../../src/store/jobs/bulk-disconnects.ts';
import { businessNow, DAY_MS, MINUTE_MS } from '../kit/clock.ts';
import { test } from '../kit/postgres.ts';
import { at, type SeededApp, seedApp } from '../kit/seed.ts';
import { insertJob } from '../kit/seed-jobs.ts';

const insert = (sql: Database, target: BulkTarget) =>
  inTransaction(sql, (tx) => insertBulkDisconnect(tx, target, 7, newId<CorrelationId>()));
const tenantOf = ({ app, tenantKey }: SeededApp) => ({ appId: app.appId, tenantKey });

test('a bulk disconnect counts its own open erases and failed revokes', async ({ sql }) => {
  const [seeded, other] = [await seedApp(sql, { name: 'Quay' }), await seedApp(sql, { name: 'Pier' })];
  const now = await businessNow(sql);
  const jobs: readonly [SeededApp, string, string, number][] = [
    [seeded, 'ERASE', 'QUEUED', 1],
    [seeded, 'ERASE', 'RUNNING', 2],
    [seeded, 'ERASE', 'SUCCEEDED', 4],
    [seeded, 'ERASE', 'FAILED', 1],
    [seeded, 'REVOKE', 'FAILED', 2],
    [seeded, 'REVOKE', 'RUNNING', 5],
    [seeded, 'REVOKE', 'SUCCEEDED', 1],
    [seeded, 'COMPENSATION', 'SUCCEEDED', 1],
    [seeded, 'REVOKE', 'LEFT', 3],
    [other, 'ERASE', 'QUEUED', 7],
    [other, 'REVOKE', 'FAILED', 8],
  ];
  const own = await insert(sql, tenantOf(seeded));
  const foreign = await insert(sql, tenantOf(other));
  for (const [app, kind, status, count] of jobs)
    for (let n = 0; n < count; n += 1)
      await insertJob(sql, app, {
        ...{ kind: kind as 'ERASE', status: status === 'LEFT' ? 'SUCCEEDED' : status, connectionId: randomUUID() },
        ...((status === 'LEFT' || (kind === 'REVOKE' && status === 'FAILED')) && {
          creatorAction: 'REMOVE_APP_AT_PROVIDER',
        }),
        bulkDisconnectId: (app === seeded ? own : foreign).bulkDisconnectId,
        finishedAt: status === 'QUEUED' || status === 'RUNNING' ? null : now,
      });
  const find = ({ bulkDisconnectId }: typeof own) => findBulkDisconnect(sql, bulkDisconnectId);
  const base = { registrationId: null, total: 7, disconnected: 0, finishedAt: null };
  const isOwn = { ...base, ...tenantOf(seeded), appName: 'Quay', unsettled: 3, revokesFailed: 2 };
  expect(await find(own)).toMatchObject(isOwn);
  expect(await find(foreign)).toMatchObject({ ...base, ...tenantOf(other), unsettled: 7, revokesFailed: 8 });
  const outcomeOf = ({ bulkDisconnectId }: typeof own) => findBulkOutcome(sql, bulkDisconnectId);
  expect(await outcomeOf(own)).toEqual({ revoked: 2, leftToPerson: 5, erased: 4 });
  expect(await outcomeOf(foreign)).toEqual({ revoked: 0, leftToPerson: 8, erased: 0 });
  expect(await outcomeOf(await insert(sql, { registrationId: seeded.registrations.PROVIDER_A }))).toEqual({
    ...{ revoked: 0, leftToPerson: 0, erased: 0 },
  });
  // Retention deletes receipts after seven days, and the counts with them.
  const later = await at(sql, now, 7 * DAY_MS + MINUTE_MS, () => outcomeOf(own));
  expect(later).toBeUndefined();
});
