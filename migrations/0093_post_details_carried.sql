-- Outside a transaction. The trigger fills the details of each post, in batches of 500 pages, each with a commit of its own: a batch locks
-- its posts for a second at most, and a run after an interruption goes on with the rows that are left. Rows that move to later pages
-- meanwhile have met the trigger.
do $$
declare
  pages constant bigint := pg_relation_size('content_item') / current_setting('block_size')::int;
  batch constant int := 500;
begin
  for page in 0 .. pages by batch loop
    update content_item set details = '{}'
    where ctid >= format('(%s,0)', page)::tid and ctid < format('(%s,0)', page + batch)::tid
      and details = '{}' and num_nonnulls(title, description, thumbnail_url) > 0;
    commit;
  end loop;
  if exists (select from content_item where details = '{}' and num_nonnulls(title, description, thumbnail_url) > 0) then
    raise exception 'Posts are left without their details.';
  end if;
end
$$;
