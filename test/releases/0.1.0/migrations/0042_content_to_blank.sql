-- Outside a transaction. Posts that keep their id. Replaces content_item_to_blank, which left out those blanked by an older version.
create index concurrently if not exists content_item_to_forget on content_item (observed_at, content_item_id)
  where provider_content_id is not null;
