-- A platform can be wrong about one connection, or about all of them at once. So an answer that would end a grant, withdraw a
-- capability or remove a post needs a second proof, and many of them within an hour stop until somebody has looked.

-- When the platform first refused the grant without a second proof. Null once it has accepted it again.
alter table account_grant add column refused_at timestamptz(3);

-- Changes of this registration's connections for the worse since an instant of the last hour.
alter table registration add column downgrades integer not null default 0;
alter table registration add column downgrades_since timestamptz(3);
-- Set when there were too many: the service makes no more of them until connections work, or an operator says so.
alter table registration add column downgrades_held_at timestamptz(3);
-- When we last asked whether connections of the registration work.
alter table registration add column downgrades_checked_at timestamptz(3);

-- When reads first and last missed the post. A later read confirms that it is gone.
alter table content_item add column missing_since timestamptz(3);
alter table content_item add column missed_at timestamptz(3);
