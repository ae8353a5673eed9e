import { z } from 'zod';
import { PROVIDER_NAMES } from '../../basics/codes.ts';
import type { AppId } from '../../basics/ids.ts';
import type { Sql } from '../driver/sql.ts';
import { getRow } from '../rows.ts';

const Readiness = z.object({
  providers: z.array(z.enum(PROVIDER_NAMES)),
  identity: z.boolean(),
});

/**
 * Reads which providers the app can start an attempt at, and whether it can start a sign-in. It checks settings only.
 * @param allowHttp whether return URLs may use plain http.
 */
export async function getReadiness(
  sql: Sql,
  appId: AppId,
  { allowHttp }: { allowHttp: boolean },
): Promise<z.infer<typeof Readiness>> {
  const usable = allowHttp ? '%' : 'https://%';
  return await getRow(sql, Readiness)`
    select
      array(
        select distinct provider::text from app_policy join registration using (provider)
          join registration_app using (registration_id, app_id)
        where app_id = ${appId} and paused_at is null and rejected_at is null
          and exists (select from tenant where app_id = ${appId})
          and exists (select from return_url where app_id = ${appId} and url like ${usable})
      ) as providers,
      exists (select from app_identity where app_id = ${appId} and enabled and return_url like ${usable})
        and exists (select from tenant where app_id = ${appId}) as identity
  `;
}
