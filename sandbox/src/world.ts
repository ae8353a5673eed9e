import { Calls } from './calls.ts';
import { KNOWN_CLIENTS } from './clients.ts';
import { SandboxClock } from './clock.ts';
import { type Edits, SandboxContent } from './content.ts';
import { Faults } from './faults.ts';
import { Grants, type GrantsState } from './grants.ts';
import {
  DEFAULT_SETTINGS,
  PLATFORMS,
  type Platform,
  type SandboxAccount,
  type SandboxClient,
  type SandboxSettings,
} from './model.ts';
import { seedPlatform } from './seed.ts';

/** The state that survives a restart of the sandbox. */
export interface WorldState extends GrantsState {
  readonly version: 1;
  readonly clockOffsetMs: number;
  readonly settings: SandboxSettings;
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
  settings: SandboxSettings = structuredClone(DEFAULT_SETTINGS);
  clients: readonly SandboxClient[] = Object.values(KNOWN_CLIENTS);
  /** The sandbox's own base URL, set once it listens. */
  url = '';

  constructor(seed: string, now?: () => number, crowd = 0) {
    this.clock = new SandboxClock(now);
    this.grants = new Grants(this.clock);
    const today = this.clock.startOfDay();
    const seeded = PLATFORMS.map((platform) => seedPlatform(platform, seed, today, crowd));
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
    this.settings = state.settings;
    this.clients = state.clients;
    this.content.restore(state.edits);
    this.grants.restore(state);
  }

  /** Restores the initial state. Keeps the call log. */
  reset(): void {
    this.faults.clear();
    this.restore({
      version: 1,
      clockOffsetMs: 0,
      settings: structuredClone(DEFAULT_SETTINGS),
      clients: Object.values(KNOWN_CLIENTS),
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
}
