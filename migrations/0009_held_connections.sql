-- Outside a transaction. Reconciliation looks for holds that nobody sees to any more: among all connections there are few.
create index concurrently if not exists connection_on_hold on connection (changed_at) where status = 'SUSPENDED'
