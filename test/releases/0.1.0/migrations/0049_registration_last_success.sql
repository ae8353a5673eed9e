-- When the platform last answered a call for one of the registration's accounts, to within a day: platforms withdraw access that nobody
-- uses. Registrations that exist begin today, so that none alerts before its next call.
alter table registration add column last_success_at timestamptz(3);
update registration set last_success_at = business_now();
