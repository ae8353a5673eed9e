import { randomBytes } from 'node:crypto';
import { expect } from 'vitest';
import { inTransaction } from '../../src/store/driver/sql.ts';
import { insertErasure } from '../../src/store/erasures/erasures.ts';
import { type ExportedRow, type ExportPosition, listExportedRows } from '../../src/store/erasures/subject-export.ts';
import { openExplained, withoutIndexes } from '../kit/plans.ts';
import { asApi, test } from '../kit/postgres.ts';
import { seedApp, seedConnection, seedContent, seedScope } from '../kit/seed.ts';
import { seedDisconnectJob } from '../kit/seed-jobs.ts';

const ID_OF: Readonly<Record<string, string>> = {
  scope: 'scope_id',
  connection: 'connection_id',
  disconnect_job: 'job_id',
  erasure: 'erasure_id',
};

test('an export has each row of the person once and in order, on pages that are full but for the last', async ({
  sql,
}) => {
  const seeded = await seedApp(sql);
  /** A person who was erased under the older of two hashing keys, and came back. */
  const seedPerson = async () => {
    const [newer, older] = [randomBytes(32), randomBytes(32)];
    const before = await seedScope(sql, seeded, seeded.newScope());
    const receipt = await seedDisconnectJob(sql, seeded, { scopeId: before, scopeMac: older });
    const subject = { appId: seeded.app.appId, scopeId: before, connectionIds: [] };
    const erased = await inTransaction(asApi(sql), (tx) =>
      insertErasure(tx, { ...subject, scopeMac: older, scopeMacs: [older] }),
    );
    const scope = seeded.newScope();
    const scopeId = await seedScope(sql, seeded, scope);
    const connectionIds = [
      await seedConnection(sql, seeded, { scope }),
      await seedConnection(sql, seeded, { scope, provider: 'PROVIDER_A' }),
    ].toSorted();
    for (const providerContentId of ['c', 'a', 'b'])
      for (const id of connectionIds.toReversed()) await seedContent(sql, id, { providerContentId, publishedAt: null });
    const unhashed = await seedDisconnectJob(sql, seeded, { scopeId });
    return {
      subject: { scopeId, scopeMacs: [newer, older] },
      expected: [
        ['scope', scopeId],
        ...connectionIds.map((id) => ['connection', id]),
        ...['account_grant', 'account_grant'].map((table) => [table, 'a grant']),
        ...connectionIds.flatMap((id) => ['a', 'b', 'c'].map((post) => ['content_item', `${id} ${post}`])),
        ...[receipt, unhashed].toSorted().map((id) => ['disconnect_job', id]),
        ['erasure', erased?.erasureId],
      ],
    };
  };
  const [person] = [await seedPerson(), await seedPerson()];
  const name = ({ table, row }: ExportedRow): unknown[] => {
    if (table === 'account_grant') return [table, 'a grant'];
    const id = ID_OF[table];
    return [table, id === undefined ? `${row.connection_id} ${row.provider_content_id}` : row[id]];
  };
  /** Without indexes, whose order the rows could have by chance. */
  const readPages = (limit: number) =>
    withoutIndexes(asApi(sql), async (tx) => {
      const [pages, grants] = [[] as unknown[][][], [] as unknown[]];
      let position: ExportPosition | null = null;
      do {
        const page: Awaited<ReturnType<typeof listExportedRows>> = await listExportedRows(
          tx,
          person.subject,
          position,
          limit,
        );
        pages.push(page.rows.map(name));
        grants.push(...page.rows.filter(({ table }) => table === 'account_grant').map(({ row }) => row.grant_id));
        position = page.next;
      } while (position !== null);
      expect(grants).toEqual([...new Set(grants)].sort());
      return pages;
    });
  expect(person.expected).toHaveLength(14);
  const split = (...sizes: readonly number[]) => {
    const rest = [...person.expected];
    return sizes.map((size) => rest.splice(0, size));
  };
  expect(await readPages(1)).toEqual(split(...person.expected.map(() => 1)));
  expect(await readPages(3)).toEqual(split(3, 3, 3, 3, 2));
  expect(await readPages(7)).toEqual(split(7, 7));
  expect(await readPages(14)).toEqual(split(14));
});

test('a page of an export takes at most one row more from the database than it may show', async ({ database }) => {
  const { sql } = database;
  const seeded = await seedApp(sql);
  const scope = seeded.newScope();
  for (const provider of ['PROVIDER_A', 'PROVIDER_B'] as const) {
    const connectionId = await seedConnection(sql, seeded, { scope, provider });
    for (let i = 0; i < 10; i += 1) await seedContent(sql, connectionId, { publishedAt: null });
  }
  const scopeId = await seedScope(sql, seeded, scope);
  for (let i = 0; i < 10; i += 1) await seedDisconnectJob(sql, seeded, { scopeId });
  const subject = { scopeId, scopeMacs: [randomBytes(32)] };
  const explained = openExplained(database.url);
  try {
    let position = null as ExportPosition | null;
    let count = 0;
    do {
      const from = position;
      const statements = await explained.statementsOf(async () => {
        const page = await listExportedRows(explained.sql, subject, from, 4);
        count += page.rows.length;
        position = page.next;
      });
      expect(statements.filter(({ returned }) => returned > 5)).toEqual([]);
    } while (position !== null);
    expect(count).toBe(1 + 2 + 2 + 20 + 10);
  } finally {
    await explained.sql.end();
  }
});
