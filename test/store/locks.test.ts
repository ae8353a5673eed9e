import { randomBytes, randomUUID } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect } from 'vitest';
import { type ConnectionId, type CorrelationId, type GrantId, newId, type ScopeId } from '../../src/basics/ids.ts';
import type { Attempt } from '../../src/store/attempts/attempts.ts';
import { lockConnectionByAccount } from '../../src/store/connections/attach-grant.ts';
import { takeDueRefreshes } from '../../src/store/connections/automatic-refresh.ts';
import { type Connection, lockConnection, lockConnectionById } from '../../src/store/connections/connections.ts';
import { lockConnectionWithSiblings, resumeSibling } from '../../src/store/connections/siblings.ts';
import { takeDueUpkeep } from '../../src/store/connections/upkeep.ts';
import { type Database, inTransaction, type Transaction } from '../../src/store/driver/sql.ts';
import {
  insertDeletionRequest,
  insertDeletionRequestConnections,
} from '../../src/store/erasures/platform-callbacks.ts';
import { moveGrantToDead } from '../../src/store/grants/grant-end.ts';
import type { Grant } from '../../src/store/grants/grants.ts';
import { discardKeptTokens } from '../../src/store/grants/kept-tokens.ts';
import { lockPrincipal, lockPrincipalWithin } from '../../src/store/grants/principals.ts';
import { findReadJob, type ReadJob } from '../../src/store/jobs/read-jobs.ts';
import { requeueRevokes } from '../../src/store/jobs/retries.ts';
import { storeForJob } from '../../src/store/jobs/running-reads.ts';
import { lockExistingScope, lockScope, lockScopeById } from '../../src/store/scopes.ts';
import { takeDueDeliveries } from '../../src/store/webhooks/due-deliveries.ts';
import { insertTestEvent } from '../../src/store/webhooks/webhook-deliveries.ts';
import { beside, hold } from '../kit/beside.ts';
import { businessNow } from '../kit/clock.ts';
import { asWorker, test } from '../kit/postgres.ts';
import { type SeedConnection, seedApp, seedConnection } from '../kit/seed.ts';
import { seedEndpoint } from '../kit/seed-endpoint.ts';
import { insertJob } from '../kit/seed-jobs.ts';

/** A first transaction, a second one that has to wait for it, and the results of both. */
interface Pair {
  readonly first: (tx: Transaction) => Promise<unknown>;
  readonly second: (tx: Transaction) => Promise<unknown>;
  readonly expected?: { readonly held?: unknown; readonly result?: unknown };
  /** The first one's further statements while the second one waits. */
  readonly meanwhile?: (tx: Transaction) => Promise<unknown>;
}
const inBoth = (work: (tx: Transaction) => Promise<unknown>) => ({ first: work, second: work });
const connect = async (sql: Database, options: Partial<SeedConnection> = {}) => {
  const seeded = await seedApp(sql);
  const scope = seeded.newScope();
  const connectionId = await seedConnection(sql, seeded, { scope, ...options });
  const scopeId = (await inTransaction(sql, (tx) => lockExistingScope(tx, seeded.app.appId, scope))) as ScopeId;
  return { seeded, scope, scopeId, connectionId, holdIt: hold('connection', 'connection_id', connectionId) };
};
const connectionLock =
  (lock: (tx: Transaction, one: Awaited<ReturnType<typeof connect>>) => Promise<unknown>) => async (sql: Database) => {
    const one = await connect(sql);
    return { first: one.holdIt, second: (tx: Transaction) => lock(tx, one) };
  };
const resume = (table: 'scope' | 'account_grant') => async (sql: Database) => {
  const { scopeId, connectionId } = await connect(sql, { status: 'SUSPENDED' });
  const [column, id] = table === 'scope' ? ['scope_id', scopeId] : ['connection_id', connectionId];
  const second = (tx: Transaction) => resumeSibling(tx, connectionId, async () => []);
  return { first: hold(table, column as string, id as string), second, expected: { result: true } };
};
/** A second write of a row checks its foreign keys again. @param lock locks the scope, as work on the scope does first. */
const writeTwice =
  (lock: (tx: Transaction, one: Awaited<ReturnType<typeof connect>>) => Promise<unknown>) => async (sql: Database) => {
    const one = await connect(sql, { status: 'SUSPENDED' });
    const write = (tx: Transaction) =>
      tx`update connection set changed_at = business_now() where connection_id = ${one.connectionId}`;
    const second = async (tx: Transaction) => {
      await lock(tx, one);
      await lockConnectionById(tx, one.connectionId);
    };
    const writeAtOnce = async (tx: Transaction) => {
      await tx`set local lock_timeout = '100ms'`; // Before the server ends a deadlock, after which the second is repeated.
      await write(tx);
    };
    return { first: write, second, meanwhile: writeAtOnce };
  };

const PAIRS: Readonly<Record<string, (sql: Database) => Promise<Pair>>> = {
  'of a scope, by its person': async (sql) => {
    const { seeded, scope, scopeId } = await connect(sql);
    return { ...inBoth((tx) => lockExistingScope(tx, seeded.app.appId, scope)), expected: { result: scopeId } };
  },
  'of a scope, by its id': async (sql) => {
    const { scopeId } = await connect(sql);
    return inBoth((tx) => lockScopeById(tx, scopeId));
  },
  'of a principal, by a disconnect': async (sql) => {
    const principalMac = randomBytes(32);
    const { connectionId } = await connect(sql, { principalMac });
    return {
      first: (tx) => lockPrincipalWithin(tx, connectionId, 60_000),
      second: (tx) => lockPrincipal(tx, principalMac),
    };
  },
  'of a connection, by its id': connectionLock((tx, { connectionId }) => lockConnectionById(tx, connectionId)),
  'of a connection, by its scope': connectionLock((tx, one) => lockConnection(tx, one.scopeId, one.connectionId)),
  'of a connection, by its account': async (sql) => {
    const providerAccountId = randomUUID();
    const { scopeId, holdIt } = await connect(sql, { providerAccountId });
    const attempt = { scopeId, provider: 'PROVIDER_B' } as Attempt;
    return { first: holdIt, second: (tx) => lockConnectionByAccount(tx, attempt, { providerAccountId } as Grant) };
  },
  'of a connection, as a sibling': async (sql) => {
    const { seeded, scope, scopeId, holdIt } = await connect(sql);
    const connectionId = await seedConnection(sql, seeded, { scope });
    const sibling = { connectionId, scopeId, provider: 'PROVIDER_B' } as Connection;
    return { first: holdIt, second: (tx) => lockConnectionWithSiblings(tx, sibling, []) };
  },
  'of a purge, by a deletion request for the same account': async (sql) => {
    const { seeded, connectionId } = await connect(sql);
    const [mac, code] = [randomBytes(32), randomBytes(16).toString('hex')];
    await sql`update account_grant set account_macs = array[${mac}]::bytea[] where connection_id = ${connectionId}`;
    const registrationId = seeded.registrations.PROVIDER_B;
    const named = { registrationId, accountMacs: [mac], happenedAt: await businessNow(sql) };
    await inTransaction(sql, (tx) => insertDeletionRequest(tx, [code]));
    const purge = async (tx: Transaction) => {
      await tx`delete from account_grant where connection_id = ${connectionId}`;
      await tx`delete from connection where connection_id = ${connectionId}`;
    };
    const second = (tx: Transaction) => insertDeletionRequestConnections(tx, code, named, newId<CorrelationId>());
    return { first: purge, second, expected: { result: 0 } };
  },
  'of a job’s step: its connection first': async (sql) => {
    const { seeded, connectionId, holdIt } = await connect(sql);
    const jobId = await insertJob(sql, seeded, { kind: 'LOOKUP', connectionId, status: 'RUNNING' });
    const job = (await findReadJob(sql, jobId)) as ReadJob;
    return {
      first: holdIt,
      second: () =>
        storeForJob(
          asWorker(sql),
          job,
          async () => {},
          async () => {},
        ),
      meanwhile: (tx) => tx`select from read_job where job_id = ${jobId} for update nowait`,
    };
  },
  'of a grant that ends: its connection first': async (sql) => {
    const { connectionId, holdIt } = await connect(sql);
    const [grant] = await sql`select grant_id from account_grant where connection_id = ${connectionId}`;
    return {
      first: holdIt,
      second: (tx) => moveGrantToDead(tx, grant?.grantId),
      meanwhile: (tx) => tx`select from account_grant where grant_id = ${grant?.grantId} for update nowait`,
    };
  },
  'of a retry of a revoke: the end of its kept tokens': async (sql) => {
    const kept = { status: 'FAILED', errorCode: 'INTERNAL', finishedAt: new Date(), sealedTokens: 'sealed' };
    const jobId = await insertJob(sql, await seedApp(sql), { grantId: newId<GrantId>(), ...kept });
    return {
      first: (tx) => discardKeptTokens(tx, jobId),
      second: (tx) => requeueRevokes(tx, [jobId]),
      expected: { held: true, result: new Map() },
    };
  },
  'of a connection written twice, with a new or known scope': writeTwice((tx, { seeded, scope }) =>
    lockScope(tx, seeded.app.appId, scope),
  ),
  'of a connection written twice, with a known scope': writeTwice((tx, { seeded, scope }) =>
    lockExistingScope(tx, seeded.app.appId, scope),
  ),
  'of a connection written twice, with a scope by its id': writeTwice((tx, { scopeId }) => lockScopeById(tx, scopeId)),
  'of a connection written twice, by one that resumes it': writeTwice((tx, { connectionId }) =>
    resumeSibling(tx, connectionId, async () => []),
  ),
  'of one that resumes a connection: its scope': resume('scope'),
  'of one that resumes a connection: its grant': resume('account_grant'),
};

test.for(Object.entries(PAIRS))(
  'the second waits for the first, and sees its changes: %s',
  async ([, open], { sql }) => {
    const { first, second, expected = {}, meanwhile } = await open(sql);
    const found = await beside(sql, first, () => inTransaction(sql, second), meanwhile);
    expect(found).toMatchObject({ waited: true, ...expected });
  },
);

/** A first transaction, a round that does not wait for it, and what the round takes all the same. */
interface Passing {
  readonly first: (tx: Transaction) => Promise<unknown>;
  readonly round: (tx: Transaction) => Promise<unknown>;
  readonly taken: unknown;
}
/** Two connections that are due, of which another transaction holds the first. */
const twoDue =
  (
    set: (tx: Transaction, ids: readonly ConnectionId[]) => Promise<unknown>,
    round: (tx: Transaction, ids: readonly ConnectionId[]) => Promise<unknown>,
    taken: (second: ConnectionId) => unknown = (connectionId) => [expect.objectContaining({ connectionId })],
  ) =>
  async (sql: Database): Promise<Passing> => {
    const seeded = await seedApp(sql);
    const connect = () => seedConnection(sql, seeded, { scope: seeded.newScope() });
    const [first, second] = [await connect(), await connect()].sort() as [ConnectionId, ConnectionId];
    await inTransaction(sql, (tx) => set(tx, [first, second]));
    return {
      first: hold('connection', 'connection_id', first),
      round: (tx) => round(tx, [first, second]),
      taken: taken(second),
    };
  };
const dueOf = (ids: readonly ConnectionId[]) => ids.map((id) => ({ id, dueAt: new Date(0) }));

const PASSINGS: Readonly<Record<string, (sql: Database) => Promise<Passing>>> = {
  upkeep: twoDue(
    (tx, ids) =>
      tx`update connection set upkeep_due_at = business_now() where connection_id = any(${[...ids]}::uuid[])`,
    (tx, ids) => takeDueUpkeep(tx, dueOf(ids)),
  ),
  'automatic refreshes': twoDue(
    async (tx, ids) => {
      await tx`update connection set refresh_due_at = business_now() where connection_id = any(${[...ids]}::uuid[])`;
      await tx`
        update app_policy set refresh_minutes = 1440
        where app_id = (select app_id from connection where connection_id = ${ids[0] ?? ''})
      `;
    },
    (tx, ids) => takeDueRefreshes(tx, dueOf(ids)),
  ),
  deliveries: async (sql) => {
    const endpointId = await seedEndpoint(sql, (await seedApp(sql)).app.appId);
    const send = async () => String(await inTransaction(sql, (tx) => insertTestEvent(tx, endpointId)));
    const made = [await send(), await send()];
    const [held, free] = made.toSorted() as [string, string];
    return {
      first: hold('webhook_delivery', 'delivery_id', held),
      round: (tx) => takeDueDeliveries(tx, endpointId, 9),
      taken: [expect.objectContaining({ deliveryId: free })],
    };
  },
};

test.for(Object.entries(PASSINGS))(
  'a round of %s passes rows that another transaction holds',
  async ([, open], { sql }) => {
    const { first, round, taken } = await open(sql);
    const { waited, result } = await beside(sql, first, () => inTransaction(sql, round));
    expect([waited, result]).toEqual([false, taken]);
  },
);

test('no statement takes a lock that also waits for foreign keys', () => {
  const folder = path.join(import.meta.dirname, '..', '..', 'src');
  const taking = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(
    (name) => name.endsWith('.ts') && /\bfor update\b/.test(readFileSync(path.join(folder, name), 'utf8')),
  );
  expect(taking).toEqual([]);
});
