-- Outside a transaction
create index concurrently if not exists content_item_by_code_in_url
  on content_item (code_in_url(canonical_url), connection_id) where canonical_url is not null;
