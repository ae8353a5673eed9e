import type { Token } from '../../../sandbox/src/model.ts';
import { listOpenWork } from '../../history/open-work.ts';
import type { PlatformRecord, Remains } from '../../history/run.ts';
import type { Facts, Outcome } from '../facts.ts';
import { flowOf } from '../recorder.ts';
import type { World } from '../world.ts';
import { listGrants, reachOf } from './platform.ts';

/** Accepted work that has not ended. */
export const listOpen = ({ sql }: World): Promise<string[]> =>
  listOpenWork(sql, [
    'expired attempts without an end',
    'expired sign-ins without an end',
    'read jobs of callers',
    'receipts and compensations',
    'grants without a connection',
    'suspended connections',
    'connections on their way out',
    'bulk disconnects',
    'erasures',
    'requested deletions',
    'first scans without a job',
  ]);

/** Where something of an erased person still is. Nothing but a new consent or import brings it back. */
async function findTraces(world: World, facts: Facts, outcomes: readonly Outcome[]): Promise<Remains['traces']> {
  const { sql, engine, control } = world;
  const { scope, account, provider, app } = facts;
  const { name, handle } = control.accounts(provider).find(({ id }) => id === account) ?? {};
  const ofAccount = [account, name, handle].filter((one) => one != null);
  const [state] = await sql`
    select exists (select from erasure) as is_erased,
      exists (select from connection union all select from connect_attempt where return_url <> ''
        union all select from account_grant where sealed_tokens is not null) as is_here,
      exists (
        select from scope s join erasure e on e.scope_mac = ${world.scopeMacOf(app.app.appId, scope)}
        where s.external_subject_id = ${scope.externalSubjectId} and s.erasure_id is null
          and not exists (select from connect_attempt a where a.scope_id = s.scope_id and a.created_at >= e.requested_at)
      ) as stays
  `;
  const isBack = outcomes.some(({ name }) => /createConnectSession|import|eraseSubject/.test(name));
  const forbidden = [
    ...(state?.isErased && !isBack ? [scope.externalSubjectId] : []),
    ...(state?.isHere ? [] : ofAccount), // No connection, attempt or token is left that they could belong to.
  ];
  const places: string[] = state?.stays ? ['the scope of an erased subject'] : [];
  if (forbidden.length > 0) {
    const [row] = await sql`select orders_find(${forbidden}) as places`;
    if (row?.places) places.push(row.places);
  }
  const histories = JSON.stringify(engine.runs.map(({ id, input, history }) => [id, input, [...history]]));
  if ([scope.externalSubjectId, ...ofAccount].some((one) => histories.includes(one)))
    places.push('a history of Temporal');
  return places.map((where) => ({ flow: flowOf(app.app, facts), where }));
}

/** Workflows that have failed. */
const listFailed = ({ engine }: World): string[] =>
  engine.runs.flatMap(({ type, status, failure }) => (status === 'FAILED' ? [`${type} (${describe(failure)})`] : []));

const describe = (failure: unknown): string => {
  const cause = (failure as { cause?: Error } | undefined)?.cause ?? failure;
  return String((cause as Error | undefined)?.message ?? cause).slice(0, 120);
};

export const listRemains = async (world: World, facts: Facts, outcomes: readonly Outcome[]): Promise<Remains> => ({
  open: await listOpen(world),
  traces: await findTraces(world, facts, outcomes),
  crashes: listFailed(world),
});

/** Every consent at the platforms, and whether the service keeps it. */
export async function recordGrants(world: World, { imported }: Facts): Promise<PlatformRecord['grants']> {
  const { sql, control } = world;
  const kept = (await listGrants(world)).flatMap(({ status, consent }) =>
    status === 'LIVE' && consent ? [consent] : [],
  );
  // A revoke of one that shares their reach would end one in use.
  const reached = new Set(kept.map((consent) => reachOf(world, consent)));
  // A grant of another system is its own until an import takes it.
  const [taken] = await sql`select from imported_token limit 1`;
  const foreign = taken === undefined ? imported?.accessToken : undefined;
  // Without an endpoint no event says what a person has to do.
  const [told] = await sql`
    select 1 from disconnect_job where creator_action is not null and not exists (select from webhook_endpoint) limit 1
  `;
  return control.grants().map((one) => ({
    account: one.accountId,
    provider: one.platform,
    hasEnded: one.endedAt !== null,
    isUsable: one.endedAt === null && one.tokens.some(isUsable),
    isKept: reached.has(reachOf(world, one)) || one.tokens.some(({ value }) => value === foreign) || told !== undefined,
  }));
}

/** The short token of PROVIDER_C is given back for the lasting one, and kept nowhere. */
const isUsable = ({ kind, isSpent, expiresAt }: Token) =>
  kind !== 'short' && !isSpent && (expiresAt === null || expiresAt > Date.now());

/** Records the events of all apps, and the states that connections had. */
export async function recordEvents({ sql, recorder }: World): Promise<void> {
  const events =
    await sql`select event_id as id, type, connection_id, sequence, data from webhook_event order by occurred_at, sequence`;
  for (const { id, type, data, connectionId, sequence } of events)
    recorder.add({ type: 'event', id, event: type, data: { ...data, connectionId, sequence } });
  const states = await sql`select connection_id, status from orders_seen order by place`;
  for (const { connectionId, status } of states) recorder.add({ type: 'state', connectionId, status });
}
