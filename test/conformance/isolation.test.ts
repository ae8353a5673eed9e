import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import { type Caller, conformanceTest, hex } from '../kit/conformance.ts';
import { DOCUMENTS, type RootField } from '../kit/graphql.ts';
import type { Database } from '../kit/postgres.ts';
import { insertTenant, seedConnection, seedContent } from '../kit/seed.ts';

const test = conformanceTest();
const WINDOW = { publishedAfter: '2030-01-01T00:00:00Z', publishedBefore: '2030-01-08T00:00:00Z' };

/** Ids that a request can name. */
interface Named {
  readonly connectionId: string;
  readonly jobId: string;
  readonly attemptId: string;
  readonly signInId: string;
  readonly resultProof: string;
}

/** Every operation that needs a key, as a request about these ids. */
const REQUESTS: Readonly<Record<Exclude<RootField, 'status'>, (of: Named, caller: Caller) => object>> = {
  integrationReadiness: () => ({}),
  connectSessionResult: ({ attemptId: id }) => ({ id }),
  connection: ({ connectionId: id }) => ({ id }),
  connections: () => ({}),
  content: ({ connectionId }) => ({ connectionId, window: { ...WINDOW, first: 1 } }),
  contentItem: ({ connectionId }) => ({ connectionId, providerContentId: 'post' }),
  syncJob: ({ connectionId, jobId: id }) => ({ connectionId, id }),
  createConnectSession: ({ connectionId: reconnectConnectionId }, { scope, seeded: { returnUrl } }) => ({
    input: { scope, provider: 'PROVIDER_B', capabilities: ['PROFILE'], returnUrl, reconnectConnectionId },
  }),
  createIdpIdentitySession: (_of, { scope: { tenantKey }, seeded: { identityReturnUrl: returnUrl } }) => ({
    input: { tenantKey, returnUrl },
  }),
  redeemIdpIdentityResult: ({ signInId: id, resultProof }, { scope: { tenantKey } }) => ({
    id,
    tenantKey,
    resultProof,
  }),
  requestRefresh: ({ connectionId }) => ({ connectionId, window: WINDOW }),
  requestContentLookup: ({ connectionId }) => ({ connectionId, url: 'https://www.tiktok.com/@a/video/1' }),
  // The last: it ends the objects that the others read.
  disconnectConnection: ({ connectionId }) => ({ connectionId }),
};

const CONDITIONS = [
  'own',
  'missing',
  'other app',
  'other tenant',
  'other subject',
  'other connection',
  'erased',
] as const;
type Condition = (typeof CONDITIONS)[number];

const [OK, NONE] = ['answered', 'NOT_FOUND'];
/** By hand from the specification, in the order of `CONDITIONS`. Null: the operation names no such thing. */
const EXPECTED: Readonly<Record<Exclude<RootField, 'status'>, readonly (string | null | undefined)[]>> = {
  integrationReadiness: [OK, null, null, null, null, null, null],
  connectSessionResult: [OK, NONE, NONE, NONE, NONE, null, null],
  connection: [OK, NONE, NONE, NONE, NONE, null, NONE],
  connections: [OK, null, OK, OK, OK, null, null],
  content: [OK, NONE, NONE, NONE, NONE, null, NONE],
  contentItem: [OK, NONE, NONE, NONE, NONE, null, NONE],
  syncJob: [OK, NONE, NONE, NONE, NONE, NONE, NONE],
  createConnectSession: [OK, NONE, NONE, NONE, NONE, null, NONE],
  createIdpIdentitySession: [OK, null, null, null, null, null, null],
  redeemIdpIdentityResult: [OK, NONE, NONE, NONE, null, null, null],
  disconnectConnection: [OK, NONE, NONE, NONE, NONE, null, NONE],
  requestRefresh: [OK, NONE, NONE, NONE, NONE, null, NONE],
  requestContentLookup: [OK, NONE, NONE, NONE, NONE, null, NONE],
};
const FIELDS = Object.keys(REQUESTS) as (keyof typeof REQUESTS)[];

async function own(sql: Database, caller: Caller): Promise<Named> {
  const connectionId = await seedConnection(sql, caller.seeded, { scope: caller.scope });
  await seedContent(sql, connectionId, { providerContentId: 'post', publishedAt: new Date() });
  const { id: jobId } = await caller.ask('requestRefresh', { connectionId, window: WINDOW });
  const { id: attemptId } = await caller.createSession();
  const { id: signInId, resultProof } = await caller.createSignIn();
  return { connectionId, jobId, attemptId, signInId, resultProof };
}

async function ownErased(sql: Database, caller: Caller): Promise<Named> {
  const named = await own(sql, caller);
  await caller.ask('disconnectConnection', { connectionId: named.connectionId });
  await sql`delete from connection where connection_id = ${named.connectionId}`;
  return named;
}

/** The table with the name of each column, for the message of a failure. */
const byCondition = (table: Readonly<Record<string, readonly (string | null | undefined)[]>>) =>
  Object.fromEntries(
    Object.entries(table).map(([field, codes]) => [
      field,
      Object.fromEntries(CONDITIONS.map((condition, column) => [condition, codes[column]])),
    ]),
  );

/** The whole answer, but for its correlation id and the time. */
async function answer(caller: Caller, field: RootField, variables: object) {
  const all = { scope: caller.scope, ...variables };
  const reply = await caller.send(DOCUMENTS[field], all);
  const [error] = reply.body.errors ?? [];
  const { correlationId } = error?.extensions ?? {};
  const headers = [...reply.headers].filter(([name]) => !['date', 'x-correlation-id', 'content-length'].includes(name));
  return {
    code: (error?.extensions.code as string | undefined) ?? 'answered',
    text: JSON.stringify([reply.status, headers, reply.text.replaceAll(correlationId ?? '-', '')]),
  };
}

test('5 authentication 3 + 5 authentication 7 + 4 query rule 1 + 4 query rule 2 + 7 code NOT_FOUND + D missing looks foreign: each operation on an object of another scope, and on a missing one', async ({
  api,
  client,
  sql,
}) => {
  const { app } = client.seeded;
  const tenantKey = `tenant-${randomUUID()}`;
  await insertTenant(sql, app.appId, tenantKey);
  const stranger = await api.newCaller();
  await insertTenant(sql, stranger.seeded.app.appId, client.scope.tenantKey);

  const [mine, others] = [await own(sql, client), await own(sql, client.for())];
  const erased = await ownErased(sql, client);
  const other = await own(sql, client);
  const nothing: Named = {
    connectionId: randomUUID(),
    jobId: randomUUID(),
    attemptId: randomUUID(),
    signInId: randomUUID(),
    resultProof: hex(64),
  };
  type Asking = readonly [caller: Caller, about: Named];
  const asking: Readonly<Record<Condition, Asking>> = {
    missing: [client, nothing],
    'other app': [stranger.for(client.scope), mine],
    'other tenant': [client.for({ ...client.scope, tenantKey }), mine],
    'other subject': [client, others],
    'other connection': [client, { ...mine, connectionId: other.connectionId }],
    erased: [client, { ...nothing, connectionId: erased.connectionId, jobId: erased.jobId }],
    own: [client, mine], // The last, for the same reason as `disconnectConnection` above.
  };
  const codes: Record<string, (string | null)[]> = {};
  for (const field of FIELDS) codes[field] = CONDITIONS.map(() => null);
  for (const [condition, [caller, about]] of Object.entries(asking)) {
    const column = CONDITIONS.indexOf(condition as Condition);
    for (const field of FIELDS) {
      if (EXPECTED[field][column] === null) continue;
      const given = await answer(caller, field, REQUESTS[field](about, caller));
      (codes[field] as (string | null)[])[column] = given.code;
      if (given.code !== 'NOT_FOUND' || condition === 'missing') continue;
      const missing = await answer(caller, field, REQUESTS[field](nothing, caller));
      expect(given.text, `${field}, ${condition}: not the answer of a missing one`).toBe(missing.text);
    }
  }
  // A read of the whole list shows only the own connections.
  const listed = await stranger.for(client.scope).ask('connections');
  expect(listed.items).toEqual([]);
  expect(byCondition(codes), `asked as app ${app.appId}`).toEqual(byCondition(EXPECTED));
});
