import type { Capped, Facts } from '../facts.ts';
import type { World } from '../world.ts';

/** The counts against a cap of the contract, and their maximum. */
const CAPS = {
  connect_attempt: { most: 5, what: 'unfinished Connect attempts of a subject and provider' },
  identity_attempt: { most: 20, what: 'unfinished sign-ins of an app' },
  read_job: { most: 20, what: 'read jobs of an app in flight' },
  app_key: { most: 2, what: 'active keys of an app' },
} as const satisfies Record<Capped, unknown>;

/** Counts after a step that changed one of these tables: at no moment there may be more. */
export async function checkCaps({ sql }: World, { peaks }: Facts, written: ReadonlySet<string>): Promise<string[]> {
  if (!Object.keys(CAPS).some((table) => written.has(table))) return [];
  const [row = {}] = await sql`
    select
      (select max(count) from (select count(*) from connect_attempt
        where status in ('CREATED', 'AUTHORIZING', 'EXCHANGING') and expires_at > business_now() and return_url <> ''
        group by scope_id, provider) as each)::int as connect_attempt,
      (select max(count) from (select count(*) from identity_attempt
        where status = 'PENDING' and expires_at > business_now() group by app_id) as each)::int as identity_attempt,
      (select max(count) from (select count(*) from read_job
        where status in ('QUEUED', 'RUNNING') and requested_by = 'CALLER' group by app_id) as each)::int as read_job,
      (select max(count) from (select count(*) from app_key
        where revoked_at is null and coalesce(expires_at > business_now(), true) group by app_id) as each)::int as app_key
  `;
  return (Object.keys(CAPS) as (keyof typeof CAPS)[]).flatMap((table) => {
    const count = row[table.replace(/_(.)/g, (_all, letter) => letter.toUpperCase())] ?? 0;
    peaks[table] = Math.max(peaks[table] ?? 0, count);
    return count > CAPS[table].most ? [`There are ${count} ${CAPS[table].what}`] : [];
  });
}

const REFUSED_BY: Readonly<Record<string, keyof typeof CAPS>> = {
  createConnectSession: 'connect_attempt',
  createIdpIdentitySession: 'identity_attempt',
  requestRefresh: 'read_job',
  requestContentLookup: 'read_job',
};

/** A cap refuses only requests that exceed it. */
export const checkRefusals = ({ answers, peaks }: Facts): string[] =>
  answers.flatMap(({ field, answer }) => {
    const table = REFUSED_BY[field];
    if (answer !== 'RATE_LIMITED' || table === undefined || (peaks[table] ?? 0) >= CAPS[table].most) return [];
    return [`${field} is refused although there is room for it`];
  });
