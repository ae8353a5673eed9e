-- No post that has an id was last read before this time; null without such posts. Retention finds due posts by it, and moves it to the
-- oldest read. A column here, so that a repeated scan of unchanged posts changes no index of theirs, and rewrites them within their pages.
alter table connection add column posts_read_since timestamptz(3);
update connection c set posts_read_since = (
  select min(observed_at) from content_item i where i.connection_id = c.connection_id and provider_content_id is not null
);
alter table content_item set (fillfactor = 70);
