import { createRefreshStep, createReplanStep } from '../../src/activities/refresh-steps.ts';
import { forEachProvider } from '../../src/basics/codes.ts';
import { createCatalog } from '../../src/providers/catalog.ts';
import { MINUTE_MS, moveClock } from '../kit/clock.ts';
import { configFor } from '../kit/fake-platform.ts';
import type { Database } from '../kit/postgres.ts';
import { seedApp, updateRefreshPolicy } from '../kit/seed.ts';

export interface RefreshFigures {
  readonly unitsUsed: number;
  /** The most refreshes that one step of the clock has started. */
  readonly largestStep: number;
  /** The fewest and most refreshes of one connection. */
  readonly fewest: number;
  readonly most: number;
}

/** Units that a refresh takes here; the planner counts with more. */
const UNITS_EACH = 3;

/**
 * Runs the planner over a day of the quota, with real rows on a moved clock. Each refresh ends within one step, finds a
 * change, and has taken 3 units.
 */
export async function simulateRefreshes(
  sql: Database,
  day: { connections: number; refreshMinutes: number; dailyQuota: number; stepMinutes: number },
): Promise<RefreshFigures> {
  const { connections, refreshMinutes, dailyQuota, stepMinutes } = day;
  const seeded = await seedApp(sql);
  const { appId } = seeded.app;
  const registrationId = seeded.registrations.PROVIDER_A;
  const { tenantKey } = seeded.newScope();
  // The day begins at midnight in the quota's time zone.
  const [now] = await sql`
    select extract(epoch from date_trunc('day', business_now() at time zone 'America/Los_Angeles') + interval '1 day'
      - (business_now() at time zone 'America/Los_Angeles'))::float8 * 1000 as ms
  `;
  await moveClock(sql, Math.ceil(Number(now?.ms)));
  await sql`update registration set daily_quota = ${dailyQuota} where registration_id = ${registrationId}`;
  await updateRefreshPolicy(sql, appId, 'PROVIDER_A', { refreshMinutes, refreshDays: 7, refreshPosts: 50 });
  await sql`
    with scopes as (
      insert into scope (scope_id, app_id, tenant_key, external_subject_id)
      select gen_random_uuid(), ${appId}, ${tenantKey}, gen_random_uuid()::text from generate_series(1, ${connections}::int)
      returning scope_id
    ), made as (
      insert into connection (connection_id, scope_id, app_id, provider, registration_id, provider_account_id, status, capabilities)
      select gen_random_uuid(), scope_id, ${appId}, 'PROVIDER_A', ${registrationId}, scope_id::text, 'CONNECTED',
        '[{ "capability": "CONTENT_LIST", "availability": "AVAILABLE", "reason": null }]'
      from scopes returning connection_id, scope_id
    )
    insert into account_grant (grant_id, attempt_id, scope_id, provider, registration_id, connection_id, status, permissions, obtained_at)
    select gen_random_uuid(), gen_random_uuid(), scope_id, 'PROVIDER_A', ${registrationId}, connection_id, 'LIVE', '{}', business_now()
    from made
  `;
  await sql`analyze connection, account_grant, read_job, scope`;
  const facts = createCatalog(configFor('http://127.0.0.1:1'));
  const callsPerSecond = forEachProvider(() => 20);
  const deps = { sql, facts, callsPerSecond, outbox: { deliverSoon: () => undefined } };
  const step = createRefreshStep(deps, 'PROVIDER_A');
  const clock = { isOver: () => false };
  await createReplanStep(deps, 'PROVIDER_A').handle([{ id: appId, dueAt: new Date(0) }], clock);

  let largestStep = 0;
  const steps = Math.floor((24 * 60) / stepMinutes);
  for (let taken = 0; taken < steps; taken += 1) {
    await moveClock(sql, stepMinutes * MINUTE_MS - (taken === steps - 1 ? 1_000 : 0));
    let inStep = 0;
    // The sweep runs once a minute.
    for (let round = 0; round < stepMinutes; round += 1) {
      const due = await step.list({ after: null, limit: 1 });
      if (due.length === 0) break;
      const { done, errors } = await step.handle(due, clock);
      if (errors.length > 0) throw errors[0];
      inStep += done;
      await sql`
        update read_job set status = 'SUCCEEDED', finished_at = business_now(), started_at = business_now()
        where is_refresh and status = 'QUEUED'
      `;
      await sql`
        insert into registration_usage as u (registration_id, day, app_id, units, refresh_units)
        select ${registrationId}, (business_now() at time zone 'America/Los_Angeles')::date, ${appId}, ${done * UNITS_EACH}, ${done * UNITS_EACH}
        on conflict (registration_id, day, app_id) do update set
          units = u.units + excluded.units, refresh_units = u.refresh_units + excluded.refresh_units
      `;
    }
    await sql`truncate outbox`;
    largestStep = Math.max(largestStep, inStep);
  }
  const [spread] = await sql`
    select min(jobs)::int as fewest, max(jobs)::int as most from (
      select c.connection_id, count(j.job_id) as jobs from connection c
      left join read_job j on j.connection_id = c.connection_id and j.is_refresh
      where c.app_id = ${appId} group by c.connection_id
    ) as counted
  `;
  const [used] = await sql`
    select coalesce(sum(refresh_units), 0)::int as units from registration_usage where registration_id = ${registrationId}
  `;
  return {
    unitsUsed: Number(used?.units),
    largestStep,
    fewest: Number(spread?.fewest),
    most: Number(spread?.most),
  };
}
