import { expect } from 'vitest';
import { test } from '../kit/postgres.ts';

test('text of every column and index compares by its bytes, in every language of a server, and after a change of the C library', async ({
  sql,
}) => {
  const others = await sql`
      select attrelid::regclass::text as relation, attname as name from pg_attribute
      join pg_class on pg_class.oid = attrelid
      where relnamespace = 'public'::regnamespace and relkind in ('r', 'p', 'm', 'i') and not attisdropped
        and attcollation not in (0, 'pg_catalog."C"'::regcollation)
    `;
  expect(others.map(({ relation, name }) => `${relation}.${name} lacks collate "C"`)).toEqual([]);
});
