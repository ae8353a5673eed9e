import { z } from 'zod';
import { AppId, isId } from '../../basics/ids.ts';
import type { Fragment, Sql } from '../driver/sql.ts';
import { listRows } from '../rows.ts';

const KINDS = [
  'APP',
  'KEY',
  'REGISTRATION',
  'ISSUER',
  'ADMIN_TOKEN',
  'WEBHOOK_ENDPOINT',
  'WEBHOOK_DELIVERY',
  'CONNECTION',
  'ATTEMPT',
  'JOB',
  'BULK_DISCONNECT',
  'ERASURE',
] as const;

export const AuditThing = z.object({
  id: z.string(),
  kind: z.enum(KINDS),
  name: z.string().nullable(),
  appId: AppId.nullable(),
});
/** The thing that an id of the audit log names. */
export type AuditThing = z.infer<typeof AuditThing>;

/** The most things of one entry. A bulk retry names hundreds. */
const MOST_THINGS = 20;

/** The ids among the names of an entry. */
export const listThingIds = ({ target, related }: { target: string | null; related: readonly string[] }): string[] =>
  [...new Set([target ?? [], ...related].flat())].filter((id) => isId(id)).slice(0, MOST_THINGS);

/** Finds the existing things that ids name, each by its key. A path of an endpoint's URL may contain a secret. */
export async function listAuditThings(sql: Sql, ids: readonly string[]): Promise<AuditThing[]> {
  if (ids.length === 0) return [];
  const part = (kind: (typeof KINDS)[number], id: string, table: string, name: Fragment, appId: Fragment) => sql`
    select ${sql(id)}::text as id, ${kind} as kind, ${name} as name, ${appId} as app_id
    from ${sql(table)} where ${sql(id)} = any(${[...ids]}::uuid[])`;
  const app = sql`app_id`;
  const none = sql`null::uuid`;
  const nameless = sql`null::text`;
  return await listRows(sql, AuditThing)`
    ${part('APP', 'app_id', 'app', sql`name`, app)}
    union all ${part('KEY', 'key_id', 'app_key', sql`label`, app)}
    union all ${part('REGISTRATION', 'registration_id', 'registration', sql`label`, none)}
    union all ${part('ISSUER', 'issuer_id', 'identity_issuer', sql`issuer`, none)}
    union all ${part('ADMIN_TOKEN', 'token_id', 'admin_token', sql`label`, none)}
    union all ${part('WEBHOOK_ENDPOINT', 'endpoint_id', 'webhook_endpoint', sql`substring(url from '^https?://([^/?#]+)')`, app)}
    union all ${part('WEBHOOK_DELIVERY', 'delivery_id', 'webhook_delivery', sql`event_type`, app)}
    union all ${part('CONNECTION', 'connection_id', 'connection', sql`provider`, app)}
    union all ${part('ATTEMPT', 'attempt_id', 'connect_attempt', sql`provider`, app)}
    union all ${part('JOB', 'job_id', 'read_job', sql`kind`, app)}
    union all ${part('JOB', 'job_id', 'disconnect_job', sql`kind`, app)}
    union all ${part('BULK_DISCONNECT', 'bulk_disconnect_id', 'bulk_disconnect', nameless, app)}
    union all ${part('ERASURE', 'erasure_id', 'erasure', nameless, app)}
  `;
}
