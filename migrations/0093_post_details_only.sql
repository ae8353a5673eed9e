-- All posts have their details. Nothing is released, so no process reads the columns that go.
drop trigger content_item_details on content_item;
drop function carry_post_details;
alter table content_item drop constraint content_item_blanked;
alter table content_item drop column title, drop column description, drop column thumbnail_url;
-- Of a post that was not read for 30 days only a keyed hash of its id and the time of the last read stay. A new detail needs nothing here.
alter table content_item add constraint content_item_blanked check (
  blanked_at is null or (details = '{}' and canonical_url is null and published_at is null and kind = 'UNKNOWN' and metrics = '[]')
) not valid;
-- Texts, of bounded size: `src/providers/text.ts` cuts each.
alter table content_item add constraint content_item_details check (
  jsonb_typeof(details) = 'object' and not details @? '$.* ? (@.type() != "string")' and octet_length(details::text) <= 262144
) not valid;
