import type { RootField } from '../../kit/graphql.ts';
import type { Facts } from '../facts.ts';
import type { World } from '../world.ts';
import { always, hasAttempt, hasConnection, hasSignIn, type Operation } from './operation.ts';

/** Sends a caller's request. Its app is checked first, as on every request. @returns the answer, or the code of a refusal */
async function ask(world: World, facts: Facts, field: RootField, variables: object): Promise<unknown> {
  const { app } = facts.app;
  const [row] = await world.apiDeps.sql`select enabled from app where app_id = ${app.appId}`;
  if (!row?.enabled) return 'FORBIDDEN';
  return await world.refusalIsAnswer(world.callerFor(app)(field, variables));
}

const caller = (
  what: string,
  field: RootField,
  variables: (facts: Facts) => object,
  fits: Operation['fits'] = always,
): Operation => ({
  name: `caller: ${what}`,
  fits,
  isTwice: true,
  run: (world, facts) => ask(world, facts, field, variables(facts)),
});

const newSession = ({ app, scope, provider, connectionId }: Facts, reconnects: boolean) => ({
  input: {
    scope,
    provider,
    capabilities: ['PROFILE'],
    returnUrl: app.returnUrl,
    reconnectConnectionId: reconnects ? connectionId : null,
  },
});
const ofConnection = ({ scope, connectionId }: Facts) => ({ scope, connectionId });
const hasPost = ({ post }: Facts) => post !== undefined;
const window = { publishedAfter: '2026-09-20T00:00:00Z', publishedBefore: '2026-11-20T00:00:00Z' };

export const CALLERS: readonly Operation[] = [
  caller('createConnectSession', 'createConnectSession', (facts) => newSession(facts, false)),
  caller(
    'createConnectSession to reconnect',
    'createConnectSession',
    (facts) => newSession(facts, true),
    hasConnection,
  ),
  caller(
    'createIdpIdentitySession',
    'createIdpIdentitySession',
    ({ app }) => ({
      input: { tenantKey: app.tenantKey, returnUrl: app.identityReturnUrl },
    }),
    (facts) => facts.hasIdentity === true,
  ),
  caller(
    'connectSessionResult',
    'connectSessionResult',
    ({ scope, attempts }) => ({ scope, id: attempts[0]?.session.id }),
    hasAttempt,
  ),
  caller(
    'redeemIdpIdentityResult',
    'redeemIdpIdentityResult',
    ({ signIn, app }) => ({
      id: signIn?.session.id,
      tenantKey: app.tenantKey,
      resultProof: signIn?.session.resultProof,
    }),
    hasSignIn,
  ),
  caller('integrationReadiness', 'integrationReadiness', () => ({})),
  caller('connection', 'connection', ({ scope, connectionId }) => ({ scope, id: connectionId }), hasConnection),
  caller('connections', 'connections', ({ scope }) => ({ scope }), hasConnection),
  caller('content', 'content', (facts) => ({ ...ofConnection(facts), window: { ...window, first: 50 } }), hasPost),
  caller(
    'contentItem',
    'contentItem',
    (facts) => ({ ...ofConnection(facts), providerContentId: facts.post?.id }),
    hasPost,
  ),
  caller(
    'syncJob',
    'syncJob',
    (facts) => ({ ...ofConnection(facts), id: facts.jobId }),
    ({ jobId }) => jobId !== undefined,
  ),
  caller('requestRefresh', 'requestRefresh', ofConnection, hasConnection),
  caller('requestRefresh of a window', 'requestRefresh', (facts) => ({ ...ofConnection(facts), window }), hasPost),
  caller(
    'requestRefresh of a post',
    'requestRefresh',
    (facts) => ({ ...ofConnection(facts), providerContentId: facts.post?.id }),
    hasPost,
  ),
  caller(
    'requestContentLookup',
    'requestContentLookup',
    (facts) => ({ ...ofConnection(facts), url: facts.post?.url }),
    hasPost,
  ),
  caller('disconnectConnection', 'disconnectConnection', ofConnection, hasConnection),
  {
    name: 'caller: disconnectConnection of the other connection',
    fits: ({ other }) => other !== undefined,
    run: async (world, { other }) =>
      other &&
      (await world.refusalIsAnswer(
        world.callerFor(other.app.app)('disconnectConnection', {
          scope: other.scope,
          connectionId: other.connectionId,
        }),
      )),
  },
];
