import { findActivity } from '../temporal.ts';
import type { World } from '../world.ts';
import { listReached } from './platform.ts';

/** @returns why a call to a platform is forbidden at this moment, right after the caller's last statement. */
export async function findForbiddenCall(
  world: World,
  call: { readonly where: string; readonly body: string },
): Promise<string | undefined> {
  const { sql } = world;
  const { name = 'import', input = {} } = findActivity() ?? {};
  const isRefresh = /refresh/.test(call.where);
  const told = `${call.where} by ${name}`;
  if (/client probe/.test(call.where)) return undefined; // About no account, for every request.
  switch (name) {
    case 'obtainGrant': {
      const [row] = await sql`
        select orders_allows(a) and a.status = 'EXCHANGING' and a.expires_at > business_now() as allowed
        from connect_attempt a where attempt_id = ${input.attemptId ?? null}
      `;
      return row?.allowed
        ? undefined
        : `A platform is called for an attempt that is over or no longer allowed: ${told}`;
    }
    case 'exchangeIdentityCode': {
      const [row] = await sql`
        select orders_allows(a) and a.status = 'PENDING' and a.expires_at > business_now() as allowed
        from identity_attempt a where attempt_id = ${input.attemptId ?? null}
      `;
      return row?.allowed ? undefined : `An issuer is called for a sign-in that is over or no longer allowed: ${told}`;
    }
    case 'checkGrant':
    case 'runScanStep':
    case 'runMetricsStep':
    case 'runLookupStep': {
      const [row] = await sql`
        select orders_allows(c) and coalesce(j.status = 'RUNNING' and c.status = 'CONNECTED', true) as allowed,
          c.status in ('CONNECTED', 'SUSPENDED') as lives
        from connection c left join read_job j on j.job_id = ${input.jobId ?? null}
        where c.connection_id = coalesce(${input.connectionId ?? null}::uuid, j.connection_id)
      `;
      const isAllowed = isRefresh ? row?.lives : row?.allowed;
      return isAllowed ? undefined : `A platform is called for a connection that may not be used: ${told}`;
    }
    case 'tryRevoke': {
      const [job] = await sql`
        select kind = 'COMPENSATION' or spares and bulk_disconnect_id is null as spares, status, grant_id
        from disconnect_job where job_id = ${input.jobId ?? null}
      `;
      if (job?.status !== 'RUNNING') return `A revoke is sent that is over: ${told}`;
      if (!job.spares || !/revoke/.test(call.where)) return undefined;
      const reached = await listReached(world, job.grantId);
      const rows = reached.filter(({ status }) => status === 'LIVE' || status === 'PENDING');
      return rows.length === 0 ? undefined : 'A revoke that spares others is sent, and ends another grant in use';
    }
    case 'import': {
      const [row] = await sql`
        select exists (
          select from app join tenant using (app_id) join app_policy p using (app_id) join registration_app using (app_id)
            join registration r using (registration_id)
          where app.enabled and p.provider = r.provider and 'PROFILE' = any(p.capabilities) and r.paused_at is null
        ) as allowed
      `;
      return row?.allowed ? undefined : `A platform is called for an import that is not allowed: ${told}`;
    }
    default:
      return undefined; // About no account, such as a webhook.
  }
}
