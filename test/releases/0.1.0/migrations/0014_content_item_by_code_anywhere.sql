-- Outside a transaction
-- Replaces content_item_by_code, at the same size: the code comes first, so that it is found without its connection too.
create index concurrently if not exists content_item_by_code_anywhere
  on content_item (last_path_segment(canonical_url), connection_id, observed_at)
  where last_path_segment(canonical_url) is not null;
