-- Outside a transaction. The last answer of an endpoint, beside many deliveries that it never got.
create index concurrently if not exists webhook_delivery_failed on webhook_delivery (endpoint_id, last_tried_at)
  where status = 'PENDING' and (last_http_status is not null or last_failure is not null);
