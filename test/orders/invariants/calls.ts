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
  if (/client probe/.test(call.where)) return undefined; // About no account, for every request.
  if (name === 'obtainGrant' || name === 'exchangeIdentityCode') {
    const [row] =
      name === 'obtainGrant'
        ? await sql`
            select orders_allows(a) and a.status = 'EXCHANGING' and a.expires_at > business_now() as allowed
            from connect_attempt a where attempt_id = ${input.attemptId ?? null}
          `
        : await sql`
            select orders_allows(a) and a.status = 'PENDING' and a.expires_at > business_now() as allowed
            from identity_attempt a where attempt_id = ${input.attemptId ?? null}
          `;
    return row?.allowed ? undefined : `${call.where} by ${name} for an attempt that is over or no longer allowed`;
  }
  if (name !== 'tryRevoke' || !/revoke/.test(call.where)) return undefined;
  const [job] = await sql`
    select kind = 'COMPENSATION' or spares and bulk_disconnect_id is null as spares, status, grant_id
    from disconnect_job where job_id = ${input.jobId ?? null}
  `;
  if (job?.status !== 'RUNNING') return 'A revoke is sent that is over';
  if (!job.spares) return undefined;
  const reached = await listReached(world, job.grantId);
  const isInUse = reached.some(({ status }) => status === 'LIVE' || status === 'PENDING');
  return isInUse ? 'A revoke that spares others is sent, and ends another grant in use' : undefined;
}
