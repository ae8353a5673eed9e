-- Tokens kept with a failed revoke's job are refreshed under a claim, as a grant's are: one whose answer was lost stays.
alter table release_job
  add column refresh_claim uuid,
  add column refresh_claimed_at timestamptz(3);
