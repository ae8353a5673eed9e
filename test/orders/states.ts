import { randomInt, randomUUID } from 'node:crypto';
import { createRandomToken, sha256 } from '../../src/api/tokens.ts';
import type { ConnectionId, RegistrationId } from '../../src/ids.ts';
import { type Capability, PROVIDER_NAMES, type ProviderName } from '../../src/providers/provider.ts';
import { IDP_CLIENT } from '../../src/sandbox/clients.ts';
import type { SubjectScope } from '../../src/store/scopes.ts';
import { associatedData } from '../../src/vault/associated-data.ts';
import { allow, Browser } from '../kit/browser.ts';
import { DAY_MS } from '../kit/clock.ts';
import type { Answer } from '../kit/graphql.ts';
import { type SeededApp, seedApp } from '../kit/seed.ts';
import { PERMISSIONS } from '../stack/person.ts';
import type { World } from './world.ts';

/** An attempt whose person has consented: the browser holds the callback. */
export interface Consented {
  readonly session: Answer;
  readonly scope: SubjectScope;
  readonly provider: ProviderName;
  readonly callback: string;
}

/** What a state has, by which operations know whether and on what they can act. */
export interface Facts {
  readonly app: SeededApp;
  readonly scope: SubjectScope;
  readonly provider: ProviderName;
  readonly account: string;
  /** The connection of the scope. */
  connectionId?: ConnectionId;
  /** Another scope, with a connection to the same or another account. */
  other?: { readonly scope: SubjectScope; readonly connectionId: ConnectionId };
  /** Unfinished attempts, oldest first. */
  readonly attempts: Consented[];
  signIn?: { readonly session: Answer; readonly callback: string };
  readonly secondRegistration: RegistrationId;
  /** Tokens of another system. */
  imported?: { readonly accessToken: string };
  /** The accounts that a person has removed us from, at the platform. */
  readonly removed: Set<string>;
  skewMs?: number;
  /** What is down at the platform until all is brought to quiet. */
  fault?: { readonly provider: ProviderName; readonly route: string };
}

export interface State {
  readonly name: string;
  build(stage: Builder): Promise<void>;
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

  async create(options: { scope?: SubjectScope; capabilities?: readonly Capability[]; reconnect?: ConnectionId } = {}) {
    const { app, provider } = this.facts;
    const { scope = this.facts.scope, capabilities = ['PROFILE'] } = options;
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
    const back = await browser.submit(
      page,
      allow(options.account ?? account, options.permissions ?? PERMISSIONS[provider]),
    );
    return { session, scope: options.scope ?? this.facts.scope, provider, callback: back.url };
  }

  async connect(options: Parameters<Builder['consent']>[0] = {}): Promise<ConnectionId> {
    const consented = await this.consent(options);
    await callBack(this.world.connectFlow, consented.callback);
    await this.world.settleNow();
    const result = await this.world.callerFor(this.facts.app.app)('connectSessionResult', {
      scope: consented.scope,
      id: consented.session.id,
    });
    if (result.connectionId === null)
      throw new Error(`The state's attempt ended ${result.status}, ${result.resultCode}.${this.world.tellRuns()}`);
    return result.connectionId;
  }

  async signIn(): Promise<void> {
    const { app } = this.facts;
    const input = { tenantKey: app.tenantKey, returnUrl: app.identityReturnUrl };
    const session = await this.world.callerFor(app.app)('createIdpIdentitySession', { input });
    const url = await launch(this.world.identityFlow, session.launchToken);
    const browser = new Browser(`${this.world.connectUrl}/`);
    const page = await browser.open(url);
    const sub = this.world.control.people()[0]?.sub ?? '';
    const back = await browser.submit(page, allow(sub, ['openid', 'email', 'profile']));
    this.facts.signIn = { session, callback: back.url };
  }
}

/** Spends a launch token as the launch page does. @returns the URL of the consent page. */
export async function launch(flow: World['connectFlow'] | World['identityFlow'], token: string): Promise<string> {
  const attempt = await flow.findByLaunchToken(sha256(token));
  if (attempt === undefined) throw new Error('The launch token is unknown.');
  const stage = flow.findStage(attempt as never);
  if (stage !== 'CREATED') return stage;
  const state = createRandomToken();
  return await flow.launch(attempt as never, { state, stateSha256: sha256(state), browserSha256: sha256('browser') });
}

/** Accepts a callback as its route does, after the check of the browser. */
export async function callBack(flow: World['connectFlow'] | World['identityFlow'], url: string): Promise<string> {
  const query = new URL(url).searchParams;
  const attempt = await flow.findByState(sha256(query.get('state') ?? ''));
  if (attempt === undefined) return 'unknown';
  const stage = flow.findStage(attempt as never);
  return stage === 'AUTHORIZING' ? await flow.takeCallback(attempt as never, query) : stage;
}

/** An app with two clients of one project at the provider, and an account. */
export async function seed(world: World, provider: ProviderName): Promise<Facts> {
  const { sql, control, sealInbox } = world;
  const app = await seedApp(sql);
  const project = String(randomInt(1e11, 1e12));
  const register = async (registrationId: RegistrationId, of: ProviderName) => {
    // A client id of PROVIDER_A begins with its project's number.
    const client = { clientId: `${project}-${randomUUID()}`, clientSecret: randomUUID(), project };
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
  const { WEBHOOK_EVENT_TYPES } = await import('../../src/webhooks/event-types.ts');
  await sql`
    insert into webhook_endpoint (endpoint_id, app_id, url, event_types)
    values (${randomUUID()}, ${app.app.appId}, 'https://caller.example/webhooks', ${[...WEBHOOK_EVENT_TYPES]})
  `;
  const found = control.accounts(provider).find(({ note }) => NOTES[provider].test(note));
  if (found === undefined) throw new Error('There is no such account.');
  return {
    app,
    scope: app.newScope(),
    provider,
    account: found.id,
    attempts: [],
    secondRegistration,
    removed: new Set(),
  };
}

/** The second client takes over: an operator replaced the first, in the same project of the platform. */
export async function replaceClient({ world, facts }: Builder): Promise<void> {
  const { app, provider, secondRegistration } = facts;
  await world.operate('mutation ($r: ID!, $a: ID!) { serveApp(registrationId: $r, appId: $a) { id } }', {
    r: secondRegistration,
    a: app.app.appId,
  });
  await world.sql`update registration set paused_at = business_now() where registration_id = ${app.registrations[provider]}`;
}

const dueForUpkeep = async ({ world }: Builder) => {
  await world.advance(28 * DAY_MS);
  await world.sweep('startUpkeep');
};
const accept = async ({ world, facts }: Builder) => {
  for (const { callback } of facts.attempts) await callBack(world.connectFlow, callback);
};
const connected = async (stage: Builder, options: Parameters<Builder['connect']>[0] = {}) => {
  stage.facts.connectionId = await stage.connect(options);
};
const second = (world: World, { provider, account }: Facts) =>
  world.control
    .accounts(provider)
    .find(({ id, note }) => id !== account && /^(Brand channel 2|40 posts|250)/.test(note))?.id ?? account;

type Named = readonly [name: string, build: (stage: Builder) => Promise<void>];

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
      const { scope, connectionId, app } = stage.facts;
      await stage.world.callerFor(app.app)('disconnectConnection', { scope, connectionId });
    },
  ],
  [
    'another account comes back for a reconnect, the platform cannot revoke',
    async (stage) => {
      await connected(stage);
      const { facts, world } = stage;
      const reconnect = facts.connectionId as ConnectionId;
      facts.attempts.push(await stage.consent({ reconnect, account: second(world, facts) }));
      facts.fault = { provider: facts.provider, route: 'revoke' };
      await accept(stage);
    },
  ],
  [
    'two scopes, one account',
    async (stage) => {
      await connected(stage);
      const scope = stage.facts.app.newScope();
      stage.facts.other = { scope, connectionId: await stage.connect({ scope }) };
    },
  ],
  [
    'a scan waits',
    async (stage) => {
      await connected(stage, { capabilities: ['PROFILE', 'CONTENT_LIST'], account: second(stage.world, stage.facts) });
      const { scope, connectionId, app } = stage.facts;
      await stage.world.callerFor(app.app)('requestRefresh', { scope, connectionId });
    },
  ],
];

const OF_A: readonly Named[] = [
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
      const scope = stage.facts.app.newScope();
      stage.facts.other = { scope, connectionId: await stage.connect({ scope }) };
    },
  ],
  ['a sign-in comes back', (stage) => stage.signIn()],
  [
    'a code of a sign-in waits for its exchange',
    async (stage) => {
      await stage.signIn();
      await callBack(stage.world.identityFlow, stage.facts.signIn?.callback ?? '');
    },
  ],
  [
    'a code waits for its exchange, Temporal is 2 s ahead',
    async (stage) => {
      stage.facts.attempts.push(await stage.consent());
      stage.facts.skewMs = 2_000;
    },
  ],
];

const OF_B: readonly Named[] = [
  [
    'the permission for the profile was withdrawn, due for upkeep',
    async (stage) => {
      await connected(stage);
      stage.world.control.withdraw(stage.facts.account, 'user.info.basic');
      await dueForUpkeep(stage);
    },
  ],
  [
    'four sessions are unfinished',
    async (stage) => {
      for (let count = 0; count < 4; count += 1) await stage.create();
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
      await world.importToken(facts);
      const [connection] = await world.sql`select connection_id from connection`;
      facts.connectionId = connection?.connectionId;
      await world.settleNow();
    },
  ],
];

const of = (provider: ProviderName, states: readonly Named[]): (State & { provider: ProviderName })[] =>
  states.map(([name, build]) => ({ name: `${provider}: ${name}`, provider, build }));

export const STATES: readonly (State & { readonly provider: ProviderName })[] = [
  ...of('PROVIDER_A', [...COMMON, ...OF_A]),
  ...of('PROVIDER_B', [...COMMON, ...OF_B]),
  ...of('PROVIDER_C', [...COMMON.filter(([name]) => !name.includes('revoke')), ...OF_C]),
];
