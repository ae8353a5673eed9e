const DAY_MS = 86_400_000;

/** The sandbox's clock: the base clock plus an offset that the control API sets. Milliseconds since the epoch. */
export class SandboxClock {
  readonly #base: () => number;
  offsetMs = 0;

  constructor(base: () => number = Date.now) {
    this.#base = base;
  }

  now(): number {
    return this.#base() + this.offsetMs;
  }

  /** Midnight UTC before now. */
  startOfDay(): number {
    return Math.floor(this.now() / DAY_MS) * DAY_MS;
  }
}
