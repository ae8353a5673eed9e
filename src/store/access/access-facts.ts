import { z } from 'zod';
import type { Sql } from '../driver/sql.ts';

/** The facts that decide whether a connection can be used now, read on each request. */
export const AccessFacts = z.object({
  appEnabled: z.boolean(),
  tenantRegistered: z.boolean(),
  /** Null if no policy allows the provider. */
  allowedCapabilities: z.array(z.string()).nullable(),
  registrationServes: z.boolean(),
  registrationPaused: z.boolean(),
  grantLive: z.boolean(),
});
export type AccessFacts = z.infer<typeof AccessFacts>;

/** `AccessFacts` as JSON, over a row of its columns. */
export const accessFactsJson = (sql: Sql) => sql`
  json_build_object('appEnabled', app_enabled, 'tenantRegistered', tenant_registered,
    'allowedCapabilities', allowed_capabilities, 'registrationServes', registration_serves,
    'registrationPaused', registration_paused, 'grantLive', grant_live)
`;

/** The columns of `AccessFacts`, for a query over `connection c join scope s using (scope_id)`. */
export const accessFactsColumns = (sql: Sql) => sql`
  (select enabled from app where app.app_id = c.app_id) as app_enabled,
  exists (select from tenant t where t.app_id = c.app_id and t.tenant_key = s.tenant_key) as tenant_registered,
  (select p.capabilities from app_policy p where p.app_id = c.app_id and p.provider = c.provider) as allowed_capabilities,
  exists (select from registration_app ra where ra.app_id = c.app_id and ra.registration_id = c.registration_id)
    as registration_serves,
  exists (select from registration r where r.registration_id = c.registration_id and r.paused_at is not null)
    as registration_paused,
  -- Not an exists: for many connections Postgres would then read all grants, however few rows the list shows.
  coalesce((select coalesce(g.refresh_expires_at > business_now(), true) from account_grant g
    where g.connection_id = c.connection_id and g.status = 'LIVE'), false) as grant_live
`;
