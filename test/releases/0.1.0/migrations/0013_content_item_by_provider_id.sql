-- Outside a transaction
-- Operators find the connection of a post by the platform's id, which is in the URLs of two platforms. A hash of it costs about
-- 30 bytes a post: 3 GB at a hundred million.
create index concurrently if not exists content_item_by_provider_id on content_item using hash (provider_content_id);
