import type { RootField } from '../../kit/graphql.ts';
import type { Facts } from '../facts.ts';
import { otherDisconnects } from '../states.ts';
import type { World } from '../world.ts';
import { always, hasAttempt, hasConnection, hasJob, hasPost, hasSignIn, type Operation } from './operation.ts';

/** Sends a caller's request. Its app is checked first, as on every request. @returns the answer, or the code of a refusal */
async function ask(world: World, facts: Facts, field: RootField, variables: object): Promise<unknown> {
  const { app } = facts.app;
  const [row] = await world.apiDeps.sql`select enabled from app where app_id = ${app.appId}`;
  if (!row?.enabled) return 'FORBIDDEN';
  return await world.refusalIsAnswer(world.callerFor(app)(field, variables));
}

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
const window = { publishedAfter: '2026-09-20T00:00:00Z', publishedBefore: '2026-11-20T00:00:00Z' };

type Request = readonly [variables: (facts: Facts) => object, fits?: Operation['fits']];

const REQUESTS: { readonly [Field in RootField]?: Request } & { readonly [about: `${RootField} ${string}`]: Request } =
  {
    createConnectSession: [(facts) => newSession(facts, false)],
    'createConnectSession to reconnect': [(facts) => newSession(facts, true), hasConnection],
    createIdpIdentitySession: [
      ({ app }) => ({ input: { tenantKey: app.tenantKey, returnUrl: app.identityReturnUrl } }),
      (facts) => facts.hasIdentity === true,
    ],
    connectSessionResult: [({ scope, attempts }) => ({ scope, id: attempts[0]?.session.id }), hasAttempt],
    redeemIdpIdentityResult: [
      ({ signIn, app: { tenantKey } }) => {
        const { id, resultProof } = signIn?.session ?? {};
        return { id, tenantKey, resultProof };
      },
      hasSignIn,
    ],
    integrationReadiness: [() => ({})],
    connection: [({ scope, connectionId }) => ({ scope, id: connectionId }), hasConnection],
    connections: [({ scope }) => ({ scope }), hasConnection],
    content: [(facts) => ({ ...ofConnection(facts), window: { ...window, first: 50 } }), hasPost],
    contentItem: [(facts) => ({ ...ofConnection(facts), providerContentId: facts.post?.id }), hasPost],
    syncJob: [(facts) => ({ ...ofConnection(facts), id: facts.jobId }), hasJob],
    requestRefresh: [ofConnection, hasConnection],
    'requestRefresh of a window': [(facts) => ({ ...ofConnection(facts), window }), hasPost],
    'requestRefresh of a post': [(facts) => ({ ...ofConnection(facts), providerContentId: facts.post?.id }), hasPost],
    requestContentLookup: [(facts) => ({ ...ofConnection(facts), url: facts.post?.url }), hasPost],
    disconnectConnection: [ofConnection, hasConnection],
  };

export const CALLERS: readonly Operation[] = [
  ...Object.entries(REQUESTS).map(([name, [variables, fits = always]]): Operation => {
    const [field] = name.split(' ') as [RootField];
    const run: Operation['run'] = (world, facts) => ask(world, facts, field, variables(facts));
    return { name: `caller: ${name}`, fits, isTwice: true, run };
  }),
  {
    name: 'caller: disconnectConnection of the other connection',
    fits: ({ other }) => other !== undefined,
    run: (world, facts) => world.refusalIsAnswer(otherDisconnects({ world, facts })),
  },
];
