import { expect } from 'vitest';
import { PROVIDER_NAMES } from '../../src/basics/codes.ts';
import { type Service, type User, workTest } from '../kit/at-work.ts';

const test = workTest();

const OWNERS = ['app_id', 'scope_id', 'connection_id', 'registration_id', 'attempt_id'];
const UUID = /[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}/g;

/** What differs between any two connections: ids, hashes, sealed texts, counters, and what the platform's clock says. */
const OWN =
  /^sealed|Macs?$|Sha256$|Key$|^(clientId|outboxId|endId|readNumber|upkeepDueAt|accessExpiresAt|refreshExpiresAt)$/;
const blur = (name: string, value: unknown): unknown => {
  if (OWN.test(name) && value !== null) return '<own>';
  const text = JSON.stringify(value)
    .replaceAll(UUID, '<id>')
    .replaceAll(/x-expires=\d+/g, 'x-expires=<time>');
  return JSON.parse(text);
};

/** All rows of the database that belong to the user's app, by table. */
async function rowsOf({ sql }: Service, { appId, seeded }: User) {
  const ids = [appId, ...Object.values(seeded.registrations)];
  const connections = await sql`
    select connection_id, scope_id, attempt_id from connection join account_grant using (connection_id, scope_id) where app_id = ${appId}
  `;
  for (const row of connections) ids.push(...(Object.values(row) as typeof ids));
  const columns = await sql`
    select table_name, array_agg(column_name::text) as names from information_schema.columns join pg_class on relname = table_name
    where table_schema = 'public' and relkind = 'r' and column_name = any(${OWNERS}) and data_type = 'uuid' group by 1 order by 1
  `;
  const tables: Record<string, object[]> = {};
  for (const { tableName, names } of columns as unknown as { tableName: string; names: string[] }[]) {
    const owners = names.map((name) => sql`${sql(name)} = any(${ids}::uuid[])`);
    const [first, ...others] = owners;
    const isOwned = others.reduce((all, one) => sql`${all} or ${one}`, first ?? sql`false`);
    const rows = await sql`select * from ${sql(tableName)} where ${isOwned}`;
    tables[tableName] = rows
      .map((row) => Object.fromEntries(Object.entries(row).map(([name, value]) => [name, blur(name, value)])))
      .sort((one, other) => (JSON.stringify(one) < JSON.stringify(other) ? -1 : 1));
  }
  delete tables.app_key; // The api notes the use of its key.
  return tables;
}

/** The grants of the user's app at the platform. */
const grantsOf = ({ control }: Service, user: User) =>
  control
    .grants()
    .filter(({ clientId }) => user.clientIds.includes(clientId))
    .map(({ accountId, permissions, endedAt, tokens }) => ({
      accountId,
      permissions,
      endedAt,
      tokens: tokens.map(({ kind, issuedAt, expiresAt, isSpent }) => ({
        kind,
        life: expiresAt && expiresAt - issuedAt,
        isSpent,
      })),
    }));

test.for(PROVIDER_NAMES)(
  'a quick connection at %s leaves the same as that of a person',
  async (provider, { service }) => {
    await service.at(Date.now());
    const [user, other] = [await service.newUser(), await service.newUser()];
    const account = user.account(provider, /^40 posts/);
    const { connectionId } = await user.attempt(provider, account);
    await user.synced(connectionId);
    await other.connect(provider, account);
    const [theirs, quick] = [await rowsOf(service, user), await rowsOf(service, other)];
    for (const table of ['connect_attempt', 'account_grant', 'content_item', 'read_job', 'scope'])
      expect(theirs[table], table).not.toHaveLength(0);
    expect(quick).toEqual(theirs);
    expect(grantsOf(service, user)).toHaveLength(1);
    expect(grantsOf(service, other)).toEqual(grantsOf(service, user));
  },
);
