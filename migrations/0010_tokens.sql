-- The issuer's id of an operator who signed in through OpenID Connect: such a token is that session's alone, and nobody
-- holds it. The audit log names the operator by this id, so that the row can go when it has expired.
alter table admin_token add column openid_sub text;

-- Whoever may not read sealed tokens puts none in either. They may empty the column, for which Postgres knows no other
-- right than the one to set it.
create function refuse_unreadable_tokens() returns trigger language plpgsql as $$
begin
  if not has_column_privilege(tg_relid, 'sealed_tokens', 'select') then
    raise insufficient_privilege using message = 'whoever may not read sealed tokens stores none';
  end if;
  return new;
end
$$;
create trigger account_grant_tokens before insert or update of sealed_tokens on account_grant
  for each row when (new.sealed_tokens is not null) execute function refuse_unreadable_tokens();
create trigger release_job_tokens before insert or update of sealed_tokens on release_job
  for each row when (new.sealed_tokens is not null) execute function refuse_unreadable_tokens();
