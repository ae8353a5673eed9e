-- Outside a transaction. Entries by lane, longest due first.
create index concurrently if not exists outbox_due on outbox (lane, next_retry_at, outbox_id);
