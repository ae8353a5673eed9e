import { randomUUID } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, vi } from 'vitest';
import type { ScopeId } from '../../src/ids.ts';
import { ROOT } from '../../src/local/services.ts';
import { migrate, pendingMigrations } from '../../src/store/migrate.ts';
import { findScope } from '../../src/store/scopes.ts';
import { test as postgresTest } from '../kit/postgres.ts';
import { seedApp, seedScope } from '../kit/seed.ts';

const FOLDER = path.join(ROOT, 'migrations');
/** The tables that a first installation finds empty. */
const FIRST = 4;

const test = postgresTest.extend<{ write: (name: string, text: string) => Promise<string> }>({
  // biome-ignore lint/correctness/noEmptyPattern: the runner reads from it which fixtures this one needs.
  write: async ({}, use) => {
    const folder = await mkdtemp(path.join(tmpdir(), 'migrations-'));
    await use(async (name, text) => {
      await writeFile(path.join(folder, name), text);
      return folder;
    });
    await rm(folder, { recursive: true });
  },
});

/** What would lock a table, or write it anew, for as long as it is big; with what to do in its place. */
const HEAVY: readonly (readonly [RegExp, string])[] = [
  [/create (unique )?index (?!concurrently)\S+ on (\w+)/g, 'create index concurrently, in a file of its own'],
  // Made, and not noted before a crash: it is there when the file runs again.
  [/create (?:unique )?index concurrently (?!if not exists)/g, 'create index concurrently if not exists'],
  [/alter table (\w+)[^;]*alter column \w+ (set data )?type/g, 'a new column, filled by a sweep'],
  [/alter table (\w+)[^;]*set not null/g, 'a check that is not valid, validated later'],
  [/alter table (\w+)[^;]*add column[^;]*\bstored\b/g, 'virtual'],
  [/alter table (\w+)[^;]*add column[^;]*default (?!false|true|null|-?\d|')/g, 'a constant default'],
  [
    /alter table (\w+)[^;]*add (constraint|check|foreign key|unique|primary key)(?![^;]*not valid)/g,
    'not valid, validated later',
  ],
  [/^\s*(vacuum full|cluster|reindex (?!.*concurrently))/gm, 'nothing of the kind'],
];

/** Heavy statements of a migration over tables that it has not made itself. */
const heavyIn = (text: string) =>
  HEAVY.flatMap(([pattern, instead]) =>
    [...text.toLowerCase().matchAll(pattern)]
      .filter((match) => !match.slice(1).some((word) => word && text.includes(`create table ${word} (`)))
      .map(([statement]) => `${statement}: ${instead}`),
  );

describe('migrations', () => {
  test('lock no table that may be big', () => {
    const later = readdirSync(FOLDER).filter((name) => Number.parseInt(name, 10) > FIRST);
    expect(later.length).toBeGreaterThan(3);
    for (const name of later) expect(heavyIn(readFileSync(path.join(FOLDER, name), 'utf8')), name).toEqual([]);
  });

  test.for([
    'create index a on connection (status);',
    'create unique index a on connection (status);',
    'create index concurrently a on connection (status);',
    'alter table connection alter column status type varchar;',
    'alter table connection alter column profile set not null;',
    'alter table connection add column a int generated always as (1) stored;',
    'alter table connection add column a uuid default gen_random_uuid();',
    'alter table connection add constraint a check (true);',
    'vacuum full connection;',
  ])('would be found out: %s', (statement) => {
    expect(heavyIn(statement)).toHaveLength(1);
  });

  test.for([
    'create table a (b int); create index c on a (b);',
    'create index concurrently if not exists a on connection (status);',
    'alter table connection add column a int, add column b boolean not null default false;',
    'alter table connection add constraint a check (true) not valid;',
  ])('may: %s', (statement) => {
    expect(heavyIn(statement)).toEqual([]);
  });

  test('give way to whoever uses a table, and come again', { timeout: 30_000 }, async ({
    database: { sql },
    write,
  }) => {
    const folder = await write('9001_patient.sql', 'alter table app add column patient int;');
    const holder = await sql.reserve();
    await holder`begin`;
    await holder`select from app`; // Any reader holds off an alter.
    const migrating = migrate(sql, folder);
    const waits = () => sql`select from pg_stat_activity where wait_event_type = 'Lock' and query like '%patient%'`;
    await vi.waitUntil(async () => (await waits()).length === 1);
    await vi.waitUntil(async () => (await waits()).length === 0, { timeout: 10_000 });
    await sql`select from app`; // Nobody waits behind it now.
    await holder`commit`;
    holder.release();
    expect(await migrating).toEqual(['9001_patient.sql']);
    expect(await sql`select patient from app`).toEqual([]);
  });

  test('come again after they and others have waited for each other', { timeout: 30_000 }, async ({
    database: { sql },
    write,
  }) => {
    const crossing = 'alter table tenant add column crossed int; alter table app add column crossed int;';
    const folder = await write('9003_crossing.sql', crossing);
    const holder = await sql.reserve();
    await holder`begin`;
    await holder`select from app`;
    const migrating = migrate(sql, folder);
    await vi.waitUntil(async () => {
      const [waiting] = await sql`
        select from pg_stat_activity where wait_event_type = 'Lock' and query like '%crossed%'
      `;
      return waiting !== undefined;
    });
    await holder`select from tenant`; // Postgres ends who has waited for a second: the migration.
    await holder`commit`;
    holder.release();
    expect(await migrating).toEqual(['9003_crossing.sql']);
  });

  test('make an index beside running writes, also when an earlier try was broken off', async ({
    database: { sql },
    write,
  }) => {
    await sql`insert into app (app_id, name) values (gen_random_uuid(), 'one'), (gen_random_uuid(), 'one')`;
    await expect(sql.unsafe('create unique index concurrently app_by_name on app (name)')).rejects.toThrow();
    const alone = '-- Outside a transaction.\ncreate index concurrently if not exists app_by_name on app (name)';
    const folder = await write('9002_app_by_name.sql', alone);
    const writer = await sql.reserve();
    await writer`begin`;
    await writer`insert into app (app_id, name) values (gen_random_uuid(), 'two')`;
    const migrating = migrate(sql, folder);
    await sql`insert into app (app_id, name) values (gen_random_uuid(), 'three')`; // Not held up.
    await writer`commit`;
    writer.release();
    expect(await migrating).toEqual(['9002_app_by_name.sql']);
    expect(await sql`select indisvalid from pg_index where indexrelid = 'app_by_name'::regclass`).toEqual([
      { indisvalid: true },
    ]);
    expect(await pendingMigrations(sql, folder)).toEqual([]);
  });

  test('let what erasures from before have left behind go, and nothing else', async ({ database: { sql } }) => {
    const seeded = await seedApp(sql);
    const { app, registrations } = seeded;
    const scopeOf = (externalSubjectId: string) => seedScope(sql, seeded, { ...seeded.newScope(), externalSubjectId });
    const job = async (connectionId: string | null, status: 'FAILED' | 'RUNNING', scopeId: ScopeId | null = null) => {
      const [row] = await sql`
        insert into release_job (job_id, kind, status, connection_id, scope_id, grant_id, app_id, provider, registration_id,
          sealed_tokens, error_code, creator_action, finished_at, correlation_id)
        values (gen_random_uuid(), ${connectionId === null ? 'COMPENSATION' : 'REVOKE'}, ${status}, ${connectionId}, ${scopeId},
          gen_random_uuid(), ${app.appId}, 'PROVIDER_B',
          ${registrations.PROVIDER_B}, ${status === 'FAILED' ? 'sealed' : null}, ${status === 'FAILED' ? 'INTERNAL' : null},
          ${status === 'FAILED' ? 'REMOVE_APP_AT_PROVIDER' : null}, ${status === 'FAILED' ? new Date() : null},
          gen_random_uuid())
        returning job_id
      `;
      return String(row?.jobId);
    };
    const [erased, underWay, others] = [randomUUID(), randomUUID(), randomUUID()];
    const [forgotten, known] = [await scopeOf(`erased-${randomUUID()}`), await scopeOf(`subject-${randomUUID()}`)];
    const [failed, running, kept] = [
      await job(erased, 'FAILED'),
      await job(underWay, 'RUNNING', forgotten),
      await job(others, 'FAILED', known),
    ];
    const [givenBack, keptBack, othersBack] = [
      await job(null, 'RUNNING', forgotten),
      await job(null, 'FAILED', forgotten),
      await job(null, 'FAILED', known),
    ];
    const [erasure] = await sql`
      insert into erasure (erasure_id, app_id, scope_mac, connection_ids)
      values (gen_random_uuid(), ${app.appId}, 'mac', ${[erased, underWay]}::uuid[]) returning erasure_id
    `;
    await sql.unsafe(readFileSync(path.join(FOLDER, '0012_erasures_under_way.sql'), 'utf8'));
    const rows = await sql`select job_id, erasure_id, sealed_tokens from release_job where app_id = ${app.appId}`;
    expect(Object.fromEntries(rows.map((row) => [row.jobId, [row.erasureId, row.sealedTokens]]))).toEqual({
      [failed]: [erasure?.erasureId, null],
      [running]: [erasure?.erasureId, null],
      [kept]: [null, 'sealed'],
      [givenBack]: [erasure?.erasureId, null],
      [keptBack]: [erasure?.erasureId, null],
      [othersBack]: [null, 'sealed'],
    });
    expect(await findScope(sql, forgotten)).toMatchObject({ forgotten: true });
    expect(await findScope(sql, known)).toMatchObject({ forgotten: false });
  });
});
