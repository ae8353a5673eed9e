-- What each process of the service may do in its database, and nothing more. Run it by the role that owns the schema, after
-- every `migrate`; running it again changes nothing. The roles cannot log in themselves: make those that do members.
--
--   accounts_api       api, and the command line but for `secrets reseal` and `restore`
--   accounts_worker    worker, `secrets reseal`, `restore replay`
--   accounts_readonly  for looking and for counting: no secrets, no personal data

do $$
declare
  role_name text;
begin
  foreach role_name in array array['accounts_api', 'accounts_worker', 'accounts_readonly'] loop
    if not exists (select from pg_roles where rolname = role_name) then
      execute format('create role %I nologin', role_name);
    end if;
  end loop;
end
$$;

begin;

revoke all on all tables in schema public from public, accounts_api, accounts_worker, accounts_readonly;
revoke create on schema public from public;
grant usage on schema public to accounts_api, accounts_worker, accounts_readonly;

-- The worker: all rows, no schema.
grant select, insert, update, delete on all tables in schema public to accounts_worker;
alter default privileges in schema public grant select, insert, update, delete on tables to accounts_worker;

-- The api: the same, but for what is the worker's own. A table that is new gives it nothing before this is run again.
grant select, insert, update, delete on all tables in schema public to accounts_api;
revoke all on account_grant, release_job, content_item, coverage, journal_entry, journal_state from accounts_api;
grant select on content_item, coverage, journal_state to accounts_api;
grant select, insert on journal_entry to accounts_api;
-- It sets grants on their way and has tokens destroyed; it never reads a sealed one, nor puts one in: triggers of these two
-- tables let only those set sealed tokens to anything but null who may read them.
grant update (status, sealed_tokens, profile, provider_account_id) on account_grant to accounts_api;
grant insert, update on release_job to accounts_api;

-- Whoever looks.
grant select on schema_migration, journal_state, outbox, registration_usage, coverage to accounts_readonly;

-- Columns one by one where a table holds what is not for everybody.
do $$
declare
  target record;
  readable text;
begin
  for target in
    select *
    from (values
      ('accounts_api', 'account_grant', '^sealed_'),
      ('accounts_api', 'release_job', '^sealed_'),
      ('accounts_readonly', 'release_job', '^sealed_|_mac$'),
      ('accounts_readonly', 'read_job', '^url|^provider_|_provider_'),
      ('accounts_readonly', 'connection', '^provider_account_id$|^profile$'),
      ('accounts_readonly', 'registration', '^sealed_')
    ) as t (role_name, table_name, secret)
  loop
    select string_agg(quote_ident(attname), ', ') into strict readable
    from pg_attribute
    where attrelid = target.table_name::regclass and attnum > 0 and not attisdropped and attname !~ target.secret;
    execute format('grant select (%s) on %I to %I', readable, target.table_name, target.role_name);
  end loop;
end
$$;

-- Nobody changes what has been written down, nor says of itself which migrations it has.
revoke all on audit_log, schema_migration from accounts_api, accounts_worker;
grant select, insert on audit_log to accounts_api, accounts_worker;
grant select on schema_migration to accounts_api, accounts_worker;

commit;
