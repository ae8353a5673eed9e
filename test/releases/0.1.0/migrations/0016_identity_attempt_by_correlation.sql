-- Outside a transaction
-- Operators find a sign-in by the reference that a person reads out. The table holds 20 minutes of sign-ins.
create index concurrently if not exists identity_attempt_by_correlation on identity_attempt (correlation_id);
