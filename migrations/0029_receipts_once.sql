-- Outside a transaction: a connection is disconnected once, so it has one receipt of each kind.
create unique index concurrently if not exists disconnect_job_receipt on disconnect_job (connection_id, kind)
  where kind in ('REVOKE', 'ERASE');
