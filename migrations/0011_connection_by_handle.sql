-- Outside a transaction
-- Operators find a connection by the handle that a person tells them. About 50 bytes a connection with a profile.
create index concurrently if not exists connection_by_handle on connection (lower((profile ->> 'handle') collate "C"))
  where profile ->> 'handle' is not null;
