-- Outside a transaction. A blanked post is found by the keyed hash of its id.
create unique index concurrently if not exists content_item_by_mac on content_item (connection_id, content_mac)
  where content_mac is not null;
