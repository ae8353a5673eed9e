import { z } from 'zod';
import { CALLBACK_KINDS } from './callback-kinds.ts';
import type { CallbackDelivery, Deliveries } from './deliveries.ts';
import { CallbackOptions, type SendCallback } from './emulation.ts';
import { EMULATIONS, type SandboxSettings } from './emulations.ts';
import type { FaultInput, InjectedFault } from './faults.ts';
import type { Idp } from './idp/idp.ts';
import type { Person } from './idp/people.ts';
import type { StoredEntries } from './idp/storage.ts';
import {
  PLATFORMS,
  type Platform,
  type Post,
  type SandboxAccount,
  type SandboxClient,
  type SandboxGrant,
  type SandboxProvider,
  type Token,
} from './model.ts';
import type { World, WorldState } from './world.ts';

const url = z
  .url({ protocol: /^https?$/ })
  .nullable()
  .optional();
export const ClientBody = z.strictObject({
  provider: z.enum(PLATFORMS),
  clientId: z.string().min(1),
  name: z.string().min(1).optional(),
  clientSecret: z.string().min(1).optional(),
  isRefused: z.boolean().optional(),
  metaSecret: z.string().min(1).nullable().optional(),
  /** Compared exactly. Null accepts any loopback connect callback. */
  redirectUris: z.array(z.url()).readonly().nullable().optional(),
  project: z.string().min(1).optional(),
  webhookUrl: url,
  dataDeletionUrl: url,
});

export const CallbackBody = CallbackOptions.extend({
  kind: z.enum(CALLBACK_KINDS.map(({ kind }) => kind)),
  clientId: z.string(),
  account: z.string(),
});

export type SettingsChange = { readonly [Side in keyof SandboxSettings]?: Partial<SandboxSettings[Side]> | undefined };

/** The state of all platforms at one moment. */
export interface SandboxState {
  readonly world: WorldState;
  readonly idp: StoredEntries;
}

/** An error of the control API: the object does not exist, or the request makes no sense. */
export class ControlError extends Error {
  override readonly name = 'ControlError';
}

/** All operations that a test, or a person on the control page, can perform on the sandbox. */
export class Control {
  readonly #world: World;
  readonly #deliveries: Deliveries;
  readonly #senders: Readonly<Record<Platform, SendCallback | null>>;
  readonly #idp: Idp;

  constructor(parts: {
    world: World;
    deliveries: Deliveries;
    senders: Readonly<Record<Platform, SendCallback | null>>;
    idp: Idp;
  }) {
    this.#world = parts.world;
    this.#deliveries = parts.deliveries;
    this.#senders = parts.senders;
    this.#idp = parts.idp;
  }

  /** Restores the state of the first start and clears the call log. */
  reset(): void {
    this.#world.reset();
    this.#world.calls.clear();
    this.#deliveries.clear();
  }

  /** The state of all platforms, for `restore`. Not part of it: faults, calls and deliveries. */
  snapshot(): SandboxState {
    return { world: structuredClone(this.#world.snapshot()), idp: this.#idp.snapshot() };
  }

  /** Brings all platforms back to an earlier state, as often as needed. */
  restore({ world, idp }: SandboxState): void {
    this.#world.faults.clear();
    this.#world.calls.clear();
    this.#world.restore(structuredClone(world));
    this.#idp.restore(idp);
  }

  /** The names of a platform's routes, for the faults of one. */
  routesOf(provider: SandboxProvider): readonly string[] {
    return this.#world.faults.routesOf(provider);
  }

  addFault({ provider, route, account, what, times = 1, skip = 0 }: FaultInput): InjectedFault {
    const routes = this.#world.faults.routesOf(provider);
    if (route !== undefined && !routes.includes(route)) {
      throw new ControlError(`${provider} has no route "${route}". It has ${routes.join(', ')}.`);
    }
    return this.#world.faults.add({
      provider: provider,
      route: route ?? null,
      account: account ?? null,
      what,
      times,
      skip,
    });
  }

  faults(): readonly InjectedFault[] {
    return this.#world.faults.list();
  }

  removeFault(id: number): void {
    if (!this.#world.faults.remove(id)) throw new ControlError('There is no such fault.');
  }

  clearFaults(): void {
    this.#world.faults.clear();
  }

  calls(filter: { provider?: string | undefined; route?: string | undefined; account?: string | undefined } = {}) {
    return this.#world.calls.list(filter);
  }

  clearCalls(): void {
    this.#world.calls.clear();
  }

  settings(): SandboxSettings {
    return this.#world.settings as unknown as SandboxSettings; // Each platform's folder has given its own.
  }

  changeSettings(change: SettingsChange): SandboxSettings {
    const changed: Readonly<Record<string, object | undefined>> = change;
    this.#world.settings = Object.fromEntries(
      Object.entries(this.#world.settings).map(([letter, now]) => [letter, { ...now, ...changed[letter] }]),
    );
    return this.settings();
  }

  /** Sets the offset of the sandbox's clock, in milliseconds. */
  setClock(offsetMs: number): void {
    this.#world.clock.offsetMs = offsetMs;
  }

  clock(): { now: string; offsetMs: number } {
    const { clock } = this.#world;
    return { now: new Date(clock.now()).toISOString(), offsetMs: clock.offsetMs };
  }

  clients(): readonly SandboxClient[] {
    return this.#world.clients;
  }

  /** Adds a client, or changes the given fields of the client with this id. */
  registerClient({ provider, clientId, ...change }: z.input<typeof ClientBody>): SandboxClient {
    const known = this.#world.findClient(provider, clientId);
    const secret = change.clientSecret ?? known?.clientSecret;
    if (secret === undefined) throw new ControlError('A new client needs a clientSecret.');
    const client: SandboxClient = {
      platform: provider,
      clientId,
      name: change.name ?? known?.name,
      clientSecret: secret,
      isRefused: change.isRefused ?? known?.isRefused ?? false,
      metaSecret: change.metaSecret === undefined ? (known?.metaSecret ?? null) : change.metaSecret,
      redirectUris: change.redirectUris === undefined ? (known?.redirectUris ?? null) : change.redirectUris,
      project: change.project ?? known?.project ?? 'sandbox-project',
      webhookUrl: change.webhookUrl === undefined ? (known?.webhookUrl ?? null) : change.webhookUrl,
      dataDeletionUrl: change.dataDeletionUrl === undefined ? (known?.dataDeletionUrl ?? null) : change.dataDeletionUrl,
    };
    this.#world.register(client);
    return client;
  }

  account(id: string): SandboxAccount {
    const account = this.#world.content.accounts.get(id);
    if (account === undefined) {
      throw new ControlError(`There is no account with the id "${id}". GET /control/accounts lists them.`);
    }
    return account;
  }

  accounts(provider?: Platform): readonly SandboxAccount[] {
    return (provider === undefined ? PLATFORMS : [provider]).flatMap((platform) => this.#world.accountsOf(platform));
  }

  grants(): readonly (SandboxGrant & { readonly tokens: readonly Token[] })[] {
    const { grants } = this.#world;
    return grants.list().map((grant) => ({ ...grant, tokens: grants.tokensOf(grant) }));
  }

  /**
   * Removes the app in the account's settings, for all clients, as a person would.
   * With `notify`, the default, the platform notifies each client that has a callback URL for it.
   * @returns the number of grants that ended
   */
  removeApp(accountId: string, { notify = true, reason = 1 } = {}): number {
    const { principal, platform } = this.account(accountId);
    const ended = this.#world.grants.end((grant) => grant.platform === platform && grant.principal === principal);
    for (const clientId of new Set(ended.map((grant) => grant.clientId))) {
      const client = this.#world.findClient(platform, clientId);
      if (!notify || client === undefined) continue;
      const told = EMULATIONS[platform].callbacks.find(({ tellsRemoval }) => tellsRemoval);
      if (told !== undefined) void this.#senders[platform]?.(told.kind, client, this.account(accountId), { reason });
    }
    return ended.length;
  }

  /** The permissions that apps have of an account now. */
  permissions(accountId: string): readonly string[] {
    const { id } = this.account(accountId);
    const grants = this.#world.grants.live((one) => one.accountId === id);
    return [...new Set(grants.flatMap((grant) => grant.permissions))];
  }

  /** Withdraws one permission. The account's grants stay alive. */
  withdraw(accountId: string, permission: string): void {
    for (const grant of this.#world.grants.live((one) => one.accountId === accountId)) {
      grant.permissions = grant.permissions.filter((name) => name !== permission);
    }
  }

  /** Expires the account's tokens of this kind now. Their grants stay alive. */
  expireTokens(accountId: string, kind: Token['kind']): void {
    const { id } = this.account(accountId);
    const { grants, clock } = this.#world;
    for (const grant of grants.live((one) => one.accountId === id)) {
      for (const token of grants.tokensOf(grant)) if (token.kind === kind) token.expiresAt = clock.now();
    }
  }

  posts(accountId: string): readonly Post[] {
    return this.#world.content.of(this.account(accountId).id);
  }

  /** Adds a post, with default values for missing fields. */
  addPost(accountId: string, post: Partial<Omit<Post, 'accountId'>> = {}): Post {
    const account = this.account(accountId);
    const { look } = EMULATIONS[account.platform];
    const now = this.#world.clock.now();
    const number = String(this.#world.content.edits.added.length + 1);
    const added: Post = {
      id: look.addedPostId(number),
      kind: 'video',
      code: `DA${number.padStart(9, '0')}`,
      uploadedAt: now,
      publishedAt: now,
      title: `A new post (${number})`,
      caption: `Added to ${account.name} just now.`,
      views: '1',
      likes: '0',
      comments: '0',
      shares: look.hasShares ? '0' : null,
      isPublic: true,
      isPinned: false,
      insights: 'given',
      seconds: 30,
      ...post,
      accountId,
    };
    this.#world.content.add(added);
    return added;
  }

  /** Edits a post, or hides it with `isPublic: false`. */
  changePost(postId: string, change: Partial<Omit<Post, 'id' | 'accountId'>>): Post {
    this.#post(postId);
    this.#world.content.change(postId, change);
    return this.#post(postId);
  }

  deletePost(postId: string): void {
    this.#post(postId);
    this.#world.content.delete(postId);
  }

  /** Sends a platform's callback, genuine or forged. @returns its delivery */
  async sendCallback(input: z.input<typeof CallbackBody>): Promise<CallbackDelivery> {
    const account = this.account(input.account);
    const client = this.#world.findClient(account.platform, input.clientId);
    if (client === undefined) throw new ControlError('There is no such client.');
    const send = this.#senders[account.platform];
    if (send === null || !EMULATIONS[account.platform].callbacks.some(({ kind }) => kind === input.kind)) {
      throw new ControlError(`${account.platform} sends no ${input.kind}.`);
    }
    const delivery = send(input.kind, client, account, input);
    if (delivery === null) throw new ControlError('The client has no URL for this callback.');
    return await delivery;
  }

  /** The people who can sign in at the OpenID provider. */
  people(): readonly Person[] {
    return this.#idp.people();
  }

  /** Makes the OpenID provider sign with a new key. */
  async rotateIdpKeys(): Promise<void> {
    await this.#idp.rotateKeys();
  }

  deliveries(): readonly CallbackDelivery[] {
    return this.#deliveries.list();
  }

  #post(id: string): Post {
    const post = this.#world.content.find(id);
    if (post === undefined) throw new ControlError('There is no such post.');
    return post;
  }
}
