import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { ROOT } from '../../local/src/services.ts';
import type { Database } from '../../src/store/driver/sql.ts';
import { listPendingMigrations, migrate } from '../../src/store/migrate.ts';
import { grantRights } from '../../src/store/rights.ts';
import { moveClock } from '../kit/clock.ts';
import { createBlankDatabase, createTestDatabase, type TestDatabase } from '../kit/postgres.ts';
import {
  listChangedColumns,
  RELEASES,
  readAnswers,
  restoreFixture,
  writeFixture,
} from '../releases/release-fixture.ts';

/** `npm run release -- VERSION` sets it, and only then this file writes. */
const NEW = process.env.RELEASE_FIXTURE;
const MIGRATIONS = path.join(ROOT, 'migrations');
const MAX_BYTES = 300_000;

/** Columns, as `table.column`, that a later migration removes or rewrites on purpose. */
const CHANGED: readonly string[] = [];

const fixtures = existsSync(RELEASES) ? readdirSync(RELEASES).filter((name) => /^\d+\.\d+\.\d+/.test(name)) : [];

async function dropAfterwards(database: TestDatabase): Promise<TestDatabase> {
  onTestFinished(() => database.drop());
  return database;
}

async function makeFixture(folder: string): Promise<void> {
  const { sql } = await dropAfterwards(await createTestDatabase());
  await writeFixture(sql, folder);
}

/** Upgrades a restored database, and reads it as the api. */
async function upgrade(fixture: string, migrations: string): Promise<Database> {
  const { sql } = await dropAfterwards(await createBlankDatabase());
  const { connection, content, ...asked } = await restoreFixture(sql, fixture);
  expect(content.items.length).toBeGreaterThan(1);
  await migrate(sql, migrations);
  expect(await listPendingMigrations(sql, migrations)).toEqual([]);
  expect((await listChangedColumns(sql, fixture)).filter((column) => !CHANGED.includes(column))).toEqual([]);
  await grantRights(sql);
  await moveClock(sql, asked.madeAt.getTime() - Date.now()); // The rows are as fresh as they were.
  // Later versions may add fields; the release's answers stay.
  expect(await readAnswers(sql, { ...asked, id: connection.id })).toMatchObject({ connection, content });
  return sql;
}

describe('a filled database of an earlier version', () => {
  test.runIf(NEW !== undefined)('is written for the release', async () => {
    rmSync(path.join(RELEASES, NEW ?? '', 'migrations'), { recursive: true, force: true });
    await makeFixture(path.join(RELEASES, NEW ?? ''));
  });

  test('exists for each release in the changelog, and is small', () => {
    const released = [...readFileSync(path.join(ROOT, 'CHANGELOG.md'), 'utf8').matchAll(/^## (\d+\.\d+\.\d+\S*), /gm)];
    expect(fixtures).toEqual(expect.arrayContaining(released.map(([, version]) => version)));
    for (const version of fixtures) {
      expect(statSync(path.join(RELEASES, version, 'rows.json.gz')).size).toBeLessThan(MAX_BYTES);
    }
  });

  test.each(fixtures)('upgrades from %s, and answers as before', async (version) => {
    await upgrade(path.join(RELEASES, version), MIGRATIONS);
  });

  // Until the first release there is no other version, so the test makes the database of one that has one migration more.
  test('upgrades from this version to the next, and answers as before', async () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'release-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    await makeFixture(path.join(folder, 'fixture'));
    expect(statSync(path.join(folder, 'fixture', 'rows.json.gz')).size).toBeLessThan(MAX_BYTES);
    const next = path.join(folder, 'next');
    cpSync(MIGRATIONS, next, { recursive: true });
    writeFileSync(path.join(next, '9999_next.sql'), 'alter table connection add column next boolean default false;\n');
    await upgrade(path.join(folder, 'fixture'), next);
  });
});
