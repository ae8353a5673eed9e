-- Outside a transaction
-- The attempts of an app in the last ten minutes, for its limit.
create index concurrently if not exists connect_attempt_by_app on connect_attempt (app_id, created_at)
  where return_url <> '';
