import type { Facts, Outcome } from '../facts.ts';
import type { World } from '../world.ts';
import { checkFinalAnswers } from './answers.ts';
import { checkRefusals } from './caps.ts';
import { checkErased } from './erasures.ts';
import { checkEvents } from './events.ts';
import { checkConnected, checkGrants, checkHolds, checkOrderOfConsents } from './grants.ts';

export { findForbiddenCall } from './calls.ts';
export { checkCaps } from './caps.ts';
export { watchRows } from './rows.ts';
export { checkConnected };

/** Accepted work that has not ended. */
export async function listOpen({ sql }: World): Promise<string[]> {
  const [row = {}] = await sql`
    select (select count(*) from connect_attempt where status in ('CREATED', 'AUTHORIZING', 'EXCHANGING') and expires_at <= business_now())::int as attempts,
      (select count(*) from identity_attempt where status = 'PENDING' and expires_at <= business_now())::int as sign_ins,
      (select count(*) from read_job where status in ('QUEUED', 'RUNNING') and requested_by = 'CALLER')::int as read_jobs,
      (select count(*) from disconnect_job where status in ('QUEUED', 'RUNNING'))::int as disconnects,
      (select count(*) from account_grant where status in ('PENDING', 'REVOKING'))::int as grants,
      (select count(*) from connection where status in ('SUSPENDED', 'DISCONNECTED', 'DELETING'))::int as connections,
      (select count(*) from bulk_disconnect where finished_at is null)::int as bulk_disconnects,
      (select count(*) from erasure where completed_at is null)::int as erasures,
      (select count(*) from deletion_request_connection)::int as deletions,
      (select count(*) from connection c where sync_status = 'RUNNING' and status = 'CONNECTED' and not exists (
        select from read_job j where j.connection_id = c.connection_id and j.kind = 'SCAN' and j.status in ('QUEUED', 'RUNNING')
      ))::int as scans
  `;
  return Object.entries(row).flatMap(([what, count]) => (count > 0 ? [what] : []));
}

/** Looks when all is quiet. */
export async function checkQuiet(world: World, facts: Facts, outcomes: readonly Outcome[]): Promise<string[]> {
  const broken: string[] = [];
  const noted = await world.sql`select distinct text from orders_violation`;
  broken.push(...noted.map((row) => String(row.text)));
  for (const { type, failure } of world.engine.runs.filter(({ status }) => status === 'FAILED'))
    broken.push(`A workflow has failed: ${type} (${describe(failure)})`);
  for (const what of await listOpen(world)) broken.push(`Something accepted never ends: ${what}`);
  const did = new Set(
    outcomes.flatMap(({ name, isWhole, outcome }) => (isWhole && typeof outcome !== 'string' ? [name] : [])),
  );
  const mayReopen = [...did].some((name) => name.includes('retryJob'));
  broken.push(
    ...(await checkGrants(world, facts)),
    ...(await checkOrderOfConsents(world, did)),
    ...(await checkHolds(world, facts)),
  );
  broken.push(...(await checkEvents(world, outcomes)), ...(await checkErased(world, facts, outcomes)));
  broken.push(...checkRefusals(facts), ...(await checkFinalAnswers(world, facts, mayReopen)));
  return broken;
}

const describe = (failure: unknown): string => {
  const cause = (failure as { cause?: Error } | undefined)?.cause ?? failure;
  return String((cause as Error | undefined)?.message ?? cause).slice(0, 120);
};
