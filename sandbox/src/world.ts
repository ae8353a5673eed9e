import { Calls } from './calls.ts';
import { SandboxClock } from './clock.ts';
import { type Edits, SandboxContent } from './content.ts';
import { Faults } from './faults.ts';
import { Grants, type GrantsState } from './grants.ts';
import { letterOf, PLATFORMS, type Platform, type SandboxAccount, type SandboxClient } from './model.ts';
import { type Look, seedPlatform } from './seed.ts';

/** The settings of each platform, by its letter. Only its folder knows their content. */
export type Settings = Readonly<Record<string, object>>;

/** The initial world of a platform. */
export interface Beginning {
  readonly look: Look;
  readonly defaults: object;
  readonly client: SandboxClient;
}

/** The state that survives a restart of the sandbox. */
export interface WorldState extends GrantsState {
  readonly version: 1;
  readonly clockOffsetMs: number;
  readonly settings: Settings;
  readonly clients: readonly SandboxClient[];
  readonly edits: Edits;
}

/** The shared state of all sandbox providers. */
export class World {
  readonly clock: SandboxClock;
  readonly faults = new Faults();
  readonly calls = new Calls();
  readonly grants: Grants;
  readonly content: SandboxContent;
  readonly #listeners: (() => void)[] = [];
  readonly #beginnings: Readonly<Record<Platform, Beginning>>;
  settings: Settings;
  clients: readonly SandboxClient[];
  /** The sandbox's own base URL, set once it listens. */
  url = '';

  constructor(beginnings: Readonly<Record<Platform, Beginning>>, seed: string, now?: () => number, crowd = 0) {
    this.#beginnings = beginnings;
    this.settings = this.#defaults();
    this.clients = this.#knownClients();
    this.clock = new SandboxClock(now);
    this.grants = new Grants(this.clock);
    const today = this.clock.startOfDay();
    const seeded = PLATFORMS.map((platform) => seedPlatform(platform, beginnings[platform].look, seed, today, crowd));
    this.content = new SandboxContent(
      seeded.flatMap(({ accounts }) => accounts),
      seeded.flatMap(({ posts }) => posts),
    );
  }

  accountsOf(platform: Platform): readonly SandboxAccount[] {
    return [...this.content.accounts.values()].filter((account) => account.platform === platform);
  }

  findClient(platform: Platform, clientId: string): SandboxClient | undefined {
    return this.clients.find((client) => client.platform === platform && client.clientId === clientId);
  }

  /** Adds a client, or replaces the one with its id. */
  register(client: SandboxClient): void {
    const isOther = (one: SandboxClient) => one.platform !== client.platform || one.clientId !== client.clientId;
    this.clients = [...this.clients.filter(isOther), client];
  }

  snapshot(): WorldState {
    const { clock, settings, clients, content } = this;
    this.grants.prune();
    const { edits } = content;
    return { version: 1, clockOffsetMs: clock.offsetMs, settings, clients, edits, ...this.grants.snapshot() };
  }

  restore(state: WorldState): void {
    this.clock.offsetMs = state.clockOffsetMs;
    // The state may be of a time when the sandbox emulated fewer platforms, and these had fewer settings.
    const defaults = Object.entries(this.#defaults());
    this.settings = Object.fromEntries(
      defaults.map(([letter, own]) => [letter, { ...own, ...state.settings[letter] }]),
    );
    this.clients = state.clients;
    for (const client of this.#knownClients()) {
      if (this.findClient(client.platform, client.clientId) === undefined) this.register(client);
    }
    this.content.restore(state.edits);
    this.grants.restore(state);
  }

  /** Restores the initial state. Keeps the call log. */
  reset(): void {
    this.faults.clear();
    this.restore({
      version: 1,
      clockOffsetMs: 0,
      settings: this.#defaults(),
      clients: this.#knownClients(),
      edits: { added: [], changed: {}, deleted: [] },
      grants: [],
      tokens: [],
      codes: [],
    });
    for (const listener of this.#listeners) listener();
  }

  /** Calls the listener after each reset, for components with counters of their own. */
  onReset(listener: () => void): void {
    this.#listeners.push(listener);
  }

  #defaults(): Settings {
    return structuredClone(
      Object.fromEntries(PLATFORMS.map((platform) => [letterOf(platform), this.#beginnings[platform].defaults])),
    );
  }

  #knownClients(): readonly SandboxClient[] {
    return PLATFORMS.map((platform) => this.#beginnings[platform].client);
  }
}
