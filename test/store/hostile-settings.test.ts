import { expect, onTestFinished, test } from 'vitest';
import { Secret } from '../../src/basics/secret.ts';
import { listDatabaseFaults } from '../../src/store/database-faults.ts';
import { type Database, openDatabase } from '../../src/store/driver/sql.ts';
import { listPendingMigrations, migrate } from '../../src/store/migrate.ts';
import { grantRights, readRoleStatements } from '../../src/store/rights.ts';
import { createBlankDatabase } from '../kit/postgres.ts';

/** As an administrator, a provider or a restored dump leaves them. */
const HOSTILE = {
  bytea_output: 'escape',
  DateStyle: 'German',
  IntervalStyle: 'iso_8601',
  TimeZone: 'Asia/Kolkata',
  search_path: '"$user", elsewhere',
  default_transaction_isolation: 'serializable',
  standard_conforming_strings: 'off',
};

const open = (url: string): Database => {
  const sql = openDatabase(new Secret(url), { poolSize: 1, applicationName: 'tests' });
  onTestFinished(() => sql.end({ timeout: 5 }));
  return sql;
};

test.each(['database', 'role'] as const)('settings of a %s change nothing for the service', async (owner) => {
  const database = await createBlankDatabase();
  onTestFinished(() => database.drop());
  const name = new URL(database.url).pathname.slice(1);
  await database.sql.unsafe('create schema elsewhere; create schema accounts; create schema worker');
  for (const [setting, value] of Object.entries(HOSTILE)) {
    const text = setting === 'search_path' ? value : `'${value}'`;
    if (owner === 'database') await database.sql.unsafe(`alter database "${name}" set ${setting} = ${text}`);
    else
      for (const role of ['accounts', 'worker'])
        await database.sql.unsafe(`alter role ${role} in database "${name}" set ${setting} = ${text}`);
  }
  const migrating = open(database.url);
  expect((await migrate(migrating)).length).toBeGreaterThan(0);
  await grantRights(migrating, readRoleStatements('accounts'));
  const worker = open(database.urls.worker);
  expect(await listPendingMigrations(worker)).toEqual([]);
  expect(await listDatabaseFaults(worker, 'worker')).toEqual([]);
  const [row] = await worker`
    select '\\x00ff'::bytea as bytes, timestamptz '2026-11-29T00:20:00Z' as instant, interval '1 day 02:03:04'::text as interval,
      (select count(*)::int from pg_tables where schemaname in ('elsewhere', 'accounts', 'worker')) as astray
  `;
  expect(row).toEqual({
    bytes: Buffer.from([0, 255]),
    instant: new Date('2026-11-29T00:20:00Z'),
    interval: '1 day 02:03:04',
    astray: 0,
  });
});
