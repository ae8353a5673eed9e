-- A revoke at a platform can end other grants of the same person.
alter table disconnect_job
  -- Whether the revoke is sent only if it certainly ends no other grant in use. Always true of a compensation.
  add column spares boolean not null default false,
  -- The account of the grant, under each registration that the revoke reaches. Grants of one account are one person's, also where the
  -- principal is unknown.
  add column account_macs bytea[] not null default '{}';
