import { buildReceiptParts } from '../../../src/domain/disconnecting/receipts.ts';
import type { Facts } from '../facts.ts';
import type { World } from '../world.ts';
import { listGrants } from './platform.ts';

/** CONNECTED means a grant that lives at the platform, unless its person has ended it there and the service has not been notified. */
export async function checkConnected(world: World, { removed }: Facts): Promise<string[]> {
  const rows = await listGrants(world);
  const connections = await world.sql`
    select connection_id, provider_account_id, orders_allows(c) as allowed from connection c where status = 'CONNECTED'
  `;
  return connections.flatMap(({ connectionId, providerAccountId, allowed }) => {
    const live = rows.find((row) => row.connectionId === connectionId && row.status === 'LIVE');
    if (live === undefined) return ['A connection is CONNECTED without a live grant'];
    const hasEnded = live.consent?.endedAt !== null;
    // One that may not be read may not be verified either: no caller reads that it is CONNECTED.
    return hasEnded && allowed && !removed.has(providerAccountId) && !isVerifying(world, connectionId)
      ? ['A connection is CONNECTED, and its grant has ended at the platform']
      : [];
  });
}

/** One refusal may be the platform's fault: a verification may wait for a second answer. */
const isVerifying = ({ engine }: World, connectionId: string): boolean =>
  engine.runs.some(({ id, status }) => id.startsWith(`verify/${connectionId}/`) && status === 'RUNNING');

/** The newest consent wins, by the creation of its attempt. */
export async function checkOrderOfConsents({ sql }: World, did: ReadonlySet<string>): Promise<string[]> {
  const broken: string[] = [];
  const [older] = await sql`
    select from account_grant g join connect_attempt mine using (attempt_id)
      join connect_attempt newer on newer.connection_id = g.connection_id and newer.status = 'COMPLETED'
    where g.status = 'LIVE' and newer.created_at > mine.created_at limit 1
  `;
  if (older) broken.push('A connection has an older consent than the newest that was completed');
  if ([...did].some((name) => /cancelAttempt|eraseSubject/.test(name))) return broken;
  const [lost] = await sql`
    select from connect_attempt lost
    where lost.status = 'CANCELED' and not exists (
      select from connect_attempt newer where newer.status = 'COMPLETED' and newer.scope_id = lost.scope_id
        and newer.created_at > lost.created_at
    ) and not exists (
      -- A disconnect ends the attempts to reconnect.
      select from disconnect_job where kind = 'REVOKE' and created_at >= lost.created_at
    ) limit 1
  `;
  if (lost) broken.push('An attempt was CANCELED although no newer one has completed');
  return broken;
}

/** While a revoke of the subject is unsettled, nothing begins for that subject and provider. */
export async function checkHolds({ sql, mac, facts }: World, { jobId, hasFailedRevoke }: Facts): Promise<string[]> {
  const attempts = await sql`
    select a.provider, a.created_at, s.app_id, s.tenant_key, s.external_subject_id
    from connect_attempt a join scope s using (scope_id) where s.erasure_id is null and a.return_url <> ''
  `;
  const revokes =
    await sql`select provider, scope_mac, created_at, finished_at, job_id from disconnect_job where kind = 'REVOKE'`;
  // An attempt beside the retry of a revoke that had failed is as one before it: their order is unknown.
  const held = revokes.filter(({ jobId: id }) => hasFailedRevoke !== true || id !== jobId);
  const begunMeanwhile = attempts.some((attempt) => {
    const own = mac.of(...buildReceiptParts(attempt.appId, attempt as never));
    return held.some(
      ({ provider, scopeMac, createdAt, finishedAt }) =>
        provider === attempt.provider &&
        facts[attempt.provider as 'PROVIDER_A'].holdsSiblingsOnDisconnect &&
        own.equals(scopeMac) &&
        attempt.createdAt > createdAt &&
        (finishedAt === null || attempt.createdAt < finishedAt),
    );
  });
  return begunMeanwhile ? ['An attempt begins for a subject whose revoke is not settled'] : [];
}
