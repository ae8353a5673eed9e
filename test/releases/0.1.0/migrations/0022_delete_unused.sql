-- Deletes what was registered by mistake. The foreign keys decide: whatever else refers to the row keeps it. These act as the
-- owner, so that no process needs the right to delete an app or a registration.
create function delete_unused_registration(of_registration uuid) returns boolean
  language plpgsql security definer set search_path = public, pg_temp as $$
begin
  -- The quick answers. The foreign keys of the other tables read those once.
  if exists (select from registration_app where registration_id = of_registration)
    or exists (select from connection where registration_id = of_registration) then
    return false;
  end if;
  delete from registration where registration_id = of_registration;
  return true;
exception when foreign_key_violation then
  return false;
end
$$;
revoke execute on function delete_unused_registration from public;

create function delete_unused_app(of_app uuid) returns boolean
  language plpgsql security definer set search_path = public, pg_temp as $$
begin
  if exists (select from scope where app_id = of_app)
    or exists (select from app_key where app_id = of_app and revoked_at is null and coalesce(expires_at > business_now(), true)) then
    return false;
  end if;
  delete from app_logo where app_id = of_app;
  delete from app_key where app_id = of_app;
  delete from tenant where app_id = of_app;
  delete from return_url where app_id = of_app;
  delete from launch_origin where app_id = of_app;
  delete from app_policy where app_id = of_app;
  delete from registration_app where app_id = of_app;
  delete from app_identity where app_id = of_app;
  delete from webhook_endpoint where app_id = of_app;
  delete from app where app_id = of_app;
  return true;
exception when foreign_key_violation then
  return false;
end
$$;
revoke execute on function delete_unused_app from public;
