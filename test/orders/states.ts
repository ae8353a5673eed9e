import { randomInt, randomUUID } from 'node:crypto';
import { IDP_CLIENT } from '../../sandbox/src/clients.ts';
import { createRandomToken, sha256 } from '../../src/api/tokens.ts';
import { type Capability, PROVIDER_NAMES, type ProviderName, WEBHOOK_EVENT_TYPES } from '../../src/basics/codes.ts';
import {
  type ConnectionId,
  type CorrelationId,
  type IssuerId,
  newId,
  type RegistrationId,
  type WebhookSecretId,
} from '../../src/basics/ids.ts';
import { deleteListedAccount } from '../../src/domain/disconnecting/handle-notification.ts';
import { associatedData } from '../../src/vault/associated-data.ts';
import { allow, Browser } from '../kit/browser.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../kit/clock.ts';
import type { Answer, RootField } from '../kit/graphql.ts';
import { PERMISSIONS } from '../kit/person.ts';
import { type SeededApp, type SubjectScope, seedApp, seedLookups } from '../kit/seed.ts';
import type { Consented, Facts } from './facts.ts';
import { flowOf } from './recorder.ts';
import type { World } from './world.ts';

export interface State {
  readonly name: string;
  readonly provider: ProviderName;
  build(stage: Builder): Promise<unknown>;
}

const NOTES: Readonly<Record<ProviderName, RegExp>> = {
  PROVIDER_A: /^Brand channel 1/,
  PROVIDER_B: /^No posts/,
  PROVIDER_C: /^No posts/,
};

/** Drives the service into a state by its own functions. */
export class Builder {
  readonly world: World;
  readonly facts: Facts;

  constructor(world: World, facts: Facts) {
    this.world = world;
    this.facts = facts;
  }

  async create(
    options: {
      app?: SeededApp;
      scope?: SubjectScope;
      capabilities?: readonly Capability[];
      reconnect?: ConnectionId;
    } = {},
  ) {
    const { provider } = this.facts;
    const { app = this.facts.app, scope = this.facts.scope, capabilities = ['PROFILE'] } = options;
    const reconnectConnectionId = options.reconnect ?? null;
    const input = { scope, provider, capabilities, returnUrl: app.returnUrl, reconnectConnectionId };
    return await this.world.callerFor(app.app)('createConnectSession', { input });
  }

  /** A session, launched, and consented by the person. */
  async consent(
    options: Parameters<Builder['create']>[0] & { account?: string; permissions?: readonly string[] } = {},
  ): Promise<Consented> {
    const { provider, account } = this.facts;
    const session = await this.create(options);
    const url = await launch(this.world.connectFlow, session.launchToken);
    const browser = new Browser(`${this.world.connectUrl}/`);
    const page = await browser.open(url);
    const chosen = options.account ?? account;
    const { app = this.facts.app, scope = this.facts.scope } = options;
    const flow = flowOf(app.app, { scope });
    this.world.recorder.add({ type: 'browser', session: session.id, step: 'allowed', account: chosen }, flow);
    const back = await browser.submit(page, allow(chosen, options.permissions ?? PERMISSIONS[provider]));
    return { session, scope, provider, callback: back.url };
  }

  async connect(options: Parameters<Builder['consent']>[0] = {}): Promise<ConnectionId> {
    const consented = await this.consent(options);
    await callBack(this.world.connectFlow, consented.callback);
    await this.world.settleNow();
    const result = await this.world.callerFor((options.app ?? this.facts.app).app)('connectSessionResult', {
      scope: consented.scope,
      id: consented.session.id,
    });
    if (result.connectionId === null)
      throw new Error(`The state's attempt ended ${result.status}, ${result.resultCode}.${this.world.tellRuns()}`);
    return result.connectionId;
  }

  /** Another app, which the same registrations serve. */
  async addApp(): Promise<SeededApp> {
    const app = await seedApp(this.world.sql);
    const { registrations } = this.facts.app;
    for (const provider of PROVIDER_NAMES) {
      await this.world
        .sql`delete from registration_app where app_id = ${app.app.appId} and registration_id = ${app.registrations[provider]}`;
      await this.world
        .sql`insert into registration_app (app_id, registration_id) values (${app.app.appId}, ${registrations[provider]})`;
    }
    await addEndpoint(this.world, app);
    return { ...app, registrations };
  }

  async createSignIn(): Promise<Answer> {
    const { app } = this.facts;
    this.facts.hasIdentity = true;
    const input = { tenantKey: app.tenantKey, returnUrl: app.identityReturnUrl };
    return await this.world.callerFor(app.app)('createIdpIdentitySession', { input });
  }

  async signIn(): Promise<void> {
    const session = await this.createSignIn();
    const url = await launch(this.world.identityFlow, session.launchToken);
    const browser = new Browser(`${this.world.connectUrl}/`);
    const page = await browser.open(url);
    const sub = this.world.control.people()[0]?.sub ?? '';
    this.world.recorder.add({ type: 'browser', session: session.id, step: 'allowed', account: sub });
    const back = await browser.submit(page, allow(sub, ['openid', 'email', 'profile']));
    this.facts.signIn = { session, callback: back.url };
  }

  async ask(field: RootField, variables: object = {}): Promise<Answer> {
    const { app, scope, connectionId } = this.facts;
    return await this.world.callerFor(app.app)(field, { scope, connectionId, ...variables });
  }
}

/** Spends a launch token as the launch page does. @returns the URL of the consent page. */
export async function launch(flow: World['connectFlow'] | World['identityFlow'], token: string): Promise<string> {
  const attempt = await flow.findByLaunchToken(sha256(token));
  if (attempt === undefined) throw new Error('The launch token is unknown.');
  const stage = flow.findStage(attempt as never);
  if (stage !== 'CREATED') return stage;
  return await flow.launch(attempt as never, createRandomToken());
}

/** Accepts a callback as its route does, after the check of the browser. */
export async function callBack(flow: World['connectFlow'] | World['identityFlow'], url: string): Promise<string> {
  const query = new URL(url).searchParams;
  const attempt = await flow.findByState(sha256(query.get('state') ?? ''));
  if (attempt === undefined) return 'unknown';
  const stage = flow.findStage(attempt as never);
  return stage === 'AUTHORIZING' ? (await flow.takeCallback(attempt as never, query)).outcome : stage;
}

/** An app with two clients of one project at the provider, and an account. */
export async function seed(world: World, provider: ProviderName): Promise<Facts> {
  const { sql, control, sealInbox } = world;
  const app = await seedApp(sql);
  const project = String(randomInt(1e11, 1e12));
  const clientSecret = randomUUID();
  const register = async (registrationId: RegistrationId, of: ProviderName) => {
    // A client id of PROVIDER_A begins with its project's number.
    const client = { clientId: `${project}-${randomUUID()}`, clientSecret, project };
    control.registerClient({ provider: of, ...client });
    const sealed = await sealInbox(client.clientSecret, associatedData.clientSecret(registrationId));
    await sql`update registration set client_id = ${client.clientId}, sealed_client_secret = ${sealed} where registration_id = ${registrationId}`;
  };
  for (const one of PROVIDER_NAMES) await register(app.registrations[one], one);
  const secondRegistration = randomUUID() as RegistrationId;
  await sql`
    insert into registration (registration_id, provider, label, client_id, sealed_client_secret)
    values (${secondRegistration}, ${provider}, 'Second client', 'second', 'sealed')
  `;
  await register(secondRegistration, provider);
  const secret = await sealInbox(IDP_CLIENT.clientSecret, associatedData.issuerSecret(app.issuerId));
  await sql`
    update identity_issuer set issuer = ${world.issuer}, client_id = ${IDP_CLIENT.clientId}, sealed_client_secret = ${secret}
    where issuer_id = ${app.issuerId}
  `;
  const secondIssuer = randomUUID() as IssuerId;
  await sql`
    insert into identity_issuer (issuer_id, issuer, client_id, sealed_client_secret, token_auth_method)
    values (${secondIssuer}, 'https://other-idp.example', 'client', 'sealed', 'client_secret_post')
  `;
  const endpointId = await addEndpoint(world, app);
  const found = control.accounts(provider).find(({ note }) => NOTES[provider].test(note));
  if (found === undefined) throw new Error('There is no such account.');
  return {
    app,
    scope: app.newScope(),
    provider,
    account: found.id,
    attempts: [],
    clientSecret,
    endpointId,
    secondIssuer,
    secondRegistration,
    removed: new Set(),
  };
}

/** An endpoint that gets all events. */
async function addEndpoint({ sql, apiDeps }: World, { app }: SeededApp): Promise<string> {
  const endpointId = randomUUID();
  await sql`
    insert into webhook_endpoint (endpoint_id, app_id, url, event_types)
    values (${endpointId}, ${app.appId}, 'https://caller.example/webhooks', ${[...WEBHOOK_EVENT_TYPES]})
  `;
  const secretId = newId<WebhookSecretId>();
  const signing = await apiDeps.sealEdge(randomUUID(), associatedData.webhookSecret(secretId));
  await sql`
    insert into webhook_secret (secret_id, endpoint_id, sealed_secret) values (${secretId}, ${endpointId}, ${signing})
  `;
  return endpointId;
}

/** A person asks the platform to delete an account: all who have it lose it. */
export function noteDeletion({ recorder }: World, { app, scope, other, account }: Facts): void {
  for (const one of [{ app, scope }, ...(other ? [other] : [])])
    recorder.add({ type: 'platform', change: 'deletionAsked', account }, flowOf(one.app.app, one));
}

/** The second client takes over: an operator replaced the first, in the same project of the platform. */
async function replaceClient({ world, facts }: Builder): Promise<void> {
  const { app, provider, secondRegistration } = facts;
  await world.operate('mutation ($r: ID!, $a: ID!) { serveApp(registrationId: $r, appId: $a) { id } }', {
    r: secondRegistration,
    a: app.app.appId,
  });
  await world.sql`update registration set paused_at = business_now() where registration_id = ${app.registrations[provider]}`;
}

const dueForUpkeep = async ({ world }: Builder) => {
  await world.advance(28 * DAY_MS);
  await world.sweep('upkeep');
};
const accept = async ({ world, facts }: Builder) => {
  for (const { callback } of facts.attempts) await callBack(world.connectFlow, callback);
};
const connected = async (stage: Builder, options: Parameters<Builder['connect']>[0] = {}) => {
  stage.facts.connectionId = await stage.connect(options);
};
const disconnect = (stage: Builder) => stage.ask('disconnectConnection');

/** Another account of the provider, of the same person where people have several. */
const second = ({ world, facts }: Builder) =>
  world.control
    .accounts(facts.provider)
    .find(({ id, note }) => id !== facts.account && /^(Brand channel 2|40 posts|250)/.test(note))?.id ?? facts.account;

const ALL_CAPABILITIES = ['PROFILE', 'CONTENT_LIST', 'CONTENT_LOOKUP', 'CONTENT_METRICS'] as const;

/** Connected with two posts, which the first scan has stored. */
const connectedWithPosts = async (stage: Builder) => {
  const { world, facts } = stage;
  const uploadedAt = Date.now() - DAY_MS;
  for (const views of ['1', '2']) world.control.addPost(facts.account, { views, uploadedAt, publishedAt: uploadedAt });
  await connected(stage, { capabilities: ALL_CAPABILITIES });
  const [row] = await world.sql`select provider_content_id, canonical_url from content_item limit 1`;
  if (row === undefined) throw new Error(`The first scan has stored no post.${world.tellRuns()}`);
  facts.post = { id: row.providerContentId, url: row.canonicalUrl };
};
const asks = async (
  stage: Builder,
  field: 'requestRefresh' | 'requestContentLookup',
  about: (facts: Facts) => object = () => ({}),
) => {
  await connectedWithPosts(stage);
  stage.facts.jobId = (await stage.ask(field, about(stage.facts))).id;
};
/** A second connection: the first becomes `other`. */
const connectedTwice = async (stage: Builder, options: Parameters<Builder['connect']>[0]) => {
  const { facts } = stage;
  await connected(stage);
  const { app = facts.app, scope = facts.scope } = options ?? {};
  facts.other = { app, scope, connectionId: await stage.connect(options) };
};
const fault = (stage: Builder, route: string) => {
  const { provider } = stage.facts;
  stage.facts.fault = { provider, route };
  stage.world.control.addFault({ provider, route, what: { kind: 'status', status: 503 }, times: null });
};
const ACCOUNT_ROUTES = { PROVIDER_A: 'channels', PROVIDER_B: 'userInfo', PROVIDER_C: 'me' } as const;

type Named = readonly [name: string, build: (stage: Builder) => Promise<unknown>];

/** At each provider. */
const COMMON: readonly Named[] = [
  ['a consent comes back', async (stage) => void stage.facts.attempts.push(await stage.consent())],
  [
    'a code waits for its exchange',
    async (stage) => {
      stage.facts.attempts.push(await stage.consent());
      await accept(stage);
    },
  ],
  ['connected', (stage) => connected(stage)],
  [
    'connected, a reconnect comes back',
    async (stage) => {
      await connected(stage);
      stage.facts.attempts.push(await stage.consent({ reconnect: stage.facts.connectionId as ConnectionId }));
      await accept(stage);
    },
  ],
  [
    'connected, two reconnects come back',
    async (stage) => {
      await connected(stage);
      const reconnect = stage.facts.connectionId as ConnectionId;
      stage.facts.attempts.push(await stage.consent({ reconnect }));
      stage.facts.attempts.push(await stage.consent({ reconnect }));
      await accept(stage);
    },
  ],
  [
    'connected, two consents come back',
    async (stage) => {
      await connected(stage);
      stage.facts.attempts.push(await stage.consent(), await stage.consent());
      await accept(stage);
    },
  ],
  [
    'connected, due for upkeep',
    async (stage) => {
      await connected(stage);
      await dueForUpkeep(stage);
    },
  ],
  [
    'disconnected, the revoke waits',
    async (stage) => {
      await connected(stage);
      stage.facts.jobId = (await disconnect(stage)).revokeJobId;
    },
  ],
  [
    'another account comes back for a reconnect, the platform cannot revoke',
    async (stage) => {
      await connected(stage);
      const reconnect = stage.facts.connectionId as ConnectionId;
      stage.facts.attempts.push(await stage.consent({ reconnect, account: second(stage) }));
      await accept(stage);
      fault(stage, 'revoke');
    },
  ],
  ['two scopes, one account', (stage) => connectedTwice(stage, { scope: stage.facts.app.newScope() })],
  ['a scan waits', (stage) => asks(stage, 'requestRefresh')],
];

/** Whether the platform names the person of the next consents: without `openid`, Google names none. */
const name = async ({ world, facts }: Builder, isNamed: boolean) => {
  const permissions = isNamed ? null : PERMISSIONS.PROVIDER_A.filter((permission) => permission !== 'openid');
  const { app, provider } = facts;
  await world.sql`update registration set permissions = ${permissions} where registration_id = ${app.registrations[provider]}`;
};

/** An unnamed person connects; another scope has a channel of the same Google account, by a consent that names it or not. */
const unnamedBeside = async (stage: Builder, { isNamed }: { isNamed: boolean }) => {
  const { facts } = stage;
  await name(stage, isNamed);
  const scope = facts.app.newScope();
  const connectionId = await stage.connect({ scope, account: second(stage) });
  await name(stage, false);
  await connected(stage);
  facts.other = { app: facts.app, scope, connectionId };
};

/** Without the name of the person, at the one provider that can leave it out. */
const UNNAMED: readonly Named[] = [false, true].flatMap((isNamed): Named[] => [
  [
    `an unnamed person beside ${isNamed ? 'a named' : 'an unnamed'} one, a named reconnect comes back`,
    async (stage) => {
      await unnamedBeside(stage, { isNamed });
      await name(stage, true);
      stage.facts.attempts.push(await stage.consent({ reconnect: stage.facts.connectionId as ConnectionId }));
      await accept(stage);
    },
  ],
  [
    `an unnamed person beside ${isNamed ? 'a named' : 'an unnamed'} one, another account comes back`,
    async (stage) => {
      await unnamedBeside(stage, { isNamed });
      const reconnect = stage.facts.connectionId as ConnectionId;
      stage.facts.attempts.push(await stage.consent({ reconnect, account: second(stage) }));
      await accept(stage);
    },
  ],
  [
    `an unnamed person beside ${isNamed ? 'a named' : 'an unnamed'} one, the revoke waits`,
    async (stage) => {
      await unnamedBeside(stage, { isNamed });
      stage.facts.jobId = (await disconnect(stage)).revokeJobId;
    },
  ],
]);

const OF_A: readonly Named[] = [
  ...UNNAMED,
  ['a session is created', async (stage) => Object.assign(stage.facts, { created: await stage.create() })],
  [
    'connected by a client that was replaced, a reconnect comes back',
    async (stage) => {
      await connected(stage);
      await replaceClient(stage);
      stage.facts.attempts.push(await stage.consent({ reconnect: stage.facts.connectionId as ConnectionId }));
      await accept(stage);
    },
  ],
  [
    'two scopes, one account, two clients of one project',
    async (stage) => {
      await connected(stage);
      await replaceClient(stage);
      const { app } = stage.facts;
      const scope = app.newScope();
      stage.facts.other = { app, scope, connectionId: await stage.connect({ scope }) };
    },
  ],
  [
    'two apps, one account',
    async (stage) => {
      const app = await stage.addApp();
      await connectedTwice(stage, { app, scope: app.newScope() });
    },
  ],
  ['two accounts of one person', (stage) => connectedTwice(stage, { account: second(stage) })],
  [
    'two accounts of one person, the other disconnects',
    async (stage) => {
      await connectedTwice(stage, { account: second(stage) });
      const { other, app } = stage.facts;
      await stage.world.callerFor(app.app)('disconnectConnection', {
        scope: other?.scope,
        connectionId: other?.connectionId,
      });
      fault(stage, 'revoke');
      await stage.world.settleNow();
    },
  ],
  ['a sign-in is created', async (stage) => Object.assign(stage.facts, { createdSignIn: await stage.createSignIn() })],
  ['a sign-in comes back', (stage) => stage.signIn()],
  [
    'a code of a sign-in waits for its exchange',
    async (stage) => {
      await stage.signIn();
      await callBack(stage.world.identityFlow, stage.facts.signIn?.callback ?? '');
    },
  ],
  [
    'a sign-in is complete',
    async (stage) => {
      await stage.signIn();
      await callBack(stage.world.identityFlow, stage.facts.signIn?.callback ?? '');
      await stage.world.settleNow();
    },
  ],
  [
    '19 sign-ins are unfinished',
    async (stage) => {
      for (let count = 0; count < 19; count += 1) await stage.createSignIn();
    },
  ],
  [
    'a code waits for its exchange, Temporal is 2 s ahead',
    async (stage) => {
      stage.facts.attempts.push(await stage.consent());
      await accept(stage);
      stage.facts.skewMs = 2_000;
    },
  ],
  [
    'a code of a sign-in waits for its exchange, Temporal is 2 s ahead',
    async (stage) => {
      await stage.signIn();
      await callBack(stage.world.identityFlow, stage.facts.signIn?.callback ?? '');
      stage.facts.skewMs = 2_000;
    },
  ],
  [
    'the platform refuses the client',
    async (stage) => {
      await connected(stage);
      const { world, facts } = stage;
      const [row] = await world.sql`
        select client_id from registration where registration_id = ${facts.app.registrations[facts.provider]}
      `;
      world.control.registerClient({ provider: facts.provider, clientId: row?.clientId, isRefused: true });
      await dueForUpkeep(stage);
      await world.settleNow();
      await world.advance(2 * MINUTE_MS); // Until it is asked again.
      facts.isRejected = true;
    },
  ],
];

const OF_B: readonly Named[] = [
  [
    'the permission for the profile was withdrawn, due for upkeep',
    async (stage) => {
      await connected(stage);
      stage.world.control.withdraw(stage.facts.account, 'user.info.basic');
      stage.facts.isWithdrawn = true;
      await dueForUpkeep(stage);
    },
  ],
  [
    'four sessions are unfinished',
    async (stage) => {
      for (let count = 0; count < 4; count += 1) stage.facts.created = await stage.create();
    },
  ],
  [
    'a grant is pending, its account unread',
    async (stage) => {
      stage.facts.attempts.push(await stage.consent());
      await accept(stage);
      fault(stage, ACCOUNT_ROUTES[stage.facts.provider]);
      await stage.world.settleNow();
    },
  ],
  ['connected with posts', connectedWithPosts],
  [
    'a metrics refresh waits',
    (stage) => asks(stage, 'requestRefresh', ({ post }) => ({ providerContentId: post?.id })),
  ],
  ['a lookup waits', (stage) => asks(stage, 'requestContentLookup', ({ post }) => ({ url: post?.url }))],
  [
    '19 lookups wait',
    async (stage) => {
      await connectedWithPosts(stage);
      await seedLookups(stage.world.sql, stage.facts.app, stage.facts.connectionId as ConnectionId, 19);
    },
  ],
  [
    'the person has removed the app, a reconnect comes back',
    async (stage) => {
      const { world, facts } = stage;
      await connected(stage);
      world.control.removeApp(facts.account, { notify: false });
      await dueForUpkeep(stage);
      await world.settleNow();
      facts.attempts.push(await stage.consent({ reconnect: facts.connectionId as ConnectionId }));
      await accept(stage);
    },
  ],
  [
    'the refresh token expires, due for upkeep',
    async (stage) => {
      await connected(stage);
      await dueForUpkeep(stage);
      await stage.world.sql`update account_grant set refresh_expires_at = business_now() - interval '1 second'`;
      for (const kind of ['access', 'refresh'] as const) stage.world.control.expireTokens(stage.facts.account, kind);
    },
  ],
  [
    'the platform was away for 72 hours: the revoke has failed',
    async (stage) => {
      const { world, facts } = stage;
      await connected(stage);
      facts.jobId = (await disconnect(stage)).revokeJobId;
      fault(stage, 'revoke');
      await world.settle(73 * HOUR_MS);
      facts.hasFailedRevoke = true;
      delete facts.fault;
    },
  ],
  [
    'the subject is erased, the platform cannot revoke',
    async (stage) => {
      const { world, facts } = stage;
      await connected(stage);
      fault(stage, 'revoke');
      await world.operate(
        'mutation ($i: EraseSubjectInput!) { eraseSubject(input: $i) { __typename } }',
        {
          i: { appId: facts.app.app.appId, ...facts.scope },
        },
        flowOf(facts.app.app, facts),
      );
      await world.settleNow();
      delete facts.connectionId;
    },
  ],
  [
    'all connections of the tenant disconnect',
    async (stage) => {
      const { world, facts } = stage;
      await connectedTwice(stage, { scope: facts.app.newScope() });
      await world.operate('mutation ($i: DisconnectAllInput!) { disconnectAll(input: $i) { __typename } }', {
        i: { appId: facts.app.app.appId, tenantKey: facts.app.tenantKey },
      });
      facts.hasBulk = true;
    },
  ],
  [
    'an automatic refresh is due',
    async (stage) => {
      const { world, facts } = stage;
      await connectedWithPosts(stage);
      const { appId } = facts.app.app;
      await world.operate(
        `mutation { setRefreshPolicy(appId: "${appId}", provider: ${facts.provider}, refreshMinutes: 60) { __typename } }`,
      );
      await world.sweep('upkeep');
      await world.advance(2 * HOUR_MS);
    },
  ],
  [
    'all that was read is 31 days old',
    async (stage) => {
      await connectedWithPosts(stage);
      await stage.world.advance(31 * DAY_MS);
    },
  ],
  [
    'erased a week ago, its sessions are old',
    async (stage) => {
      const { world, facts } = stage;
      await connected(stage);
      facts.jobId = (await disconnect(stage)).revokeJobId;
      await world.settle(0);
      facts.created = await stage.create();
      await world.advance(8 * DAY_MS);
    },
  ],
];

const OF_C: readonly Named[] = [
  [
    'another system holds a token',
    async (stage) => {
      const { world, facts } = stage;
      await connected(stage);
      const row = await world.findGrantRow(facts.connectionId as ConnectionId);
      // The connection goes; its token lives on, as that of another system with the same client.
      facts.imported = { accessToken: row.accessToken };
      await world.sql`delete from account_grant`;
      await world.sql`delete from connect_attempt`;
      await world.sql`delete from connection`;
      delete facts.connectionId;
    },
  ],
  [
    'the token of another system is imported',
    async (stage) => {
      const { world, facts } = stage;
      await OF_C[0]?.[1](stage);
      await world.importToken(facts);
      const [connection] = await world.sql`select connection_id from connection`;
      facts.connectionId = connection?.connectionId;
      await world.settleNow();
    },
  ],
  [
    'the platform has asked to delete',
    async (stage) => {
      const { world, facts } = stage;
      await connected(stage);
      noteDeletion(world, facts);
      await deleteListedAccount(
        { sql: world.sql, mac: world.mac },
        { registrationId: facts.app.registrations[facts.provider], accountId: facts.account, requestedAt: new Date() },
        newId<CorrelationId>(),
        { dryRun: false },
      );
    },
  ],
];

/** States in which Temporal has lost its data: only the rows show the open work. */
const LOST = ['a code waits for its exchange', 'disconnected, the revoke waits', 'a scan waits'];

const of = (provider: ProviderName, states: readonly Named[]): State[] =>
  states.map(([name, build]) => ({ name: `${provider}: ${name}`, provider, build }));

const withoutWorkflows = (state: State): State => ({
  ...state,
  name: `${state.name}, its workflow is lost`,
  async build(stage) {
    await state.build(stage);
    await stage.world.loseWorkflows();
  },
});

const known = [
  ...of('PROVIDER_A', [...COMMON, ...OF_A]),
  ...of('PROVIDER_B', [...COMMON, ...OF_B]),
  ...of('PROVIDER_C', [...COMMON.filter(([name]) => !name.includes('revoke')), ...OF_C]),
];

export const STATES: readonly State[] = [
  ...known,
  ...known.filter(({ name }) => LOST.some((lost) => name === `PROVIDER_B: ${lost}`)).map(withoutWorkflows),
];
