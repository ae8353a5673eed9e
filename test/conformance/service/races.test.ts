import { describe, expect, test as plainTest } from 'vitest';
import { type Caller, DAY, iso, outcomeOf, tally } from '../../kit/conformance.ts';
import { issueKey, revokeKey, seedConnection, seedContent, setEnabled } from '../../kit/seed.ts';
import { type ApiProcesses, startApis } from '../processes.ts';
import { completeSignIn } from '../rows.ts';

/** Two api processes over one database: each guarantee holds across both. */
const test = plainTest.extend<{ $file: { apis: ApiProcesses }; $test: { client: Caller } }>({
  apis: [
    async ({}, use) => {
      const apis = await startApis(2);
      await use(apis);
      await apis.stop();
    },
    { scope: 'file' },
  ],
  client: async ({ apis }, use) => await use(await apis.newCaller()),
});

/** Sends `count` requests at once, alternating between the processes. */
const atOnce = <T>(count: number, call: (api: 0 | 1, n: number) => Promise<T>): Promise<T>[] =>
  Array.from({ length: count }, (_, n) => call(n % 2 === 0 ? 0 : 1, n));

const started = Date.now();
const windowOf = (daysAgo: number) => ({
  publishedAfter: iso(started - (daysAgo + 1) * DAY),
  publishedBefore: iso(started - daysAgo * DAY),
});
const URL_OF_A_POST = 'https://www.tiktok.com/@harbour/video/7500000000000000001';
const both = [0, 1] as const;

describe('exact caps', () => {
  test('8 unfinished attempts: of 50 parallel requests exactly 5 pass', async ({ client }) => {
    const outcomes = await tally(atOnce(50, (api) => client.createSession({}, { api })));
    expect(outcomes).toEqual({ answered: 5, RATE_LIMITED: 45 });
  });

  test('8 unfinished sign-ins: of 50 parallel requests exactly 20 pass', async ({ client }) => {
    const outcomes = await tally(atOnce(50, (api) => client.createSignIn({}, { api })));
    expect(outcomes).toEqual({ answered: 20, RATE_LIMITED: 30 });
  });

  test('8 jobs in flight: of 50 parallel requests of many connections exactly 20 pass', async ({ client, apis }) => {
    const { sql } = apis;
    const connections = await Promise.all(
      Array.from({ length: 25 }, () => seedConnection(sql, client.seeded, { scope: client.scope })),
    );
    const calls = connections.flatMap((connectionId, n) => [
      client.ask('requestRefresh', { connectionId }, { api: n % 2 }),
      client.ask('requestContentLookup', { connectionId, url: URL_OF_A_POST }, { api: (n + 1) % 2 }),
    ]);
    expect(await tally(calls)).toEqual({ answered: 20, RATE_LIMITED: 30 });
    const open = await sql`select from read_job where app_id = ${client.seeded.app.appId}`;
    expect(open).toHaveLength(20);
  });
});

describe('parallel requests', () => {
  test.for([
    ['4 requestRefresh in flight', 'window', 'requestRefresh', { window: windowOf(1) }],
    ['4 requestRefresh in flight', 'post', 'requestRefresh', { providerContentId: 'post' }],
    ['D same lookup', 'URL', 'requestContentLookup', { url: URL_OF_A_POST }],
  ] as const)('%s: 50 parallel requests of one %s are one job', async ([, , field, asked], { client, apis }) => {
    const connectionId = await seedConnection(apis.sql, client.seeded, { scope: client.scope });
    await seedContent(apis.sql, connectionId, { providerContentId: 'post', publishedAt: new Date() });
    const jobs = await Promise.all(atOnce(50, (api) => client.ask(field, { connectionId, ...asked }, { api })));
    expect(new Set(jobs.map(({ id }) => id)).size).toBe(1);
    expect(await apis.sql`select from read_job where connection_id = ${connectionId}`).toHaveLength(1);
  });

  test('4 requestRefresh busy: of 20 parallel windows one wins; the others are BUSY', async ({ client, apis }) => {
    const connectionId = await seedConnection(apis.sql, client.seeded, { scope: client.scope });
    const outcomes = await tally(
      atOnce(20, (api, n) => client.ask('requestRefresh', { connectionId, window: windowOf(n) }, { api })),
    );
    expect(outcomes).toEqual({ answered: 1, SYNC_WINDOW_BUSY: 19 });
  });

  test('8 launch token: of 20 parallel posts of a token one is accepted', async ({ client }) => {
    const { launchToken, id } = await client.createSession();
    const launches = await Promise.all(atOnce(20, (api) => client.launch('connect', launchToken, api)));
    expect(launches.map(({ status }) => status).sort()).toEqual([200, ...Array(19).fill(409)]);
    expect(await client.ask('connectSessionResult', { id })).toMatchObject({ status: 'AUTHORIZING' });
  });

  test('4 redeemIdpIdentityResult: of 20 parallel redeems one gets the claims', async ({ client, apis }) => {
    const { id, resultProof } = await client.createSignIn();
    await completeSignIn(apis, id);
    const redeems = atOnce(20, (api) =>
      client.ask('redeemIdpIdentityResult', { ...client.scope, id, resultProof }, { api }),
    );
    expect(await tally(redeems)).toEqual({ answered: 1, NOT_FOUND: 19 });
  });
});

describe('a disconnect', () => {
  test('4 disconnectConnection again: 20 parallel disconnects return the same two jobs', async ({ client, apis }) => {
    const connectionId = await seedConnection(apis.sql, client.seeded, { scope: client.scope });
    const results = await Promise.all(
      atOnce(20, (api) => client.ask('disconnectConnection', { connectionId }, { api })),
    );
    expect(new Set(results.map((result) => JSON.stringify(result))).size).toBe(1);
    expect(await apis.sql`select from disconnect_job where connection_id = ${connectionId}`).toHaveLength(2);
  });

  test('D disconnect cancels: a disconnect leaves no parallel scan or lookup in flight', async ({ client, apis }) => {
    for (let round = 0; round < 5; round += 1) {
      const connectionId = await seedConnection(apis.sql, client.seeded, { scope: client.scope });
      const calls = both.flatMap((api) => [
        client.ask('requestRefresh', { connectionId }, { api }),
        client.ask('disconnectConnection', { connectionId }, { api }),
        client.ask('requestContentLookup', { connectionId, url: URL_OF_A_POST }, { api }),
      ]);
      const { DISCONNECT_IN_PROGRESS: late = 0, answered = 0, ...others } = await tally(calls);
      expect([others, late + answered]).toEqual([{}, 6]);
      const jobs = await apis.sql`select status from read_job where connection_id = ${connectionId}`;
      expect(new Set(jobs.map(({ status }) => status))).not.toContain('QUEUED');
    }
  });

  test('D attempt canceled: a disconnect leaves no parallel attempt to reconnect', async ({ client, apis }) => {
    for (let round = 0; round < 5; round += 1) {
      const owner = client.for();
      const reconnectConnectionId = await seedConnection(apis.sql, client.seeded, { scope: owner.scope });
      const calls = [
        ...atOnce(4, (api) => owner.createSession({ reconnectConnectionId }, { api })),
        owner.ask('disconnectConnection', { connectionId: reconnectConnectionId }),
      ];
      const { DISCONNECT_IN_PROGRESS: late = 0, answered = 0, ...others } = await tally(calls);
      expect([others, late + answered]).toEqual([{}, 5]);
      const left = await apis.sql`
        select from connect_attempt where reconnect_connection_id = ${reconnectConnectionId} and status <> 'CANCELED'
      `;
      expect(left).toHaveLength(0);
    }
  });
});

describe('a change on one process applies to the next request on another', () => {
  const appIdOf = (client: Caller) => client.seeded.app.appId;

  test('D keys at once: a disabled app and a revoked key fail at once, also on a process where they just worked', async ({
    client,
    apis: { sql },
  }) => {
    const outcomes = () => Promise.all(both.map((api) => client.outcome('connections', {}, { api })));
    expect(await outcomes()).toEqual(['answered', 'answered']);
    await setEnabled(sql, appIdOf(client), false);
    expect(await outcomes()).toEqual(['FORBIDDEN', 'FORBIDDEN']);
    await setEnabled(sql, appIdOf(client), true);
    expect(await outcomes()).toEqual(['answered', 'answered']);
    await revokeKey(sql, client.seeded.keyId);
    expect(await outcomes()).toEqual(['UNAUTHENTICATED', 'UNAUTHENTICATED']);
  });

  test('D keys at once: a changed policy applies at once', async ({ client, apis }) => {
    const id = await seedConnection(apis.sql, client.seeded, { scope: client.scope });
    for (const api of both) expect(await client.outcome('connection', { id }, { api })).toBe('answered');
    await apis.sql`update app_policy set capabilities = '{PROFILE}' where app_id = ${appIdOf(client)}`;
    for (const api of both) expect(await client.outcome('connection', { id }, { api })).toBe('FORBIDDEN');
    const more = { capabilities: ['CONTENT_LIST'] };
    for (const api of both) expect(await outcomeOf(client.createSession(more, { api }))).toBe('FORBIDDEN');
  });
});

test('5 authentication 6 + 8 active keys: of 20 parallel requests for a key, an app with one key gets exactly one', async ({
  client,
  apis,
}) => {
  const { appId } = client.seeded.app;
  const issued = await Promise.allSettled(Array.from({ length: 20 }, () => issueKey(apis.sql, appId, null)));
  expect(issued.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  await revokeKey(apis.sql, client.seeded.keyId);
  await expect(issueKey(apis.sql, appId, null)).resolves.toBeDefined();
  await expect(issueKey(apis.sql, appId, null)).rejects.toThrow('two active keys');
});
