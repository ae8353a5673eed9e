-- Outside a transaction. content_item_to_forget has replaced it.
drop index concurrently if exists content_item_to_blank;
