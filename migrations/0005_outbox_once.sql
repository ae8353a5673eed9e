-- Outside a transaction
create unique index concurrently if not exists outbox_once on outbox (once_key) where tries = 0 and once_key is not null;
