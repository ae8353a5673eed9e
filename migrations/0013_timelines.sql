-- A fail-over may lose the last commits, and with them the rotation of a token: the database then holds a token that the platform has
-- replaced. Each fail-over begins a new timeline. So tokens that were stored on an earlier one are doubtful: a refusal of them does
-- not prove that the grant has ended.

-- The first digits of the name of each WAL file. Null where a server does not say.
create function current_timeline() returns text
language plpgsql stable parallel safe as $$
begin
  return left(pg_walfile_name(pg_current_wal_lsn()), 8);
exception when others then
  return null;
end
$$;

alter table account_grant add column tokens_timeline text;
alter table disconnect_job add column tokens_timeline text;
