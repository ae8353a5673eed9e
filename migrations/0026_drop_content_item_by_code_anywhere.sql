-- Outside a transaction
drop index concurrently if exists content_item_by_code_anywhere;
