import { describe, expect } from 'vitest';
import { z } from 'zod';
import type { Sql } from '../../src/store/driver/sql.ts';
import {
  columnsOf,
  findRow,
  findValue,
  getRow,
  getValue,
  hasRows,
  listRows,
  listValues,
} from '../../src/store/rows.ts';
import { test } from '../kit/postgres.ts';

const Part = z.object({ partId: z.number(), macSha256: z.string(), isLarge: z.boolean() });
const columns = columnsOf('p', Part, { isLarge: (sql) => sql`size > ${10}` });

const FIRST = { partId: 1, macSha256: 'a', isLarge: false };
const SECOND = { partId: 2, macSha256: 'b', isLarge: true };

/** Two parts, and a table beside them with the same columns. */
async function create(sql: Sql): Promise<void> {
  await sql`drop table if exists part, beside`;
  await sql`create table part (part_id int, mac_sha256 text, size int)`;
  await sql`insert into part values (1, 'a', 5), (2, 'b', 15)`;
  await sql`create table beside as select part_id, mac_sha256 from part`;
}

describe('rows that a schema checks', () => {
  test('have the columns of its members, and its expressions', async ({ sql }) => {
    await create(sql);
    const list = listRows(sql, Part);
    expect(await list`select ${columns(sql)} from part p join beside using (part_id) order by part_id`).toEqual([
      FIRST,
      SECOND,
    ]);
    expect(await findRow(sql, Part)`update part p set size = 20 where part_id = 1 returning ${columns(sql)}`).toEqual({
      ...FIRST,
      isLarge: true,
    });
  });

  test('are the first one, or all, or none', async ({ sql }) => {
    await create(sql);
    const none = sql`where part_id = ${3}`;
    const last = sql`where part_id = ${2}`;
    expect(await findRow(sql, Part)`select ${columns(sql)} from part p ${last}`).toEqual(SECOND);
    expect(await findRow(sql, Part)`select ${columns(sql)} from part p ${none}`).toBeUndefined();
    expect(await getRow(sql, Part)`select ${columns(sql)} from part p ${last}`).toEqual(SECOND);
    await expect(getRow(sql, Part)`select ${columns(sql)} from part p ${none}`).rejects.toThrow(z.ZodError);
    expect(await listRows(sql, Part)`select ${columns(sql)} from part p ${none}`).toEqual([]);
    await expect(listRows(sql, Part)`select 1 as part_id`).rejects.toThrow(z.ZodError);
  });

  test('may have one value each', async ({ sql }) => {
    await create(sql);
    const all = sql`select mac_sha256 from part order by part_id`;
    expect(await listValues(sql, z.string())`${all}`).toEqual(['a', 'b']);
    expect(await findValue(sql, z.string())`${all}`).toBe('a');
    expect(await findValue(sql, z.string())`${all} limit 0`).toBeUndefined();
    expect(await getValue(sql, z.number())`select count(*)::int from part`).toBe(2);
    await expect(getValue(sql, z.string())`${all} limit 0`).rejects.toThrow(z.ZodError);
  });

  test('are selected, inserted, updated or deleted, or there are none', async ({ sql }) => {
    await create(sql);
    const has = hasRows(sql);
    expect(await has`select from part where part_id = 1`).toBe(true);
    expect(await has`select from part where part_id = 3`).toBe(false);
    expect(await has`update part set size = 1 where part_id = 2`).toBe(true);
    expect(await has`update part set size = 1 where part_id = 3`).toBe(false);
    expect(await has`delete from part where part_id = 3`).toBe(false);
    expect(await has`delete from part where part_id = 2`).toBe(true);
    expect(await has`insert into part select 4, 'd', 1 where false`).toBe(false);
    expect(await has`insert into part values (4, 'd', 1)`).toBe(true);
    await sql.begin(async (tx) => expect(await hasRows(tx)`select from part where part_id = 4`).toBe(true));
  });
});
