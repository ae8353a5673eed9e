import { setTimeout as delay } from 'node:timers/promises';
import { vi } from 'vitest';
import type { FaultInput, FaultKind } from '../../sandbox/src/faults.ts';
import { Random } from '../../sandbox/src/random.ts';
import { answerWith, hang } from '../kit/webhook-receiver.ts';
import { TROUBLES } from './network.ts';
import type { Breakable, Stage } from './stage.ts';

/** Calls whose answers are worth losing: those that take effect once, and those in the middle of a list. */
const ROUTES = {
  PROVIDER_A: ['token', 'revoke', 'channels', 'playlistItems', 'videos'],
  PROVIDER_B: ['token', 'revoke', 'userInfo', 'videoList', 'videoQuery'],
  PROVIDER_C: ['token', 'exchange', 'refresh', 'me', 'media', 'item', 'items', 'insights'],
  IDP: ['discovery', 'jwks', 'token', 'userinfo'],
} as const;

/**
 * No platform asks for a wait of more than a minute. A workflow's time is real time, so that an attempt whose deadline is ten
 * minutes away has those and all that business time is ahead. If a platform asks for an hour, a person is told at once that the
 * attempt has failed; here it would wait for that hour.
 */
const KINDS: readonly [FaultKind, ...FaultKind[]] = [
  { kind: 'status', status: 500 },
  { kind: 'status', status: 503, retryAfterSeconds: 1 },
  { kind: 'status', status: 429, retryAfterSeconds: 2 },
  { kind: 'hang' },
  { kind: 'slow', delayMs: 1_500 },
  { kind: 'trickle', intervalMs: 40 },
  { kind: 'resetMidBody' },
  { kind: 'answerLost' },
  { kind: 'malformedJson' },
  { kind: 'wrongContentType' },
];

/** The actions of a run, each with its weight in a hundred. */
const SHARES = {
  platform: 37,
  kill: 20,
  freeze: 12,
  network: 12,
  'kill at answer': 14,
  'endpoint away': 3,
  clock: 2,
} as const;
export type Damage = keyof typeof SHARES;
export const DAMAGES = Object.keys(SHARES) as readonly Damage[];

const MINUTE_MS = 60_000;

/** Breaks one thing after the other, by the seed, until it is stopped. Everything it breaks it also repairs. */
export class Nemesis {
  readonly #stage: Stage;
  readonly #random: Random;
  readonly #everyMs: number;
  readonly #allowed: readonly Damage[];
  /** Parts that are broken now: nothing is broken twice at once. */
  readonly #broken = new Set<string>();
  readonly #repairs = new Set<Promise<void>>();
  /** Faults of platforms, perhaps used up. */
  readonly #faults: number[] = [];
  /** How often it did each kind of damage. */
  readonly counts = new Map<string, number>();
  #isStopping = false;
  /** The first thing that could not be repaired. */
  #failure: unknown;
  #movedMs = 0;

  /** @param allowed the only damage it does; the seed chooses among all, so fewer kinds leave the others as they are */
  constructor(stage: Stage, seed: string, everyMs: number, allowed: readonly Damage[] = DAMAGES) {
    this.#stage = stage;
    this.#allowed = allowed;
    this.#random = new Random(`${seed}/nemesis`);
    this.#everyMs = everyMs;
  }

  async run(): Promise<void> {
    while (!this.#isStopping) {
      await delay(this.#random.int(this.#everyMs / 2, this.#everyMs * 1.5));
      const work = this.#damage().finally(() => this.#repairs.delete(work));
      this.#repairs.add(work);
      // Reported by the run below, which awaits the rest.
      work.catch((error: unknown) => {
        this.#failure ??= error;
      });
    }
    await Promise.allSettled(this.#repairs);
    if (this.#failure !== undefined) throw this.#failure;
    const { control } = this.#stage.service.sandbox;
    for (const { id } of [...control.faults()]) if (this.#faults.includes(id)) control.removeFault(id);
  }

  /** Does no more damage. `run` resolves when everything is repaired. */
  stop(): void {
    this.#isStopping = true;
  }

  async #damage(): Promise<void> {
    let choice = this.#random.int(1, 100);
    const damage = DAMAGES.find((one) => {
      choice -= SHARES[one];
      return choice <= 0;
    });
    if (damage === undefined || !this.#allowed.includes(damage)) return;
    if (damage === 'platform') return this.#disturbPlatform();
    if (damage === 'kill') return await this.#killOne();
    if (damage === 'freeze') return await this.#freezeOne();
    if (damage === 'network') return await this.#disturbNetwork();
    if (damage === 'kill at answer') return await this.#killAtAnswer();
    if (damage === 'endpoint away') return await this.#breakReceiver();
    await this.#moveClocks();
  }

  /** Each is drawn equally often, though all of them wait for Postgres and Temporal. */
  #parts(): readonly Breakable[] {
    const { service, postgres } = this.#stage;
    return [...service.apis, ...service.workers, service.temporal, postgres];
  }

  async #killOne(): Promise<void> {
    const part = this.#random.pick(this.#parts() as [Breakable, ...Breakable[]]);
    await this.#break(part.name, `kill ${kindOf(part.name)}`, async () => {
      await part.kill();
      await delay(this.#random.int(100, 2_500));
      await startAgain(part);
    });
  }

  async #freezeOne(): Promise<void> {
    const part = this.#random.pick(this.#parts() as [Breakable, ...Breakable[]]);
    await this.#break(part.name, `freeze ${kindOf(part.name)}`, async () => {
      part.pause();
      try {
        await delay(this.#random.int(500, 6_000));
      } finally {
        part.resume();
      }
    });
  }

  /** Breaks all links to a server, or one of them. */
  async #disturbNetwork(): Promise<void> {
    const { network } = this.#stage;
    const links = network?.links ?? [];
    const to = this.#random.pick([...new Set(links.map((link) => link.to))] as [string, ...string[]]);
    const all = links.filter((link) => link.to === to).map(({ name }) => name);
    const one = this.#random.pick(all as [string, ...string[]]);
    const isOne = this.#random.next() < 0.5 && all.length > 1;
    const trouble = this.#random.pick(TROUBLES);
    const ms = this.#random.int(300, 5_000);
    if (network === undefined) return;
    await this.#breakAll(isOne ? [one] : all, `network ${trouble}: ${isOne ? 'one to ' : ''}${to}`, (name) =>
      network.disturb(name, trouble, () => delay(ms)),
    );
  }

  #disturbPlatform(): void {
    const provider = this.#random.pick<keyof typeof ROUTES>(['PROVIDER_A', 'PROVIDER_B', 'PROVIDER_C', 'IDP']);
    const route = this.#random.pick<string>(ROUTES[provider]);
    const what = this.#random.pick(KINDS);
    const [times, skip] = [this.#random.int(1, 3), this.#random.int(0, 2)];
    this.#addFault({ provider, route, what, times, skip });
    this.#note(`platform: ${what.kind}`, `${provider} ${route} ×${times} after ${skip}`);
  }

  #addFault(fault: FaultInput): void {
    this.#faults.push(this.#stage.service.sandbox.control.addFault(fault).id);
  }

  /**
   * Waits until a platform answers a call that counts, and kills the workers before they store the answer: between a code
   * or a rotated token and its row, in the middle of a list or of a revoke.
   */
  async #killAtAnswer(): Promise<void> {
    const provider = this.#random.pick<keyof typeof ROUTES>(['PROVIDER_A', 'PROVIDER_B', 'PROVIDER_C']);
    const route = this.#random.pick<string>(ROUTES[provider]);
    const { workers, sandbox } = this.#stage.service;
    if (workers.some(({ name }) => this.#broken.has(name))) return;
    for (const { name } of workers) this.#broken.add(name);
    try {
      const last = sandbox.control.calls().at(-1)?.number ?? 0;
      this.#addFault({ provider, route, what: { kind: 'trickle', intervalMs: 200 } });
      const isHit = () =>
        sandbox.control.calls({ provider, route }).some((call) => call.number > last && call.fault !== null);
      if (!(await vi.waitUntil(isHit, { timeout: 8_000, interval: 10 }).catch(() => false))) return;
      this.#note(`kill at ${route}`, workers.map(({ name }) => name).join());
      await Promise.all(workers.map((worker) => worker.kill()));
      await delay(this.#random.int(100, 1_000));
      await Promise.all(workers.map(startAgain));
    } finally {
      for (const { name } of workers) this.#broken.delete(name);
    }
  }

  async #breakReceiver(): Promise<void> {
    const { receiver } = this.#stage;
    await this.#break('receiver', 'webhook endpoint away', async () => {
      const isHanging = this.#random.next() < 0.3;
      const honest = receiver.answer(isHanging ? hang : answerWith(503));
      await delay(this.#random.int(500, 4_000));
      receiver.answer(honest);
    });
  }

  /** Past the deadline of an attempt and to the next automatic refresh. Attempts and jobs stay readable for a day. */
  async #moveClocks(): Promise<void> {
    if (this.#movedMs > 600 * MINUTE_MS) return;
    this.#movedMs += 16 * MINUTE_MS;
    await this.#break('clock', 'clock moved', () => this.#stage.moveClocks(16 * MINUTE_MS));
  }

  async #break(part: string, kind: string, work: () => Promise<unknown>): Promise<void> {
    await this.#breakAll([part], kind, work);
  }

  /** Breaks those of some things that are whole. */
  async #breakAll(names: readonly string[], kind: string, work: (name: string) => Promise<unknown>): Promise<void> {
    const whole = names.filter((name) => !this.#broken.has(name));
    if (whole.length === 0) return;
    for (const name of whole) this.#broken.add(name);
    this.#note(kind, whole.join());
    try {
      await Promise.all(whole.map(work));
    } finally {
      for (const name of whole) this.#broken.delete(name);
    }
  }

  #note(kind: string, detail: string): void {
    this.counts.set(kind, (this.counts.get(kind) ?? 0) + 1);
    this.#stage.history.add('run', { type: 'fault', kind, detail });
  }
}

/** Starts a part as a supervisor does: again, if it ends because something that it needs is away. */
async function startAgain(part: Pick<Breakable, 'start' | 'kill'>): Promise<void> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await part.start();
    } catch (error) {
      if (tries === 10) throw error;
      await part.kill();
      await delay(1_000);
    }
  }
}

const kindOf = (name: string) => name.replace(/-\d+$/, '');
