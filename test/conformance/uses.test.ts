import { describe, expect } from 'vitest';
import type { ConnectionStatus } from '../../src/basics/codes.ts';
import type { ConnectionId } from '../../src/basics/ids.ts';
import { DAY_MS } from '../kit/clock.ts';
import { type Caller, conformanceTest, outcomeOf, type ServedApi } from '../kit/conformance.ts';
import { askAdmin, type RootField } from '../kit/graphql.ts';
import type { Database } from '../kit/postgres.ts';
import { insertAdminToken, moveConnection, type SeededApp, seedConnection, seedContent } from '../kit/seed.ts';

const test = conformanceTest();

const WINDOW = { publishedAfter: '2030-01-01T00:00:00Z', publishedBefore: '2030-01-08T00:00:00Z' };

/** The operations on a connection, in the columns of the tables below. The disconnect runs last. */
const OPERATIONS = [
  ['connection', 'connection', {}],
  ['connections', 'connections', {}],
  ['content', 'content', { window: { ...WINDOW, first: 1 } }],
  ['contentItem', 'contentItem', { providerContentId: 'post' }],
  ['scan', 'requestRefresh', { window: WINDOW }],
  ['metrics', 'requestRefresh', { providerContentId: 'post' }],
  ['lookup', 'requestContentLookup', { url: 'https://platform.example/post' }],
  ['syncJob', 'syncJob', {}],
  ['reconnect', 'createConnectSession', {}],
  ['disconnect', 'disconnectConnection', {}],
] as const satisfies readonly (readonly [string, RootField, object])[];

const setPolicy = ({ app }: SeededApp, capabilities: string) =>
  `setPolicy(appId: "${app.appId}", provider: PROVIDER_B, capabilities: [${capabilities}])`;
const idsOf = ({ app, registrations }: SeededApp) =>
  `registrationId: "${registrations.PROVIDER_B}", appId: "${app.appId}"`;

type Operate = (mutation: string) => Promise<unknown>;
type Change = (operate: Operate, seeded: SeededApp, sql: Database, id: ConnectionId) => PromiseLike<unknown>;

/** The changes since the connection was created: by an operator, or by the platform. */
const CAUSES = {
  nothing: async () => {},
  tenant: (operate, { app, tenantKey }) =>
    operate(`removeTenant(appId: "${app.appId}", tenantKey: "${tenantKey}", connections: KEEP)`),
  provider: (operate, seeded) => operate(setPolicy(seeded, '')),
  capability: (operate, seeded) => operate(setPolicy(seeded, 'PROFILE, CONTENT_LIST, CONTENT_LOOKUP')),
  unserved: (operate, seeded) => operate(`stopServingApp(${idsOf(seeded)})`),
  withdrawn: (_operate, _seeded, sql, id) => sql`
    update connection set capabilities = '[
      { "capability": "PROFILE", "availability": "AVAILABLE", "reason": null },
      { "capability": "CONTENT_LIST", "availability": "NOT_GRANTED", "reason": "PERMISSION_WITHDRAWN" },
      { "capability": "CONTENT_METRICS", "availability": "UNAVAILABLE", "reason": "X" }
    ]' where connection_id = ${id}
  `,
  paused: (operate, { registrations }) => operate(`pauseRegistration(id: "${registrations.PROVIDER_B}")`),
  expired: (_operate, _seeded, sql, id) =>
    sql`update account_grant set refresh_expires_at = business_now() where connection_id = ${id}`,
} satisfies Record<string, Change>;
type Cause = keyof typeof CAUSES;

/** One letter per code. A row lists them in the order of the operations. */
const CODES: Readonly<Record<string, string>> = {
  '.': 'answered',
  F: 'FORBIDDEN',
  N: 'NOT_FOUND',
  C: 'CAPABILITY_UNAVAILABLE',
  A: 'AUTHORIZATION_SUSPENDED',
  R: 'RECONNECT_REQUIRED',
  D: 'DISCONNECT_IN_PROGRESS',
};

/**
 * Written by hand from the specification. Columns: connection, connections; content, contentItem, scan, metrics, lookup;
 * syncJob; reconnect; disconnect.
 */
const MATRIX: Readonly<Record<ConnectionStatus, readonly (readonly [readonly Cause[], string])[]>> = {
  CONNECTED: [
    [['nothing'], '.. ..... . . .'],
    [['tenant'], 'FF FFFFF N F F'],
    [['provider'], 'FF FFFFF . F .'],
    [['capability'], 'FF FFFFF . . .'],
    [['unserved'], 'CC CCCCC . F .'],
    [['withdrawn'], '.. CCCCC . . .'],
    [['paused'], 'AA AAAAA . F .'],
    [['expired'], 'RR RRRRR . . .'],
    // Of several causes, the answer names the first in the order of the contract.
    [['tenant', 'unserved', 'withdrawn', 'paused', 'expired'], 'FF FFFFF N F F'],
    [['provider', 'unserved', 'withdrawn', 'paused', 'expired'], 'FF FFFFF . F .'],
    [['capability', 'unserved', 'withdrawn', 'paused', 'expired'], 'FF FFFFF . F .'],
    [['unserved', 'withdrawn', 'paused', 'expired'], 'CC CCCCC . F .'],
    [['withdrawn', 'paused', 'expired'], 'AA CCCCC . F .'],
    [['withdrawn', 'expired'], 'RR CCCCC . . .'],
    [['paused', 'expired'], 'AA AAAAA . F .'],
  ],
  SUSPENDED: [
    [['nothing'], '.. AAAAA . . .'],
    [['tenant'], 'FF FFFFF N F F'],
    [['provider'], '.. AAAAA . F .'],
    [['capability'], '.. AAAAA . . .'],
    [['unserved'], '.. AAAAA . F .'],
    [['withdrawn'], '.. AAAAA . . .'],
    [['paused'], '.. AAAAA . F .'],
    [['expired'], '.. AAAAA . . .'],
  ],
  RECONNECT_REQUIRED: [
    [['nothing'], '.. RRRRR . . .'],
    [['tenant'], 'FF FFFFF N F F'],
    [['provider'], '.. RRRRR . F .'],
    [['capability'], '.. RRRRR . . .'],
    [['unserved'], '.. RRRRR . F .'],
    [['withdrawn'], '.. RRRRR . . .'],
    [['paused'], '.. RRRRR . F .'],
    [['expired'], '.. RRRRR . . .'],
  ],
  DISCONNECTED: [
    [['nothing'], '.. DDDDD . D .'],
    [['tenant'], 'FF FFFFF N F F'],
    [['provider'], '.. DDDDD . F .'],
    [['capability'], '.. DDDDD . D .'],
    [['unserved'], '.. DDDDD . F .'],
    [['withdrawn'], '.. DDDDD . D .'],
    [['paused'], '.. DDDDD . F .'],
    [['expired'], '.. DDDDD . D .'],
  ],
  DELETING: [
    [['nothing'], '.. DDDDD . D .'],
    [['tenant'], 'FF FFFFF N F F'],
    [['provider'], '.. DDDDD . F .'],
    [['paused'], '.. DDDDD . F .'],
    [['expired'], '.. DDDDD . D .'],
  ],
};

/** Sends mutations as an ADMIN. */
async function openAdmin({ sql, url }: ServedApi): Promise<Operate> {
  const expiresAt = new Date(Date.now() + DAY_MS);
  const { token } = await insertAdminToken(sql, { label: 'tests', role: 'ADMIN', expiresAt });
  return (mutation) => askAdmin(url, token, `mutation { ${mutation} { __typename } }`);
}

/** Creates a connection with a post and a job, and applies the status and the changes. @returns each use's outcome. */
async function bring(api: ServedApi, operate: Operate, status: ConnectionStatus, causes: readonly Cause[]) {
  const { sql } = api;
  const client: Caller = await api.newCaller();
  const { scope, seeded } = client;
  const connectionId = await seedConnection(sql, seeded, { scope });
  await seedContent(sql, connectionId, { providerContentId: 'post', publishedAt: new Date() });
  const { id: jobId } = await client.ask('requestRefresh', { connectionId, window: WINDOW });
  if (status === 'DISCONNECTED' || status === 'DELETING') await client.ask('disconnectConnection', { connectionId });
  await moveConnection(sql, connectionId, status); // False if it is there.
  for (const cause of causes) {
    const change: Change = CAUSES[cause];
    await change(operate, seeded, sql, connectionId);
  }
  return async (field: RootField, variables: object): Promise<string> => {
    if (field === 'createConnectSession')
      return await outcomeOf(client.createSession({ reconnectConnectionId: connectionId }));
    const id = field === 'syncJob' ? jobId : connectionId;
    return await client.outcome(field, { connectionId, id, ...variables });
  };
}

/** The rules that the rows of CONNECTED show, besides those of all. */
const CHECKED =
  '3 connection policy changed + 3 connection registration withdrawn + 3 connection paused + 3 connection grant ended + ' +
  '7 code FORBIDDEN + 7 code CAPABILITY_UNAVAILABLE + 7 code AUTHORIZATION_SUSPENDED + 7 code RECONNECT_REQUIRED';

describe('the uses of a connection', () => {
  for (const [status, rows] of Object.entries(MATRIX) as [ConnectionStatus, (typeof MATRIX)['CONNECTED']][]) {
    const rules = status === 'CONNECTED' ? CHECKED : '3 connection not connected';
    test(`${rules} + D reads by status + D order of checks: each use of a ${status} connection after each change`, async ({
      api,
    }) => {
      const operate = await openAdmin(api);
      for (const [causes, codes] of rows) {
        const use = await bring(api, operate, status, causes);
        const outcomes: [string, string][] = [];
        for (const [name, field, variables] of OPERATIONS) outcomes.push([name, await use(field, variables)]);
        const letters = codes.replaceAll(' ', '').split('');
        const expected = OPERATIONS.map(([name], index) => [name, CODES[letters[index] ?? '']]);
        expect(outcomes, causes.join()).toEqual(expected);
      }
    });
  }

  test('D pause: a pause leaves connections CONNECTED, and then all works as before', async ({ api, client }) => {
    const operate = await openAdmin(api);
    const id = await seedConnection(api.sql, client.seeded, { scope: client.scope });
    const before = await client.ask('connection', { id });
    expect(before.status).toBe('CONNECTED');
    await CAUSES.paused(operate, client.seeded);
    expect(await client.outcome('connection', { id })).toBe('AUTHORIZATION_SUSPENDED');
    await operate(`resumeRegistration(id: "${client.seeded.registrations.PROVIDER_B}")`);
    expect(await client.ask('connection', { id })).toEqual(before);
  });
});
