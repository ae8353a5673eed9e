-- The fields of a post that are only shown get one column: { title, description, thumbnailUrl }, without those that are null. This
-- file and the two after it carry the values over while the service runs: a trigger those of each write, then batches those of the
-- other rows. Then their columns go.
alter table content_item add column details jsonb not null default '{}';

create function carry_post_details() returns trigger language plpgsql as $$
begin
  new.details := jsonb_strip_nulls(jsonb_build_object(
    'title', new.title, 'description', new.description, 'thumbnailUrl', new.thumbnail_url));
  return new;
end
$$;
create trigger content_item_details before insert or update on content_item
  for each row execute function carry_post_details();
