import type { Capability, ProviderName } from '../../basics/codes.ts';
import type { AppId } from '../../basics/ids.ts';
import type { Sql } from '../driver/sql.ts';

/**
 * @param policy.quotaPercent the largest part of a registration's daily quota that the app may use; null for the
 * default, undefined to leave it unchanged.
 */
export async function updatePolicy(
  sql: Sql,
  appId: AppId,
  provider: ProviderName,
  policy: { capabilities: readonly Capability[]; quotaPercent?: number | null | undefined },
): Promise<void> {
  const { capabilities, quotaPercent } = policy;
  if (capabilities.length === 0) {
    await sql`delete from app_policy where app_id = ${appId} and provider = ${provider}`;
    return;
  }
  await sql`
    insert into app_policy (app_id, provider, capabilities, quota_percent)
    values (${appId}, ${provider}, ${[...capabilities]}, ${quotaPercent ?? null})
    on conflict (app_id, provider) do update set capabilities = excluded.capabilities,
      quota_percent = case when ${quotaPercent === undefined} then app_policy.quota_percent else excluded.quota_percent end
  `;
}
