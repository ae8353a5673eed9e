-- Outside a transaction: it is built while the service writes connections. Operators find an account by the name in a ticket.
create index concurrently if not exists connection_by_display_name on connection (lower((profile ->> 'displayName') collate "C"))
  where profile ->> 'displayName' is not null;
