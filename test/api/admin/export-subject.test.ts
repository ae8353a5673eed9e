import { expect } from 'vitest';
import { makeKeys } from '../../../local/src/development-keys.ts';
import { COLUMNS } from '../../../scripts/data-page.mjs';
import type { ConnectionId } from '../../../src/basics/ids.ts';
import { EXPORTED_TABLES } from '../../../src/store/erasures/subject-export.ts';
import type { SubjectScope } from '../../../src/store/scopes.ts';
import { createMac } from '../../../src/vault/mac.ts';
import { type Answer, createTestAdmin, type Operator, refusalOf, useAdmin, useApp } from '../../kit/operator.ts';
import { type Database, test } from '../../kit/postgres.ts';
import { makeDetails, seedApp, seedConnection } from '../../kit/seed.ts';

const { admin, operator } = useAdmin();
const seeded = useApp();

const EXPORT = `mutation ($i: ExportSubjectInput!, $a: String) { exportSubject(input: $i, after: $a) { rows endCursor } }`;

interface Row {
  readonly table: string;
  readonly row: Record<string, unknown>;
  readonly sealed: readonly string[];
}

/** Reads every page. */
async function exportAll(
  i: SubjectScope & { appId: string },
  ask: Operator = operator,
): Promise<{ rows: Row[]; pages: number }> {
  const rows: Row[] = [];
  let [pages, a] = [0, null as string | null];
  do {
    const { exportSubject: page } = await ask(EXPORT, { i, a });
    rows.push(...page.rows.map((row: string) => JSON.parse(row)));
    [pages, a] = [pages + 1, page.endCursor];
  } while (a !== null);
  return { rows, pages };
}

const addPosts = (sql: Database, connectionId: ConnectionId, count: number, text = 'Mussels') => sql`
  insert into content_item (content_item_id, connection_id, provider_content_id, kind, details, availability, observed_at)
  select gen_random_uuid(), ${connectionId}, ${connectionId} || n, 'VIDEO', ${sql.json(makeDetails(text))}, 'AVAILABLE', business_now()
  from generate_series(1, ${count}::int) n
`;

/** The kinds of `docs/data.md` that are a person's own data. */
const OF_A_PERSON = ['subject', 'account', 'profile', 'posts', 'requests', 'consent', 'tokens'] as const;
/** They tell nothing about one person. */
const OF_MANY = [
  'bulk_disconnect.tenant_key',
  'identity_attempt.tenant_key',
  'read_job.provider_cursor',
  'tenant.tenant_key',
];

test('an export has every column with data of a person, as docs/data.md classifies them', () => {
  const columns = Object.entries(COLUMNS as Record<string, Record<string, string>>).flatMap(([table, kinds]) =>
    OF_A_PERSON.flatMap((kind) => (kinds[kind] ?? '').split(' ').map((column) => `${table}.${column}`)),
  );
  const exported = EXPORTED_TABLES.flatMap(({ table, key, columns: named, sealed }) =>
    [...Object.keys(key), ...named, ...sealed].map((column) => `${table}.${column}`),
  );
  const personal = columns.filter((column) => !column.endsWith('.'));
  const missing = personal.filter((column) => !exported.includes(column));
  expect(missing.sort()).toEqual(OF_MANY);
});

test('an export contains all of a person and nothing of another, in pages, and no token', async ({ sql }) => {
  const scope = seeded.newScope();
  const connectionId = await seedConnection(sql, seeded, { scope });
  const other = await seedConnection(sql, seeded, { scope: seeded.newScope() });
  const second = await seedConnection(sql, seeded, { scope, provider: 'PROVIDER_A' });
  await addPosts(sql, connectionId, 700);
  await addPosts(sql, second, 650);
  await addPosts(sql, other, 5, 'foreign');
  await sql`update account_grant set sealed_tokens = 'the-sealed-tokens' where connection_id = ${connectionId}`;
  const { rows, pages } = await exportAll({ appId: seeded.app.appId, ...scope });
  const of = (table: string) => rows.filter((row) => row.table === table);
  expect(of('scope')).toMatchObject([{ row: { external_subject_id: scope.externalSubjectId } }]);
  expect(
    of('connection')
      .map(({ row }) => row.connection_id)
      .sort(),
  ).toEqual([connectionId, second].sort());
  expect(of('account_grant')).toHaveLength(2);
  expect(of('account_grant')[0]?.sealed).toEqual(['sealed_tokens']);
  expect(new Set(of('content_item').map(({ row }) => row.provider_content_id)).size).toBe(1_350);
  expect(of('content_item')).toHaveLength(1_350);
  expect(new Set(of('content_item').map(({ row }) => JSON.stringify(row.details)))).toHaveLength(1);
  expect(of('content_item')[0]?.row.details).toEqual(makeDetails('Mussels'));
  expect(pages).toBe(3);
  const text = JSON.stringify(rows);
  for (const hidden of ['the-sealed-tokens', 'foreign', other]) expect(text).not.toContain(hidden);

  const log = await sql`select * from audit_log where action = 'exportSubject' and target = ${seeded.app.appId}`;
  expect(log).toHaveLength(3);
  expect(JSON.stringify(log)).not.toContain(scope.externalSubjectId);
});

test('an export, also a refused one, is found in the audit log by its person, and not by another', async ({ sql }) => {
  const [asked, missing] = [seeded.newScope(), seeded.newScope()];
  const { appId } = seeded.app;
  await seedConnection(sql, seeded, { scope: asked });
  await operator(EXPORT, { i: { appId, ...asked } });
  await refusalOf(admin.as('OPERATOR')(EXPORT, { i: { appId, ...asked } }));
  await refusalOf(operator(EXPORT, { i: { appId, ...missing } }));
  const AUDIT = 'query ($f: AuditFilter) { auditLog(filter: $f) { items { action outcome } } }';
  const outcomesOf = async (f: object) =>
    (await operator(AUDIT, { f: { appId, ...f } })).auditLog.items.map(({ outcome }: Answer) => outcome);
  expect(await outcomesOf(asked)).toEqual(['FORBIDDEN', 'DONE']);
  expect(await outcomesOf(missing)).toEqual(['NOT_FOUND']);
  expect(await outcomesOf(seeded.newScope())).toEqual([]);
  expect(await outcomesOf({ tenantKey: seeded.tenantKey })).toEqual(['NOT_FOUND', 'FORBIDDEN', 'DONE']);
  expect(await outcomesOf({})).toEqual(['NOT_FOUND', 'FORBIDDEN', 'DONE']);
  const other = await seedApp(sql);
  expect((await operator(AUDIT, { f: { appId: other.app.appId, ...asked } })).auditLog.items).toEqual([]);
  expect((await refusalOf(operator(AUDIT, { f: { appId, target: appId } }))).message).toBe(
    'BAD_USER_INPUT: filter.appId must not come with target.',
  );
  expect((await refusalOf(operator(AUDIT, { f: { tenantKey: 'quay' } }))).message).toBe(
    'BAD_USER_INPUT: filter.tenantKey must come with appId.',
  );
  expect((await refusalOf(operator(AUDIT, { f: { appId: appId.slice(0, 8) } }))).message).toMatch(
    /^BAD_USER_INPUT: filter\.appId must be a whole id: 36 characters/,
  );
  expect((await refusalOf(operator(AUDIT, { f: { correlationId: appId.slice(0, 7) } }))).message).toMatch(
    /^BAD_USER_INPUT: filter\.correlationId must be an id, or its first 8 characters/,
  );
});

test('an export finds the receipts of an erased person, also after a rotation of the hashing key', async ({ sql }) => {
  const [old, fresh] = [await makeKeys(), await makeKeys()].map((keys) => JSON.parse(keys.VAULT_MAC_KEYS).keys[0]);
  const before = await createTestAdmin(sql, {}, { mac: createMac({ keys: [old] }) });
  const after = await createTestAdmin(sql, {}, { mac: createMac({ keys: [{ ...fresh, kid: 'fresh' }, old] }) });
  const [scope, other] = [seeded.newScope(), seeded.newScope()];
  const connectionId = await seedConnection(sql, seeded, { scope });
  await seedConnection(sql, seeded, { scope: other });
  const [i, beside] = [scope, other].map((person) => ({ appId: seeded.app.appId, ...person }));
  if (!i || !beside) throw new Error('There are two.');
  for (const each of [i, beside]) await before.as('ADMIN').run('eraseSubject', { input: each }, 'dryRun');
  await sql`delete from connection where connection_id = ${connectionId}`;
  for (const ask of [before, after]) {
    const { rows } = await exportAll(i, ask.as('ADMIN'));
    expect(rows.map(({ table }) => table)).toEqual(['disconnect_job', 'disconnect_job', 'erasure']);
    const person = await ask.as('VIEWER').run('person', { input: i }, 'erasureId');
    expect(person).toEqual({ erasureId: expect.any(String) });
  }
});
