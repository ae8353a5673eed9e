import type { Database } from '../../kit/postgres.ts';

/** Installs triggers that note each change of a row that the specification forbids, at the moment of the change. */
export async function watchRows(sql: Database): Promise<void> {
  await sql.unsafe(`
    create table orders_violation (text text not null, noted_at timestamptz not null default clock_timestamp());
    create table orders_seen (connection_id uuid, status text, place bigint generated always as identity);
    create function orders_note(broken boolean, text text) returns void language sql security definer as $$
      insert into orders_violation select $2 where $1
    $$;

    create function orders_serves(app uuid, scope uuid, at text, client uuid, wanted text[]) returns boolean
    language sql stable security definer as $$
      select exists (select from app a where a.app_id = $1 and a.enabled)
        and exists (select from tenant t join scope s using (app_id, tenant_key) where s.scope_id = $2)
        and exists (select from app_policy p where p.app_id = $1 and p.provider = $3 and p.capabilities @> $5)
        and exists (select from registration_app r where r.app_id = $1 and r.registration_id = $4)
        and exists (select from registration r where r.registration_id = $4 and r.paused_at is null)
    $$;
    -- Whether app, tenant, policy, registration and status allow to use a connection's account now.
    create function orders_allows(connection) returns boolean language sql stable security definer as $$
      select $1.status in ('CONNECTED', 'SUSPENDED') and orders_serves($1.app_id, $1.scope_id, $1.provider, $1.registration_id,
        array(select c ->> 'capability' from jsonb_array_elements($1.capabilities) c))
    $$;
    create function orders_allows(connect_attempt) returns boolean language sql stable security definer as $$
      select orders_serves($1.app_id, $1.scope_id, $1.provider, $1.registration_id, $1.capabilities)
    $$;
    create function orders_allows(identity_attempt) returns boolean language sql stable security definer as $$
      select exists (select from app a where a.app_id = $1.app_id and a.enabled)
        and exists (select from tenant t where t.app_id = $1.app_id and t.tenant_key = $1.tenant_key)
        and exists (select from app_identity i where i.app_id = $1.app_id and i.enabled and i.issuer_id = $1.issuer_id
          and i.return_url = $1.return_url)
    $$;

    create function orders_attempt() returns trigger language plpgsql security definer as $$
    declare ends constant text[] := '{COMPLETED,DENIED,FAILED,EXPIRED,CANCELED}';
    begin
      perform orders_note(old.status <> all(ends) and new.status = 'EXPIRED' and new.expires_at > business_now(),
        'An attempt reads EXPIRED before its expiresAt');
      perform orders_note(old.status <> all(ends) and new.status = any(ends) and new.status <> 'EXPIRED'
        and new.expires_at <= business_now(), 'An attempt ends ' || new.status || ' after its expiresAt');
      return null;
    end $$;
    create trigger orders_attempt after update on connect_attempt for each row execute function orders_attempt();

    create function orders_sign_in() returns trigger language plpgsql security definer as $$
    begin
      perform orders_note(old.status = 'PENDING' and new.status = 'EXPIRED' and new.expires_at > business_now(),
        'A sign-in reads EXPIRED before its expiresAt');
      perform orders_note(old.status = 'PENDING' and new.status not in ('PENDING', 'EXPIRED')
        and new.expires_at <= business_now(), 'A sign-in ends ' || new.status || ' after its expiresAt');
      perform orders_note(new.sealed_claims is not null and old.sealed_claims is null and not orders_allows(new),
        'The claims of a sign-in are stored although app, tenant or identity settings do not allow it');
      return null;
    end $$;
    create trigger orders_sign_in after update on identity_attempt for each row execute function orders_sign_in();

    create function orders_connection() returns trigger language plpgsql security definer as $$
    begin
      if tg_op = 'INSERT' or new.status <> old.status then
        insert into orders_seen (connection_id, status) values (new.connection_id, new.status);
      end if;
      perform orders_note(new.profile is not null and not orders_allows(new)
        and (tg_op = 'INSERT' or new.profile_observed_at is distinct from old.profile_observed_at),
        'A profile is stored although app, tenant, policy, registration or status does not allow it');
      perform orders_note(tg_op = 'INSERT' and exists (select from scope s where s.scope_id = new.scope_id and s.erasure_id is not null),
        'A connection appears for a subject that was erased');
      return null;
    end $$;
    create trigger orders_connection after insert or update on connection for each row execute function orders_connection();

    create function orders_content() returns trigger language plpgsql security definer as $$
    declare owner connection;
    begin
      select * into owner from connection c where c.connection_id = new.connection_id;
      perform orders_note(new.details <> '{}' and not (orders_allows(owner) and owner.status = 'CONNECTED')
        and (tg_op = 'INSERT' or new.observed_at <> old.observed_at),
        'A post is stored although app, tenant, policy, registration or status does not allow it');
      perform orders_note(new.details <> '{}' and not owner.capabilities @> any(array[
          '[{"capability": "CONTENT_LIST"}]', '[{"capability": "CONTENT_LOOKUP"}]', '[{"capability": "CONTENT_METRICS"}]']::jsonb[]),
        'A post is stored of a connection without a capability for posts');
      return null;
    end $$;
    create trigger orders_content after insert or update on content_item for each row execute function orders_content();

    create function orders_grant_stored() returns trigger language plpgsql security definer as $$
    declare attempt connect_attempt;
    begin
      select * into attempt from connect_attempt a where a.attempt_id = new.attempt_id;
      perform orders_note(new.profile is not null and (tg_op = 'INSERT' or old.profile is null)
        and attempt.attempt_id is not null and not (attempt.status = 'EXCHANGING' and attempt.expires_at > business_now()
        and orders_allows(attempt)), 'A profile is stored for an attempt that is over or no longer allowed');
      return null;
    end $$;
    create trigger orders_grant_stored after insert or update on account_grant for each row execute function orders_grant_stored();

    create function orders_grant() returns trigger language plpgsql security definer as $$
    declare now_row account_grant;
    begin
      select * into now_row from account_grant g where g.grant_id = new.grant_id;
      perform orders_note(now_row.status in ('REVOKING', 'DEAD')
        and (now_row.profile is not null or now_row.provider_account_id is not null),
        'A name and an account id stay beside a grant that is ' || now_row.status);
      return null;
    end $$;
    create constraint trigger orders_grant after insert or update on account_grant deferrable initially deferred
      for each row execute function orders_grant();
  
    -- Where any of these texts stands, in any row.
    create function orders_find(texts text[]) returns text language plpgsql stable as $$
    declare name text; found boolean; places text[] := '{}';
    begin
      for name in select tablename from pg_tables where schemaname = 'public' and tablename not like 'orders_%' loop
        execute format('select exists (select from public.%I t, unnest($1) x where position(x in t::text) > 0)', name) into found using texts;
        if found then places := places || name; end if;
      end loop;
      return nullif(array_to_string(places, ', '), '');
    end $$;
  `);
}
