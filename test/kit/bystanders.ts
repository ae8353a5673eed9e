import type { AppId } from '../../src/basics/ids.ts';
import type { Database } from './sql.ts';

/**
 * Rows of others in each test database. Each seeded app has a twin: another app with the same tenants and persons, its own
 * registrations and issuer, and a copy of each seeded row. Ids of twins begin with the same eight digits, so that triggers
 * notice each change of such a row. A test fails if it leaves one.
 */
const SCHEMA = `
  create schema bystander;
  -- What happened to rows of others since the last check.
  create table bystander.change (
    change_id bigint generated always as identity, of_table text, before jsonb, after jsonb, statement text
  );

  create function bystander.twin(id uuid) returns uuid language sql immutable strict parallel safe
    return overlay(id::text placing 'bbbbbbbb' from 1 for 8)::uuid;

  create function bystander.is_twin(id uuid) returns boolean language sql immutable strict parallel safe
    return id between 'bbbbbbbb-0000-0000-0000-000000000000' and 'bbbbbbbb-ffff-ffff-ffff-ffffffffffff';

  create function bystander.note() returns trigger
    language plpgsql security definer set search_path = bystander, public, pg_temp as $$
  begin
    if coalesce(current_setting('bystander.seeds', true), '') = '' then
      insert into bystander.change (of_table, before, after, statement) values (tg_table_name,
        case when tg_op <> 'INSERT' then to_jsonb(old) end, case when tg_op <> 'DELETE' then to_jsonb(new) end, current_query());
    end if;
    return null;
  end
  $$;

  create view bystander.watched as
    select relname::text as of_table, string_agg(format(
      '%1$s.%2$I between ''bbbbbbbb-0000-0000-0000-000000000000'' and ''bbbbbbbb-ffff-ffff-ffff-ffffffffffff''',
      '{row}', attname), ' or ') as is_twin
    from pg_class join pg_attribute on attrelid = pg_class.oid
    where relnamespace = 'public'::regnamespace and relkind = 'r' and atttypid = 'uuid'::regtype and attnum > 0
      and not attisdropped
      and attname in ('app_id', 'scope_id', 'connection_id', 'registration_id', 'issuer_id', 'endpoint_id', 'attempt_id')
    group by relname;

  -- Copies the rows of a table with this id in this column, or all, each with the ids of its twin, and with what must be unique
  -- changed.
  create function bystander.copy(of_table text, of_column text, id uuid) returns void
    language plpgsql set search_path = public, pg_temp set bystander.seeds = 'yes' as $$
  declare
    columns text;
    selected text;
  begin
    select string_agg(quote_ident(attname), ', '), string_agg(case
        when atttypid = 'uuid'::regtype then format('bystander.twin(%I)', attname)
        when atttypid = 'uuid[]'::regtype then format('array(select bystander.twin(one) from unnest(%I) as one)', attname)
        when atttypid = 'bytea'::regtype and attname ~ '_(mac|sha256)$' then format('sha256(%I)', attname)
        else quote_ident(attname) end, ', ')
      into columns, selected
      from pg_attribute where attrelid = of_table::regclass and attnum > 0 and not attisdropped
        and attgenerated = '' and attidentity = '';
    execute format('insert into %1$I (%2$s) select %3$s from %1$I where $1 is null or %4$s = $1 on conflict do nothing',
      of_table, columns, selected, of_column) using id;
    if of_table = 'connection' then -- What the triggers tell of a twin. Its events are the twins of events.
      delete from webhook_event where connection_id = bystander.twin(id);
      delete from webhook_wake where endpoint_id in (select endpoint_id from webhook_endpoint join connection using (app_id)
        where connection_id = bystander.twin(id));
    end if;
  exception when foreign_key_violation then
    null; -- A test has made what the row belongs to without a builder, so that has no twin.
  end
  $$;

  create function bystander.surround(of_app uuid) returns void
    language sql set search_path = public, pg_temp set bystander.seeds = 'yes' as $$
    with paused as (
      insert into registration (registration_id, provider, label, client_id, sealed_client_secret, paused_at)
      select bystander.twin(gen_random_uuid()), provider, 'Paused client', 'paused', 'sealed', business_now() from registration
        join registration_app using (registration_id) where app_id = of_app
      returning registration_id
    )
    insert into registration_app (registration_id, app_id, serves_since)
    select registration_id, of_app, business_now() - interval '1 day' from paused;
    update app_policy set refresh_minutes = 43200 where app_id = bystander.twin(of_app);
  $$;

  -- Replaces all rows by their twins.
  create function bystander.keep_twins() returns void
    language plpgsql set search_path = public, pg_temp set session_replication_role = 'replica' as $$
  declare
    of record;
  begin
    for of in select * from bystander.watched loop
      perform bystander.copy(of.of_table, 'null::uuid', null);
      execute format('delete from %1$I where not coalesce(%2$s, false)', of.of_table, replace(of.is_twin, '{row}', of.of_table));
    end loop;
  end
  $$;

  -- Takes away what waits for a worker, so that no workflow of another test's making changes the rest.
  create function bystander.settle() returns void
    language sql set search_path = public, pg_temp set session_replication_role = 'replica' as $$
    delete from read_job where finished_at is null;
    delete from disconnect_job where finished_at is null;
    delete from bulk_disconnect where finished_at is null;
    delete from erasure where completed_at is null;
    delete from account_grant where status <> 'LIVE';
    delete from connection where status <> 'CONNECTED';
    delete from connect_attempt where status in ('CREATED', 'AUTHORIZING', 'EXCHANGING');
    delete from identity_attempt where status = 'PENDING';
    delete from webhook_delivery where status = 'PENDING';
    update connection set upkeep_due_at = null;
  $$;

  do $$
  declare
    of record;
    act text;
  begin
    for of in select * from bystander.watched loop
      foreach act in array array['insert', 'update', 'delete'] loop
        execute format('create trigger zz_bystander_%1$s after %1$s on %2$I for each row when (%3$s) '
          'execute function bystander.note()', act, of.of_table, format(
            case act when 'update' then '(%s) and old.* is distinct from new.*' else '%s' end,
            replace(of.is_twin, '{row}', case act when 'insert' then 'new' else 'old' end)));
      end loop;
    end loop;
  end
  $$;
  select bystander.keep_twins();
`;

/** Makes all rows of a template bystanders, and watches them and the twins of the rows that tests seed in its clones. */
export async function watchBystanders(sql: Database): Promise<void> {
  await sql.unsafe(SCHEMA);
}

const watched = new WeakMap<Database, Promise<boolean>>();

/** @returns false for a database from another template, and for those of benchmarks */
export function hasBystanders(sql: Database): Promise<boolean> {
  const known =
    watched.get(sql) ?? sql`select from pg_namespace where nspname = 'bystander'`.then((rows) => rows.length > 0);
  watched.set(sql, known);
  return known;
}

/** Gives each of these rows a twin: all rows of a table with this id in this column. Later calls add the twins of new rows. */
export async function addTwins(sql: Database, rows: readonly (readonly [table: string, column: string, id: string])[]) {
  if (!(await hasBystanders(sql))) return;
  await sql`
    select bystander.copy(of_table, of_column, id::uuid)
    from unnest(${rows.map(([table]) => table)}::text[], ${rows.map(([, column]) => column)}::text[],
      ${rows.map(([, , id]) => id)}::text[]) as row (of_table, of_column, id)
  `;
}

/**
 * Gives an app with a twin a second registration of each provider, which is paused and watched. Its twin has automatic refreshes, which
 * nobody has planned.
 */
export async function surround(sql: Database, appId: AppId): Promise<void> {
  await sql`select bystander.surround(${appId})`;
}

/** Leaves only bystanders for which no worker has anything to do: a running service would work for the others, and report failures. */
export async function settleBystanders(sql: Database): Promise<void> {
  await sql`select bystander.settle()`;
}

const EVERY = '*';
const allowed = new WeakMap<Database, Set<string>>();

/** This test acts on all rows: it may change rows of others, in these tables or in all. */
export function actsOnOthers(sql: Database, ...tables: readonly string[]): void {
  const known = allowed.get(sql) ?? new Set();
  for (const table of tables.length > 0 ? tables : [EVERY]) known.add(table);
  allowed.set(sql, known);
}

/** @throws if a row of others was changed since the last call, and the test did not announce it */
export async function checkBystanders(sql: Database): Promise<void> {
  const tables = allowed.get(sql) ?? new Set();
  allowed.delete(sql);
  if (!(await hasBystanders(sql))) return;
  const changes = await sql`delete from bystander.change returning of_table, before, after, statement`;
  const wrong = tables.has(EVERY) ? [] : changes.filter(({ ofTable }) => !tables.has(ofTable));
  if (wrong.length > 0)
    throw new Error(
      `Rows of others were changed: look for the statement below, which forgets whose rows it means.\n${wrong.slice(0, 5).map(describe).join('\n')}`,
    );
}

function describe({ ofTable, before, after, statement }: Record<string, unknown>): string {
  const [old, now] = [before ?? {}, after ?? {}] as Record<string, unknown>[];
  const isChanged = (name: string) => JSON.stringify(old?.[name]) !== JSON.stringify(now?.[name]);
  const ids = Object.entries({ ...old, ...now }).filter(([name]) => /_id$|^day$/.test(name));
  const changed = Object.keys({ ...old, ...now }).filter(isChanged);
  const what = before === null ? 'inserted' : after === null ? 'deleted' : 'updated';
  return [
    `${what} in ${ofTable}: ${JSON.stringify(Object.fromEntries(ids))}`,
    ...(what === 'updated'
      ? changed.map((name) => `  ${name}: ${JSON.stringify(old?.[name])} -> ${JSON.stringify(now?.[name])}`)
      : []),
    `  by ${String(statement).replaceAll(/\s+/g, ' ').trim()}`,
  ].join('\n');
}
