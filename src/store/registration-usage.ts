import { z } from 'zod';
import type { RegistrationId } from '../ids.ts';
import type { ProviderName } from '../providers/provider.ts';
import type { Sql } from './sql.ts';

/** By provider: the zone in whose midnight the day of its quota ends. */
export type QuotaZones = Readonly<Record<ProviderName, string>>;

/** The day that it is for the registration `r`. */
const today = (sql: Sql, zones: QuotaZones) =>
  sql`(business_now() at time zone (${sql.json({ ...zones })}::jsonb ->> r.provider))::date`;

/** Counts one call that costs quota. */
export async function countCall(sql: Sql, registrationId: RegistrationId, zones: QuotaZones): Promise<void> {
  await sql`
    insert into registration_usage (registration_id, day, calls)
    select registration_id, ${today(sql, zones)}, 1 from registration r where registration_id = ${registrationId}
    on conflict (registration_id, day) do update set calls = registration_usage.calls + 1
  `;
}

const Usage = z.object({ registrationId: z.string(), day: z.string(), calls: z.number() });

/** Calls that every registration has made on the day that it is for it. */
export async function listUsage(sql: Sql, zones: QuotaZones): Promise<Map<string, { day: string; calls: number }>> {
  const rows = await sql`
    select r.registration_id, to_char(t.day, 'YYYY-MM-DD') as day, coalesce(u.calls, 0) as calls
    from registration r cross join lateral (select ${today(sql, zones)} as day) t
    left join registration_usage u on u.registration_id = r.registration_id and u.day = t.day
  `;
  return new Map(
    rows.map((row) => {
      const { registrationId, ...usage } = Usage.parse(row);
      return [registrationId, usage];
    }),
  );
}
