import { AsyncLocalStorage } from 'node:async_hooks';
import { type Access, Step } from './footprints.ts';

/**
 * An operation that runs in pieces. It stops at each gate: before a statement, before a transaction and before its commit,
 * before a call to a platform and before it reads the answer. The scheduler opens the gates of one fiber at a time.
 */
export class Fiber {
  readonly name: string;
  /** Stopped for ever: its process died. */
  isDead = false;
  isDone = false;
  outcome: unknown;
  /** Its past steps. */
  readonly steps: Step[] = [];
  #gates: { readonly label: string; open(): void; kill(): void }[] = [];
  /** Statements and calls that Postgres or a platform works on. */
  #inFlight = 0;
  #changed: (() => void)[] = [];

  constructor(name: string) {
    this.name = name;
  }

  /** Its next step; empty if it is not at a gate. */
  get labels(): readonly string[] {
    return this.#gates.map(({ label }) => label);
  }

  /** Whether it can continue: it stands at a gate. */
  get isWaiting(): boolean {
    return !this.isDead && !this.isDone && this.#gates.length > 0 && this.#inFlight === 0;
  }

  get isOver(): boolean {
    return this.isDead || this.isDone;
  }

  /** Waits for the scheduler. @throws Killed inside a transaction of a fiber that died, which rolls it back. */
  async gate(label: string): Promise<void> {
    if (this.isDead) throw new Killed();
    await new Promise<void>((resolve, reject) => {
      this.#gates.push({ label, open: resolve, kill: () => reject(new Killed()) });
      this.#tell();
    });
  }

  /** Counts work outside the process, during which the fiber stands at no gate. */
  async during<T>(work: () => Promise<T>): Promise<T> {
    this.#inFlight += 1;
    try {
      return await work();
    } finally {
      this.#inFlight -= 1;
      this.#tell();
    }
  }

  /** Notes the reads and writes of its present step. @param isLasting whether that stays if its process dies now */
  note(access: Access, isLasting = false): void {
    const step = this.steps.at(-1);
    step?.add(access);
    if (step !== undefined && isLasting) step.isLasting = true;
  }

  /** Opens all gates at which it stands: statements of one `Promise.all` share a step. */
  open(): void {
    this.steps.push(new Step(this.labels.join(', ')));
    const gates = this.#gates;
    this.#gates = [];
    for (const { open } of gates) open();
  }

  kill(): void {
    this.isDead = true;
    const gates = this.#gates;
    this.#gates = [];
    for (const { kill } of gates) kill();
  }

  finish(outcome: unknown): void {
    this.isDone = true;
    this.outcome = outcome;
    this.#tell();
  }

  /** Resolves at its next change, or after `ms`. */
  async changed(ms: number): Promise<void> {
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, ms);
      this.#changed.push(() => {
        clearTimeout(timer);
        resolve();
      });
    });
  }

  #tell(): void {
    const waiting = this.#changed;
    this.#changed = [];
    for (const one of waiting) one();
  }
}

/** Ends the promises of a fiber whose process died, unseen. */
export class Killed extends Error {
  override readonly name = 'Killed';
}

const current = new AsyncLocalStorage<Fiber>();

export const runAs = <T>(fiber: Fiber, work: () => Promise<T>): Promise<T> => current.run(fiber, work);

/** The fiber that runs this code; undefined during set-up and while all is brought to quiet. */
export const findFiber = (): Fiber | undefined => {
  const fiber = current.getStore();
  return fiber?.isDone ? undefined : fiber;
};

/** Never resolves: the next step of a dead process. */
export const never = <T>(): Promise<T> => new Promise<T>(() => undefined);
