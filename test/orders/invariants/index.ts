import { check } from '../../history/check.ts';
import type { Facts, Outcome } from '../facts.ts';
import type { World } from '../world.ts';
import { checkConnected, checkHolds, checkOrderOfConsents } from './grants.ts';
import { listRemains, recordEvents, recordGrants } from './remains.ts';

export { findForbiddenCall } from './calls.ts';
export { listOpen } from './remains.ts';
export { watchRows } from './rows.ts';
export { checkConnected };

/** Looks when all is quiet: the checker judges what was seen from outside, and the rest is about rows and moments. */
export async function checkQuiet(world: World, facts: Facts, outcomes: readonly Outcome[]): Promise<string[]> {
  const { sql, recorder, control, received } = world;
  const noted = await sql`select distinct text from orders_violation`;
  const did = new Set(
    outcomes.flatMap(({ name, isWhole, outcome }) => (isWhole && typeof outcome !== 'string' ? [name] : [])),
  );
  const broken = [
    ...noted.map(({ text }) => String(text)),
    ...(await checkConnected(world, facts)),
    ...(await checkOrderOfConsents(world, did)),
    ...(await checkHolds(world, facts)),
  ];
  const [imported] = await sql`
    select from connection c join account_grant g using (connection_id) join disconnect_job j on j.kind = 'ERASE' and j.status = 'SUCCEEDED'
    where g.import_mac is not null and c.created_at > j.created_at limit 1
  `;
  if (imported) broken.push('An import connects a person again who had disconnected');
  const repeated = received.length - new Set(received.map(({ id }) => id)).size;
  const isAskedFor = outcomes.some(({ name, isWhole }) => !isWhole || name.includes('redeliverWebhooks'));
  if (repeated > 0 && !isAskedFor) broken.push('A webhook is sent twice although nothing went wrong');
  const remains = await listRemains(world, facts, outcomes);
  await recorder.conclude();
  await recordEvents(world);
  const run = recorder.run(await recordGrants(world, facts), control.calls(), remains);
  return [...broken, ...check(run).map(({ rule, message }) => `${rule}: ${message.replace(IDS, '…')}`)];
}

/** A promise has one name in all orders. */
const IDS = /[0-9a-f]{8}-[0-9a-f-]{27}/g;
