-- Outside a transaction. Connections with posts to blank.
create index concurrently if not exists connection_posts_old on connection (posts_read_since, connection_id)
  where posts_read_since is not null;
