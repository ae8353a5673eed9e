-- Grants stored after their attempts had ended are looked for by every round of reconciliation: there are few.
create index account_grant_pending on account_grant (attempt_id) where status = 'PENDING';
