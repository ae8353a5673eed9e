-- Facts for the journal are written by the triggers that see them, and by nobody else: no process needs the right to.
create or replace function journal_fact() returns trigger
  language plpgsql security definer set search_path = public, pg_temp as $$
begin
  insert into journal_entry (kind, id) values (tg_argv[0], (to_jsonb(new) ->> tg_argv[1])::uuid);
  return null;
end
$$;

-- Whoever may not read a credential ends none before its time. The worker clears away what has ended, and needs the right to
-- delete for that.
create function refuse_unreadable_credential() returns trigger language plpgsql as $$
begin
  if not has_column_privilege(tg_relid, tg_argv[0], 'select') then
    raise insufficient_privilege using message = 'whoever may not read a credential ends none before its time';
  end if;
  return old;
end
$$;
create trigger admin_token_ends before delete on admin_token
  for each row when (old.expires_at > business_now()) execute function refuse_unreadable_credential('secret_sha256');
create trigger admin_session_ends before delete on admin_session
  for each row when (old.created_at > business_now() - interval '8 hours')
  execute function refuse_unreadable_credential('session_sha256');
create trigger admin_idempotency_ends before delete on admin_idempotency
  for each row when (old.created_at > business_now() - interval '24 hours')
  execute function refuse_unreadable_credential('request_mac');
