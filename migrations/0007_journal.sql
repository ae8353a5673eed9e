-- What must not come back with a backup of this database: written here in the same transaction as the fact itself, by
-- whoever brings it about, and from here to a journal outside the database. Random ids only.
create table journal_entry (
  entry_id uuid primary key default gen_random_uuid(),
  kind text not null check (kind in ('CONNECTION', 'GRANT', 'KEPT_TOKENS', 'SUBJECT', 'APP_KEY', 'ADMIN_TOKEN')),
  id uuid not null,
  happened_at timestamptz(3) not null default business_now()
);
create index journal_entry_oldest on journal_entry (happened_at, entry_id);

-- The number of the last line of the journal that this database knows to be there. One that knows less has been restored.
create table journal_state (
  only_row boolean primary key default true check (only_row),
  last_number bigint not null
);
insert into journal_state (last_number) values (0);

create function journal_fact() returns trigger language plpgsql as $$
begin
  insert into journal_entry (kind, id) values (tg_argv[0], (to_jsonb(new) ->> tg_argv[1])::uuid);
  return null;
end
$$;

-- A connection that is let go: by a caller, an operator or a platform.
create trigger connection_journal after update of status on connection
  for each row when (new.status = 'DISCONNECTED' and old.status <> 'DISCONNECTED')
  execute function journal_fact('CONNECTION', 'connection_id');
-- A grant that has ended, and the tokens of one whose revoke had failed.
create trigger account_grant_journal after update of status on account_grant
  for each row when (new.status = 'DEAD' and old.status <> 'DEAD')
  execute function journal_fact('GRANT', 'grant_id');
create trigger release_job_journal after update of sealed_tokens on release_job
  for each row when (new.sealed_tokens is null and old.sealed_tokens is not null)
  execute function journal_fact('KEPT_TOKENS', 'job_id');
-- A person who is forgotten.
create trigger scope_journal after update of external_subject_id on scope
  for each row when (new.external_subject_id <> old.external_subject_id)
  execute function journal_fact('SUBJECT', 'scope_id');
-- Credentials that have been revoked.
create trigger app_key_journal after update of revoked_at on app_key
  for each row when (new.revoked_at is not null and old.revoked_at is null)
  execute function journal_fact('APP_KEY', 'key_id');
create trigger admin_token_journal after update of revoked_at on admin_token
  for each row when (new.revoked_at is not null and old.revoked_at is null)
  execute function journal_fact('ADMIN_TOKEN', 'token_id');
