-- A job whose next try is due and has not begun may have lost its workflow: it can be retried, too.
create or replace view admin_job as
with joined as (
  select job_id, kind, status, app_id, provider, null::uuid as registration_id, connection_id, null::uuid as grant_id,
    null::uuid as attempt_id, 0 as run, tries, last_failure, first_failed_at, next_retry_at, null::timestamptz as give_up_at,
    error_code, null as creator_action, item_count, incomplete_reason, correlation_id, created_at, started_at, finished_at,
    false as revocable, last_tried_at, last_answer, false as awaits_revoke, null::timestamptz(3) as revoked_at,
    failed_tries
  from read_job
  union all
  select job_id, kind, status, app_id, provider, registration_id, connection_id, grant_id, attempt_id, run, tries,
    last_failure, first_failed_at, next_retry_at, give_up_at, error_code, creator_action, null, null, correlation_id,
    created_at, started_at, finished_at,
    -- A failed revoke that still has tokens to revoke with.
    status = 'FAILED' and kind <> 'ERASE' and (sealed_tokens is not null or exists (
      select from account_grant g
      where g.grant_id = disconnect_job.grant_id and g.status <> 'DEAD' and g.sealed_tokens is not null
    )), last_tried_at, last_answer, kind = 'ERASE' and exists (
      select from disconnect_job revoke
      where revoke.connection_id = disconnect_job.connection_id and revoke.kind = 'REVOKE' and revoke.status in ('QUEUED', 'RUNNING')
    ), (
      select revoke.finished_at from disconnect_job revoke
      where disconnect_job.kind = 'ERASE' and revoke.connection_id = disconnect_job.connection_id and revoke.kind = 'REVOKE'
    ), failed_tries
  from disconnect_job
),
timed as (
  select joined.*,
    status in ('QUEUED', 'RUNNING') as open,
    coalesce(first_failed_at, greatest(coalesce(started_at, created_at), revoked_at)) as stuck_since,
    -- Silent for longer than any step takes.
    status in ('QUEUED', 'RUNNING') and not awaits_revoke
      and greatest(coalesce(next_retry_at, started_at, created_at), revoked_at) <= business_now() - interval '15 minutes' as overdue
  from joined
)
select job_id, kind, status, app_id, provider, registration_id, connection_id, grant_id, attempt_id, run, tries, last_failure,
  first_failed_at, next_retry_at, give_up_at, error_code, creator_action, item_count, incomplete_reason, correlation_id, created_at,
  started_at, finished_at, revocable, open, stuck_since, overdue,
  -- One failed try is no reason to look: the service retries within seconds.
  (open and tries > 0 and stuck_since <= business_now() - interval '15 minutes') or overdue or revocable as stuck,
  -- Waiting for its next try, late for it, or waiting for an operator.
  (open and coalesce(next_retry_at not between business_now() - interval '30 seconds' and business_now(), false))
    or overdue or revocable as retryable,
  last_tried_at, last_answer, failed_tries
from timed;
