import type { Outcome } from '../facts.ts';
import type { World } from '../world.ts';

/** Each event is sent once, in sequence, and agrees with the rows. */
export async function checkEvents({ sql, received }: World, outcomes: readonly Outcome[]): Promise<string[]> {
  const did = (part: string) => outcomes.some(({ name }) => name.includes(part));
  if (did('removeWebhookEndpoint')) return []; // No app gets an event.
  const broken: string[] = [];
  const [wrong] = await sql`
    with told as (
      select connection_id, array_agg(data ->> 'status' order by sequence) as statuses
      from webhook_event where type like 'connection.%' and type <> 'connection.erased' and connection_id is not null group by 1
    ), seen as (
      select connection_id, array_agg(status order by place) filter (where status <> 'DELETING') as statuses
      from orders_seen group by 1
    )
    select seen.connection_id from seen left join told using (connection_id)
    where not coalesce(told.statuses[cardinality(told.statuses) - cardinality(seen.statuses) + 1:] = seen.statuses, seen.statuses is null)
    limit 1
  `;
  if (wrong) broken.push('The webhooks of a connection do not say what its rows say');
  const [ends] = await sql`
    with told as (select type, data, coalesce(data ->> 'sessionId', data ->> 'jobId')::uuid as id from webhook_event),
    ended as (
      select attempt_id as id, 'connect_session.finished' as type, status, creator_action from connect_attempt
        where status not in ('CREATED', 'AUTHORIZING', 'EXCHANGING') and return_url <> ''
      union all select attempt_id, 'identity_session.finished', status, null from identity_attempt where status <> 'PENDING'
      union all select job_id, 'job.finished', status, null from read_job where status not in ('QUEUED', 'RUNNING') and not is_refresh
      union all select job_id, 'receipt.settled', status, null from disconnect_job
        where status not in ('QUEUED', 'RUNNING') and kind <> 'COMPENSATION'
    ), compared as (
      select ended.*, count(told.id) as times, count(*) filter (where told.data ->> 'status' = ended.status) as right_times,
        count(*) filter (where told.data ->> 'creatorAction' is null) as plain_times
      from ended left join told using (id, type) group by 1, 2, 3, 4
    )
    select string_agg(distinct type, ', ') filter (where times = 0) as untold,
      string_agg(distinct type, ', ') filter (where times > 1 and creator_action is null
        and (type <> 'receipt.settled' or right_times > 1)) as repeated,
      string_agg(distinct type, ', ') filter (where times > 0 and right_times = 0) as wrong
    from compared
  `;
  if (ends?.untold) broken.push(`An end is never told: ${ends.untold}`);
  if (ends?.repeated) broken.push(`An end is told twice: ${ends.repeated}`);
  if (ends?.wrong) broken.push(`A webhook does not say what the row says: ${ends.wrong}`);
  const [open] = await sql`
    select from webhook_event group by connection_id, sequence having connection_id is not null and count(*) > 1 limit 1
  `;
  if (open) broken.push('Two events of a connection have one sequence number');
  const repeated = received.length - new Set(received.map(({ id }) => id)).size;
  if (repeated > 0 && outcomes.every(({ isWhole }) => isWhole) && !did('redeliverWebhooks'))
    broken.push('A webhook is sent twice although nothing went wrong');
  return broken;
}
