import { z } from 'zod';
import { CAPABILITIES, type ProviderName } from '../../basics/codes.ts';
import { type AppId, RegistrationId, type ScopeId } from '../../basics/ids.ts';
import type { Sql } from '../driver/sql.ts';
import { getRow } from '../rows.ts';

/**
 * A request to connect: before the attempt exists it names its tenant, afterwards its scope and its registration. An import
 * names tenant and registration.
 */
export type ConnectRequest = {
  readonly appId: AppId;
  readonly provider: ProviderName;
  /** Null if the return URL no longer matters. */
  readonly returnUrl: string | null;
} & (
  | { readonly tenantKey: string; readonly importsFrom?: RegistrationId }
  | { readonly tenantKey?: undefined; readonly scopeId: ScopeId; readonly registrationId: RegistrationId }
);

const ConnectFacts = z.object({
  appEnabled: z.boolean(),
  tenantRegistered: z.boolean(),
  /** Null if the app may not connect accounts at the provider. */
  allowedCapabilities: z.array(z.enum(CAPABILITIES)).nullable(),
  returnUrlRegistered: z.boolean(),
  /** Null if no registration serves the app. */
  registrationId: RegistrationId.nullable(),
  registrationPaused: z.boolean(),
});

/**
 * Reads all settings that decide whether an attempt is permitted. A new attempt gets a registration that works; for an
 * existing one only its own registration counts.
 */
export async function getConnectFacts(sql: Sql, asked: ConnectRequest): Promise<z.infer<typeof ConnectFacts>> {
  const { appId, provider, returnUrl } = asked;
  const isNew = asked.tenantKey !== undefined;
  const tenantKey = isNew
    ? sql`${asked.tenantKey}`
    : sql`(select tenant_key from scope where scope_id = ${asked.scopeId})`;
  const given = isNew ? asked.importsFrom : asked.registrationId;
  const registration =
    given === undefined
      ? sql`r.provider = ${provider} and r.paused_at is null and r.rejected_at is null order by s.serves_since, r.registration_id`
      : sql`r.registration_id = ${given} and r.provider = ${provider}`;
  // The worker never passes a return URL, and its role may not read them.
  const returnUrlRegistered =
    returnUrl === null
      ? sql`true`
      : sql`exists (select from return_url where app_id = ${appId} and url = ${returnUrl})`;
  return await getRow(sql, ConnectFacts)`
    select
      exists (select from app where app_id = ${appId} and enabled) as app_enabled,
      exists (select from tenant where app_id = ${appId} and tenant_key = ${tenantKey}) as tenant_registered,
      (select capabilities from app_policy where app_id = ${appId} and provider = ${provider}) as allowed_capabilities,
      ${returnUrlRegistered} as return_url_registered, serving.registration_id, serving.paused_at is not null as registration_paused
    from (select 1) as request left join lateral (
      select r.registration_id, r.paused_at
      from registration_app s join registration r using (registration_id)
      where s.app_id = ${appId} and ${registration} limit 1
    ) as serving on true
  `;
}
