import { handleNotification } from '../../src/domain/disconnecting/handle-notification.ts';
import type { ConnectionId, CorrelationId } from '../../src/ids.ts';
import { newId } from '../../src/ids.ts';
import { Refusal } from '../kit/graphql.ts';
import { callBack, type Facts } from './states.ts';
import type { World } from './world.ts';

/** One of the service's own operations, as its process runs it. */
export interface Operation {
  readonly name: string;
  /** Whether it has anything to act on in this state. */
  fits(facts: Facts): boolean;
  run(world: World, facts: Facts): Promise<unknown>;
}

const always = () => true;
const hasConnection = ({ connectionId }: Facts) => connectionId !== undefined;

/** Sends a caller's request. Its key is checked first, as on every request. */
async function ask(world: World, { app }: Facts, field: never, variables: object): Promise<unknown> {
  const [row] = await world.apiDeps.sql`select enabled from app where app_id = ${app.app.appId}`;
  if (!row?.enabled) return 'FORBIDDEN';
  return await refusable(world.callerFor(app.app)(field, variables));
}

const refusable = (answer: Promise<unknown>) =>
  answer.catch((error: unknown) => {
    if (error instanceof Refusal) return error.code;
    throw error;
  });

const caller = (
  name: string,
  field: string,
  variables: (facts: Facts) => object,
  fits: Operation['fits'] = always,
): Operation => ({ name, fits, run: (world, facts) => ask(world, facts, field as never, variables(facts)) });

const newSession = ({ app, scope, provider }: Facts, reconnectConnectionId?: ConnectionId) => ({
  input: { scope, provider, capabilities: ['PROFILE'], returnUrl: app.returnUrl, reconnectConnectionId },
});

const operator = (
  name: string,
  document: string,
  variables: (facts: Facts) => object,
  fits: Operation['fits'] = always,
): Operation => ({
  name: `operator: ${name}`,
  fits,
  run: (world, facts) => refusable(world.operate(document, variables(facts))),
});

/** The worker: takes one workflow's entries out of the outbox, and runs it as far as it gets. */
const works = (name: string, find: (facts: Facts) => string | undefined): Operation => ({
  name: `worker: ${name}`,
  fits: (facts) => find(facts) !== undefined,
  run: async (world, facts) => await world.drive(find(facts)),
});

const attemptWorkflow = (index: number) => (facts: Facts) => {
  const attempt = facts.attempts[index];
  return attempt && `connect/${attempt.session.id}`;
};
const ofKind = (prefix: string, fits: Operation['fits']) => (facts: Facts) =>
  fits(facts) ? `${prefix}%` : undefined;

const sweep = (name: string, activity: Parameters<World['sweep']>[0]): Operation => ({
  name: `sweep: ${name}`,
  fits: hasConnection,
  run: (world) => world.sweep(activity),
});

const appOf = ({ app }: Facts) => ({ a: app.app.appId });
const registrationOf = ({ app, provider }: Facts) => ({ r: app.registrations[provider], a: app.app.appId });

export const OPERATIONS: readonly Operation[] = [
  caller('caller: createConnectSession', 'createConnectSession', (facts) => newSession(facts)),
  caller(
    'caller: createConnectSession to reconnect',
    'createConnectSession',
    (facts) => newSession(facts, facts.connectionId),
    hasConnection,
  ),
  caller(
    'caller: disconnectConnection',
    'disconnectConnection',
    ({ scope, connectionId }) => ({ scope, connectionId }),
    hasConnection,
  ),
  caller(
    'caller: disconnectConnection of the other scope',
    'disconnectConnection',
    ({ other }) => ({ ...other }),
    ({ other }) => other !== undefined,
  ),
  caller(
    'caller: requestRefresh',
    'requestRefresh',
    ({ scope, connectionId }) => ({ scope, connectionId }),
    hasConnection,
  ),
  caller(
    'caller: connectSessionResult',
    'connectSessionResult',
    ({ scope, attempts }) => ({ scope, id: attempts[0]?.session.id }),
    ({ attempts }) => attempts.length > 0,
  ),
  caller(
    'caller: redeemIdpIdentityResult',
    'redeemIdpIdentityResult',
    ({ signIn, app }) => ({
      id: signIn?.session.id,
      tenantKey: app.tenantKey,
      resultProof: signIn?.session.resultProof,
    }),
    ({ signIn }) => signIn !== undefined,
  ),
  {
    name: 'browser: callback',
    fits: ({ attempts }) => attempts.length > 0,
    run: async (world, { attempts }) => await world.refusedIs(callBack(world.connectFlow, attempts[0]?.callback ?? '')),
  },
  {
    name: 'browser: denied callback',
    fits: ({ attempts }) => attempts.length > 0,
    run: async (world, { attempts }) =>
      await world.refusedIs(callBack(world.connectFlow, denied(attempts[0]?.callback ?? ''))),
  },
  {
    name: 'browser: callback of the sign-in',
    fits: ({ signIn }) => signIn !== undefined,
    run: async (world, { signIn }) => await world.refusedIs(callBack(world.identityFlow, signIn?.callback ?? '')),
  },
  {
    name: 'browser: denied callback of the sign-in',
    fits: ({ signIn }) => signIn !== undefined,
    run: async (world, { signIn }) =>
      await world.refusedIs(callBack(world.identityFlow, denied(signIn?.callback ?? ''))),
  },
  works('the attempt', attemptWorkflow(0)),
  works('the newer attempt', attemptWorkflow(1)),
  works(
    'the sign-in',
    ofKind('identity/', ({ signIn }) => signIn !== undefined),
  ),
  works('disconnect', ofKind('disconnect/', hasConnection)),
  works(
    'compensating revoke',
    ofKind('revoke/', ({ attempts }) => attempts.length > 0),
  ),
  works('verification', ofKind('verify/', hasConnection)),
  works('scan', ofKind('scan/', hasConnection)),
  works('upkeep', ofKind('upkeep/', hasConnection)),
  sweep('reconciliation', 'reconcileRows'),
  sweep('upkeep', 'startUpkeep'),
  sweep('deletions', 'startRequestedDeletions'),
  operator('disableApp', 'mutation ($a: ID!) { disableApp(id: $a) { id } }', appOf),
  operator(
    'removeTenant, keeps connections',
    'mutation ($a: ID!, $t: String!) { removeTenant(appId: $a, tenantKey: $t, connections: KEEP) { __typename } }',
    (facts) => ({ ...appOf(facts), t: facts.app.tenantKey }),
  ),
  operator(
    'setPolicy without PROFILE',
    'mutation ($a: ID!, $p: SocialProvider!) { setPolicy(appId: $a, provider: $p, capabilities: [CONTENT_LOOKUP]) { id } }',
    (facts) => ({ ...appOf(facts), p: facts.provider }),
  ),
  operator('pauseRegistration', 'mutation ($r: ID!) { pauseRegistration(id: $r) { __typename } }', (facts) => ({
    r: registrationOf(facts).r,
  })),
  operator(
    'stopServingApp',
    'mutation ($r: ID!, $a: ID!) { stopServingApp(registrationId: $r, appId: $a) { __typename } }',
    registrationOf,
  ),
  operator(
    'eraseSubject',
    'mutation ($i: EraseSubjectInput!) { eraseSubject(input: $i) { erasure { id } } }',
    ({ app, scope }) => ({ i: { appId: app.app.appId, ...scope } }),
  ),
  operator(
    'disconnectAll of the tenant',
    'mutation ($i: DisconnectAllInput!) { disconnectAll(input: $i) { bulkDisconnect { id } } }',
    ({ app }) => ({ i: { appId: app.app.appId, tenantKey: app.tenantKey } }),
    hasConnection,
  ),
  operator(
    'cancelAttempt',
    'mutation ($id: ID!) { cancelAttempt(id: $id) { id } }',
    ({ attempts }) => ({ id: attempts[0]?.session.id }),
    ({ attempts }) => attempts.length > 0,
  ),
  operator(
    'setIdentity, off',
    'mutation ($a: ID!, $i: ID!, $u: String!) { setIdentity(appId: $a, issuerId: $i, returnUrl: $u, enabled: false) { id } }',
    ({ app }) => ({ ...{ a: app.app.appId }, i: app.issuerId, u: app.identityReturnUrl }),
    ({ signIn }) => signIn !== undefined,
  ),
  {
    name: 'person: removes the app at the platform, unnoticed',
    fits: hasConnection,
    run: async (world, { account, removed }) => {
      removed.add(account);
      world.control.removeApp(account, { notify: false });
    },
  },
  {
    name: 'platform: says that the person has removed the app',
    fits: (facts) => hasConnection(facts) && facts.provider === 'PROVIDER_B',
    run: async (world, facts) => await notice(world, facts, 'removal'),
  },
  {
    name: 'platform: asks to delete',
    fits: (facts) => hasConnection(facts) && facts.provider === 'PROVIDER_C',
    run: async (world, facts) => await notice(world, facts, 'deletion'),
  },
  {
    name: 'command line: import',
    fits: ({ imported }) => imported !== undefined,
    run: async (world, facts) => await world.importToken(facts),
  },
];

const denied = (callback: string): string => {
  const url = new URL(callback);
  url.searchParams.delete('code');
  url.searchParams.set('error', 'access_denied');
  return url.href;
};

async function notice(world: World, { app, provider, account }: Facts, kind: 'removal' | 'deletion'): Promise<unknown> {
  const registrationId = app.registrations[provider];
  return await handleNotification(
    { ...world.apiDeps, outbox: world.apiDeps.outbox } as never,
    { registrationId, provider } as never,
    { kind, accountId: account, happenedAt: new Date(), byUs: false } as never,
    newId<CorrelationId>(),
  );
}
