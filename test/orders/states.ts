import { randomInt, randomUUID } from 'node:crypto';
import { IDP_CLIENT } from '../../sandbox/src/clients.ts';
import { createRandomToken, sha256 } from '../../src/api/tokens.ts';
import { type Capability, PROVIDER_NAMES, type ProviderName } from '../../src/basics/codes.ts';
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
import { type SeededApp, type SubjectScope, seedApp } from '../kit/seed.ts';
import { seedEndpoint, seedEndpointSecret } from '../kit/seed-endpoint.ts';
import type { Consented, Facts } from './facts.ts';
import { flowOf } from './recorder.ts';
import type { World } from './world.ts';

export interface State {
  readonly name: string;
  readonly provider: ProviderName;
  readonly acts: readonly Act[];
}

const NOTES: Readonly<Record<ProviderName, RegExp>> = {
  PROVIDER_A: /^Brand channel 1/,
  PROVIDER_B: /^No posts/,
  PROVIDER_C: /^No posts/,
};

interface Created {
  readonly app?: SeededApp;
  readonly scope?: SubjectScope;
  readonly capabilities?: readonly Capability[];
  readonly reconnect?: ConnectionId;
}

/** Drives the service into a state by its own functions. */
export class Builder {
  readonly world: World;
  readonly facts: Facts;

  constructor(world: World, facts: Facts) {
    this.world = world;
    this.facts = facts;
  }

  async create(options: Created = {}) {
    const { provider } = this.facts;
    const { app = this.facts.app, scope = this.facts.scope, capabilities = ['PROFILE'] } = options;
    const reconnectConnectionId = options.reconnect ?? null;
    const input = { scope, provider, capabilities, returnUrl: app.returnUrl, reconnectConnectionId };
    return await this.world.callerFor(app.app)('createConnectSession', { input });
  }

  /** A session, launched, and consented by the person. */
  async consent(options: Created & { readonly account?: string } = {}): Promise<Consented> {
    const { provider, account } = this.facts;
    const session = await this.create(options);
    const url = await launch(this.world.connectFlow, session.launchToken);
    const browser = new Browser(`${this.world.connectUrl}/`);
    const page = await browser.open(url);
    const chosen = options.account ?? account;
    const { app = this.facts.app, scope = this.facts.scope } = options;
    const flow = flowOf(app.app, { scope });
    this.world.recorder.add({ type: 'browser', session: session.id, step: 'allowed', account: chosen }, flow);
    const back = await browser.submit(page, allow(chosen, PERMISSIONS[provider]));
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
    for (const provider of PROVIDER_NAMES)
      await this.world.sql`
        update registration_app set registration_id = ${registrations[provider]}
        where app_id = ${app.app.appId} and registration_id = ${app.registrations[provider]}
      `;
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
  const endpointId = await seedEndpoint(sql, app.appId);
  const secretId = newId<WebhookSecretId>();
  const sealedSecret = await apiDeps.sealEdge(randomUUID(), associatedData.webhookSecret(secretId));
  await seedEndpointSecret(sql, endpointId, { secretId, sealedSecret });
  return endpointId;
}

/** A person asks the platform to delete an account: all who have it lose it. */
export function noteDeletion({ recorder }: World, { app, scope, other, account }: Facts): void {
  for (const one of [{ app, scope }, ...(other ? [other] : [])])
    recorder.add({ type: 'platform', change: 'deletionAsked', account }, flowOf(one.app.app, one));
}

type Act = (stage: Builder) => Promise<unknown>;
/** What happens, one after the other, until the service is in each state. */
type States = Readonly<Record<string, readonly Act[]>>;
type Options = Parameters<Builder['consent']>[0];

const reconnect = ({ facts }: Builder): Options => ({ reconnect: facts.connectionId as ConnectionId });
/** Another account of the provider, of the same person where people have several. */
const second = ({ world, facts }: Builder): Options => {
  const isSecond = /^(Brand channel 2|40 posts|250)/;
  const others = world.control.accounts(facts.provider).filter(({ id }) => id !== facts.account);
  return { account: others.find(({ note }) => isSecond.test(note))?.id ?? facts.account };
};
const otherScope = ({ facts }: Builder): Options => ({ scope: facts.app.newScope() });
const otherApp = async (stage: Builder): Promise<Options> => {
  const app = await stage.addApp();
  return { app, scope: app.newScope() };
};

/** A consent whose callback the browser holds. */
const consents =
  (...about: readonly ((stage: Builder) => Options)[]): Act =>
  async (stage) => {
    const options = Object.assign({}, ...about.map((each) => each(stage)));
    stage.facts.attempts.push(await stage.consent(options));
  };
const accept: Act = async ({ world, facts }) => {
  for (const { callback } of facts.attempts) await callBack(world.connectFlow, callback);
};
const connected: Act = async (stage) => {
  stage.facts.connectionId = await stage.connect();
};
/** A second connection. */
const also =
  (about: (stage: Builder) => Options | Promise<Options>): Act =>
  async (stage) => {
    const options = (await about(stage)) ?? {};
    const { app = stage.facts.app, scope = stage.facts.scope } = options;
    stage.facts.other = { app, scope, connectionId: await stage.connect(options) };
  };
const disconnects: Act = async (stage) => {
  stage.facts.jobId = (await stage.ask('disconnectConnection')).revokeJobId;
};
/** An answer, or a refusal. */
export const otherDisconnects = async ({ world, facts: { other } }: Pick<Builder, 'world' | 'facts'>) => {
  if (other === undefined) return undefined;
  const { app, ...connection } = other;
  return await world.callerFor(app.app)('disconnectConnection', connection);
};
const asks =
  (field: 'requestRefresh' | 'requestContentLookup', about: (facts: Facts) => object = () => ({})): Act =>
  async (stage) => {
    stage.facts.jobId = (await stage.ask(field, about(stage.facts))).id;
  };
const creates: Act = async (stage) => {
  stage.facts.created = await stage.create();
};
const signsIn: Act = (stage) => stage.signIn();
const signInComesBack: Act = ({ world, facts }) => callBack(world.identityFlow, facts.signIn?.callback ?? '');

const settle: Act = ({ world }) => world.settleNow();
const pass =
  (ms: number): Act =>
  ({ world }) =>
    world.advance(ms);
const sweep: Act = ({ world }) => world.sweep('upkeep');
const upkeepIsDue: readonly Act[] = [pass(28 * DAY_MS), sweep];
const temporalIsAhead: Act = async ({ facts }) => {
  facts.skewMs = 2_000;
};
const fails =
  (route: string): Act =>
  async ({ world, facts }) => {
    facts.fault = { provider: facts.provider, route };
    world.control.addFault({ ...facts.fault, what: { kind: 'status', status: 503 }, times: null });
  };

const ALL_CAPABILITIES = ['PROFILE', 'CONTENT_LIST', 'CONTENT_LOOKUP', 'CONTENT_METRICS'] as const;
/** Connected with two posts, which the first scan has stored. */
const connectedWithPosts: Act = async (stage) => {
  const { world, facts } = stage;
  const uploadedAt = Date.now() - DAY_MS;
  for (const views of ['1', '2']) world.control.addPost(facts.account, { views, uploadedAt, publishedAt: uploadedAt });
  facts.connectionId = await stage.connect({ capabilities: ALL_CAPABILITIES });
  const [row] = await world.sql`select provider_content_id, canonical_url from content_item limit 1`;
  if (row === undefined) throw new Error(`The first scan has stored no post.${world.tellRuns()}`);
  facts.post = { id: row.providerContentId, url: row.canonicalUrl };
};
/** The second client takes over: an operator replaced the first, in the same project of the platform. */
const clientIsReplaced: Act = async ({ world, facts }) => {
  const { app, provider, secondRegistration } = facts;
  await world.operate('serveApp', { registrationId: secondRegistration, appId: app.app.appId });
  await world.sql`update registration set paused_at = business_now() where registration_id = ${app.registrations[provider]}`;
};

/** Whether the platform names the person of the next consents: without `openid`, Google names none. */
const names =
  (isNamed: boolean): Act =>
  async ({ world, facts: { app, provider } }) => {
    const permissions = isNamed ? null : PERMISSIONS.PROVIDER_A.filter((permission) => permission !== 'openid');
    const registrationId = app.registrations[provider];
    await world.sql`update registration set permissions = ${permissions} where registration_id = ${registrationId}`;
  };
/** An unnamed person; another scope has a channel of the same Google account, by a consent that names it or not. */
const beside = (isNamed: boolean): States => {
  const other = `an unnamed person beside ${isNamed ? 'a named' : 'an unnamed'} one`;
  const both = [names(isNamed), also((stage) => ({ ...otherScope(stage), ...second(stage) })), names(false), connected];
  return {
    [`${other}, a named reconnect comes back`]: [...both, names(true), consents(reconnect), accept],
    [`${other}, another account comes back`]: [...both, consents(reconnect, second), accept],
    [`${other}, the revoke waits`]: [...both, disconnects],
  };
};

/** At each provider. */
const COMMON: States = {
  'a consent comes back': [consents()],
  'a code waits for its exchange': [consents(), accept],
  connected: [connected],
  'connected, a reconnect comes back': [connected, consents(reconnect), accept],
  'connected, two reconnects come back': [connected, consents(reconnect), consents(reconnect), accept],
  'connected, two consents come back': [connected, consents(), consents(), accept],
  'connected, due for upkeep': [connected, ...upkeepIsDue],
  'disconnected, the revoke waits': [connected, disconnects],
  'another account comes back for a reconnect, the platform cannot revoke': [
    ...[connected, consents(reconnect, second), accept, fails('revoke')],
  ],
  'two scopes, one account': [connected, also(otherScope)],
  'a scan waits': [connectedWithPosts, asks('requestRefresh')],
};

const OF_A: States = {
  ...beside(false),
  ...beside(true),
  'a session is created': [creates],
  'connected by a client that was replaced, a reconnect comes back': [
    ...[connected, clientIsReplaced, consents(reconnect), accept],
  ],
  'two scopes, one account, two clients of one project': [connected, clientIsReplaced, also(otherScope)],
  'two apps, one account': [connected, also(otherApp)],
  'two accounts of one person': [connected, also(second)],
  'two accounts of one person, the other disconnects': [
    ...[connected, also(second), otherDisconnects, fails('revoke'), settle],
  ],
  'a sign-in is created': [
    async (stage) => {
      stage.facts.createdSignIn = await stage.createSignIn();
    },
  ],
  'a sign-in comes back': [signsIn],
  'a code of a sign-in waits for its exchange': [signsIn, signInComesBack],
  'a sign-in is complete': [signsIn, signInComesBack, settle],
  'a code waits for its exchange, Temporal is 2 s ahead': [consents(), accept, temporalIsAhead],
  'a code of a sign-in waits for its exchange, Temporal is 2 s ahead': [signsIn, signInComesBack, temporalIsAhead],
  'the platform refuses the client': [
    connected,
    async ({ world, facts: { app, provider } }) => {
      const registrationId = app.registrations[provider];
      const [row] = await world.sql`select client_id from registration where registration_id = ${registrationId}`;
      world.control.registerClient({ provider, clientId: row?.clientId, isRefused: true });
    },
    ...[...upkeepIsDue, settle, pass(2 * MINUTE_MS)], // Until it is asked again.
    async ({ facts }) => {
      facts.isRejected = true;
    },
  ],
};

const OF_B: States = {
  'a grant is pending, its account unread': [consents(), accept, fails('userInfo'), settle],
  'connected with posts': [connectedWithPosts],
  'a metrics refresh waits': [
    connectedWithPosts,
    asks('requestRefresh', ({ post }) => ({ providerContentId: post?.id })),
  ],
  'a lookup waits': [connectedWithPosts, asks('requestContentLookup', ({ post }) => ({ url: post?.url }))],
  'the person has removed the app, a reconnect comes back': [
    connected,
    async ({ world, facts }) => world.control.removeApp(facts.account, { notify: false }),
    ...[...upkeepIsDue, settle, consents(reconnect), accept],
  ],
  'the refresh token expires, due for upkeep': [
    ...[connected, ...upkeepIsDue],
    async ({ world, facts }) => {
      await world.sql`update account_grant set refresh_expires_at = business_now() - interval '1 second'`;
      for (const kind of ['access', 'refresh'] as const) world.control.expireTokens(facts.account, kind);
    },
  ],
  'the platform was away for 72 hours: the revoke has failed': [
    ...[connected, disconnects, fails('revoke')],
    async ({ world, facts }) => {
      await world.settle(73 * HOUR_MS);
      facts.hasFailedRevoke = true;
      delete facts.fault;
    },
  ],
  'the subject is erased, the platform cannot revoke': [
    ...[connected, fails('revoke')],
    async ({ world, facts }) => {
      const input = { appId: facts.app.app.appId, ...facts.scope };
      await world.operate('eraseSubject', { input }, flowOf(facts.app.app, facts));
      await world.settleNow();
      delete facts.connectionId;
    },
  ],
  'all connections of the tenant disconnect': [
    ...[connected, also(otherScope)],
    async ({ world, facts }) => {
      const { app, tenantKey } = facts.app;
      await world.operate('disconnectAll', { input: { appId: app.appId, tenantKey } });
      facts.hasBulk = true;
    },
  ],
  'an automatic refresh is due': [
    connectedWithPosts,
    async ({ world, facts: { app, provider } }) =>
      await world.operate('setRefreshPolicy', { appId: app.app.appId, provider, refreshMinutes: 60 }),
    ...[sweep, pass(2 * HOUR_MS)],
  ],
  'all that was read is 31 days old': [connectedWithPosts, pass(31 * DAY_MS)],
  'erased a week ago, its sessions are old': [connected, disconnects, settle, creates, pass(8 * DAY_MS)],
};

/** The connection goes; its token lives on, as that of another system with the same client. */
const tokenIsHeldElsewhere: Act = async ({ world, facts }) => {
  const { accessToken } = await world.findGrantRow(facts.connectionId as ConnectionId);
  facts.imported = { accessToken };
  for (const table of ['account_grant', 'connect_attempt', 'connection'])
    await world.sql`delete from ${world.sql(table)}`;
  delete facts.connectionId;
};

const OF_C: States = {
  'another system holds a token': [connected, tokenIsHeldElsewhere],
  'the token of another system is imported': [
    ...[connected, tokenIsHeldElsewhere],
    async ({ world, facts }) => {
      await world.importToken(facts);
      const [connection] = await world.sql`select connection_id from connection`;
      facts.connectionId = connection?.connectionId;
    },
    settle,
  ],
  'the platform has asked to delete': [connected, ({ world, facts }) => deleteAccount(world, world, facts)],
};

/** As an operator, or the platform itself, asks it. */
export async function deleteAccount(world: World, { sql, mac }: Pick<World, 'sql' | 'mac'>, facts: Facts) {
  const { app, provider, account: accountId } = facts;
  noteDeletion(world, facts);
  return await deleteListedAccount(
    { sql, mac },
    { registrationId: app.registrations[provider], accountId, requestedAt: new Date() },
    newId<CorrelationId>(),
    { dryRun: false },
  );
}

const of = (provider: ProviderName, states: States): State[] =>
  Object.entries(states).map(([name, acts]) => ({ name: `${provider}: ${name}`, provider, acts }));

const known = [
  ...of('PROVIDER_A', { ...COMMON, ...OF_A }),
  ...of('PROVIDER_B', { ...COMMON, ...OF_B }),
  ...of('PROVIDER_C', { ...COMMON, ...OF_C }).filter(({ name }) => !/^PROVIDER_C: .*revoke/.test(name)),
];

/** States in which Temporal has lost its data: only the rows show the open work. */
const LOST = ['a code waits for its exchange', 'disconnected, the revoke waits', 'a scan waits'];

export const STATES: readonly State[] = [
  ...known,
  ...known
    .filter(({ name }) => LOST.some((lost) => name === `PROVIDER_B: ${lost}`))
    .map(({ name, provider, acts }) => ({
      name: `${name}, its workflow is lost`,
      provider,
      acts: [...acts, ({ world }: Builder) => world.loseWorkflows()],
    })),
];
