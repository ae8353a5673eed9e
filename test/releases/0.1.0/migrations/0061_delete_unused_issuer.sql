-- Deletes an issuer that was stored by mistake. Apps that use it, and attempts that began with it, keep it.
create function delete_unused_issuer(of_issuer uuid) returns boolean
  language plpgsql security definer set search_path = public, pg_temp as $$
begin
  delete from identity_issuer where issuer_id = of_issuer;
  return true;
exception when foreign_key_violation then
  return false;
end
$$;
revoke execute on function delete_unused_issuer from public;
