import { setTimeout as delay } from 'node:timers/promises';
import type { Part } from '../kit/processes.ts';

export type Breakable = Pick<Part, 'name' | 'kill' | 'start' | 'pause' | 'resume'>;

const STARTS = 10;
const PAUSE_MS = 1_000;
const LOOK_MS = 500;

/** A part that restarts after its own exit, as in production with Temporal: it ends if it starts without Postgres. */
export class Supervised implements Breakable {
  readonly #part: Part;
  readonly #timer: NodeJS.Timeout;
  /** It has not been stopped. */
  #isWanted = true;
  #isBusy = false;
  #last: Promise<unknown> = Promise.resolve();

  /** @param part runs already */
  constructor(part: Part) {
    this.#part = part;
    this.#timer = setInterval(() => this.#look(), LOOK_MS);
  }

  get name(): string {
    return this.#part.name;
  }

  start = () =>
    this.#inTurn(async () => {
      await this.#part.start();
      this.#isWanted = true;
    });

  kill = () =>
    this.#inTurn(async () => {
      this.#isWanted = false;
      await this.#part.kill();
    });

  pause = () => this.#part.pause();

  resume = () => this.#part.resume();

  /** Leaves it alone from now on. */
  async release(): Promise<void> {
    clearInterval(this.#timer);
    await this.#last;
  }

  #look(): void {
    if (!this.#isWanted || this.#isBusy || this.#part.isRunning) return;
    void this.#inTurn(() => this.#part.start().catch(() => this.#part.kill()));
  }

  #inTurn(work: () => Promise<void>): Promise<void> {
    const done = this.#last.then(async () => {
      this.#isBusy = true;
      try {
        await work();
      } finally {
        this.#isBusy = false;
      }
    });
    this.#last = done.catch(() => undefined);
    return done;
  }
}

/** Starts a part as a supervisor does: again, if it ends because something that it needs is away. */
export async function startAgain(part: Pick<Part, 'start' | 'kill'>): Promise<void> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await part.start();
    } catch (error) {
      if (tries === STARTS) throw error;
      await part.kill();
      await delay(PAUSE_MS);
    }
  }
}
