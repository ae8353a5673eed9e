import { describe, expect } from 'vitest';
import type { ConnectionStatus } from '../../src/basics/codes.ts';
import type { ConnectionId } from '../../src/basics/ids.ts';
import { deleteTenant } from '../../src/store/apps/tenants.ts';
import { deleteRegistrationApp } from '../../src/store/registrations/known-registrations.ts';
import { type Caller, conformanceTest, outcomeOf } from '../kit/conformance.ts';
import type { RootField } from '../kit/graphql.ts';
import type { Database } from '../kit/postgres.ts';
import {
  moveConnection,
  type SeededApp,
  seedConnection,
  seedContent,
  updatePaused,
  updatePolicy,
} from '../kit/seed.ts';

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

/** The changes since the connection was created. */
const CAUSES = {
  nothing: [],
  tenant: [(sql, { app, tenantKey }) => deleteTenant(sql, app.appId, tenantKey)],
  provider: [(sql, { app }) => updatePolicy(sql, app.appId, 'PROVIDER_B', { capabilities: [] })],
  capability: [
    (sql, { app }) =>
      updatePolicy(sql, app.appId, 'PROVIDER_B', { capabilities: ['PROFILE', 'CONTENT_LIST', 'CONTENT_LOOKUP'] }),
  ],
  unserved: [(sql, { app, registrations }) => deleteRegistrationApp(sql, registrations.PROVIDER_B, app.appId)],
  withdrawn: [
    (sql, _seeded, id) => sql`
      update connection set capabilities = '[
        { "capability": "PROFILE", "availability": "AVAILABLE", "reason": null },
        { "capability": "CONTENT_LIST", "availability": "NOT_GRANTED", "reason": "PERMISSION_WITHDRAWN" },
        { "capability": "CONTENT_METRICS", "availability": "UNAVAILABLE", "reason": "X" }
      ]' where connection_id = ${id}
    `,
  ],
  paused: [(sql, { registrations }) => updatePaused(sql, registrations.PROVIDER_B, true)],
  expired: [
    (sql, _seeded, id) => sql`update account_grant set refresh_expires_at = business_now() where connection_id = ${id}`,
  ],
} satisfies Record<string, ((sql: Database, seeded: SeededApp, id: ConnectionId) => Promise<unknown>)[]>;
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

/** Creates a connection with a post and a job, and applies the status and the changes. @returns each use's outcome. */
async function bring(sql: Database, client: Caller, status: ConnectionStatus, causes: readonly Cause[]) {
  const { scope, seeded } = client;
  const connectionId = await seedConnection(sql, seeded, { scope });
  await seedContent(sql, connectionId, { providerContentId: 'post', publishedAt: new Date() });
  const { id: jobId } = await client.ask('requestRefresh', { connectionId, window: WINDOW });
  if (status === 'DISCONNECTED' || status === 'DELETING') await client.ask('disconnectConnection', { connectionId });
  await moveConnection(sql, connectionId, status); // False if it is there.
  for (const cause of causes) for (const change of CAUSES[cause]) await change(sql, seeded, connectionId);
  return async (field: RootField, variables: object): Promise<string> => {
    if (field === 'createConnectSession')
      return await outcomeOf(client.createSession({ reconnectConnectionId: connectionId }));
    const id = field === 'syncJob' ? jobId : connectionId;
    return await client.outcome(field, { connectionId, id, ...variables });
  };
}

describe('the uses of a connection', () => {
  for (const [status, rows] of Object.entries(MATRIX) as [ConnectionStatus, (typeof MATRIX)['CONNECTED']][]) {
    test(`D reads by status + D order of checks: each use of a ${status} connection after each change`, async ({
      api,
    }) => {
      for (const [causes, codes] of rows) {
        const use = await bring(api.sql, await api.newCaller(), status, causes);
        const outcomes: [string, string][] = [];
        for (const [name, field, variables] of OPERATIONS) outcomes.push([name, await use(field, variables)]);
        const letters = codes.replaceAll(' ', '').split('');
        const expected = OPERATIONS.map(([name], index) => [name, CODES[letters[index] ?? '']]);
        expect(outcomes, causes.join()).toEqual(expected);
      }
    });
  }
});
