import type { Facts, Outcome } from '../facts.ts';
import type { World } from '../world.ts';

/** Data that identifies the person, by the kind of erasure that must remove it. */
function listNames({ control }: World, { scope, account, provider }: Facts) {
  const found = control.accounts(provider).find(({ id }) => id === account);
  return {
    subject: [scope.externalSubjectId],
    account: [account, found?.name, found?.handle].filter((one) => one != null),
  };
}

/** After an erase nothing of the person is anywhere, and nothing but a new consent brings them back. */
export async function checkErased(world: World, facts: Facts, outcomes: readonly Outcome[]): Promise<string[]> {
  const { sql, engine } = world;
  const broken: string[] = [];
  const names = listNames(world, facts);
  const [state] = await sql`
    select exists (select from erasure) as is_erased,
      exists (select from connection union all select from connect_attempt where return_url <> ''
        union all select from account_grant where sealed_tokens is not null) as is_here,
      exists (
        select from scope s join erasure e on e.scope_mac = ${world.scopeMacOf(facts.app.app.appId, facts.scope)}
        where s.external_subject_id = ${facts.scope.externalSubjectId} and s.erasure_id is null
          and not exists (select from connect_attempt a where a.scope_id = s.scope_id and a.created_at >= e.requested_at)
      ) as stays
  `;
  if (state?.stays) broken.push("An erased subject's id is still here");
  const isBack = outcomes.some(({ name }) => /createConnectSession|import|eraseSubject/.test(name));
  const forbidden = [
    ...(state?.isErased && !isBack ? names.subject : []),
    ...(state?.isHere ? [] : names.account), // No connection, attempt or token is left that they could belong to.
  ];
  if (forbidden.length > 0) {
    const [row] = await sql`select orders_find(${forbidden as string[]}) as places`;
    if (row?.places) broken.push(`What names a person who was erased is still here: ${row.places}`);
  }
  const histories = JSON.stringify(engine.runs.map(({ id, input, history }) => [id, input, [...history]]));
  const leaked = [...names.subject, ...names.account].filter((one) => histories.includes(one as string));
  if (leaked.length > 0) broken.push("Temporal's histories name a person");
  const [imported] = await sql`
    select from connection c join account_grant g using (connection_id) join disconnect_job j on j.kind = 'ERASE' and j.status = 'SUCCEEDED'
    where g.import_mac is not null and c.created_at > j.created_at limit 1
  `;
  if (imported) broken.push('An import connects a person again who had disconnected');
  return broken;
}
