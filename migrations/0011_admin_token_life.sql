-- An admin token lives 90 days at most (D-266), those of before too. A day more, because the clock of whoever creates one
-- may be ahead of ours.
update admin_token set expires_at = created_at + interval '2160 hours'
where expires_at > created_at + interval '2184 hours';
alter table admin_token add constraint admin_token_life
  check (expires_at <= created_at + interval '2184 hours') not valid;
