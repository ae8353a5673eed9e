-- Outside a transaction. connection_posts_old has replaced it.
drop index concurrently if exists content_item_to_forget;
