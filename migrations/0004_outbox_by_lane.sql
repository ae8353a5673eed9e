-- Outside a transaction
create index concurrently if not exists outbox_by_lane on outbox (lane, app_id, next_try_at, outbox_id);
