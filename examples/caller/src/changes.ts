import { randomInt } from 'node:crypto';

/** Tells the open pages of one session that they show old data, or that the session has ended. */
export class Changes {
  /** Random at first, so that a page from before a restart does not take it for the version it shows. */
  #version = randomInt(2 ** 47);
  #isOver = false;
  readonly #waiting = new Set<() => void>();
  /** How many streams read these changes. */
  streams = 0;

  /** Changes whenever a page should be read again. */
  get version(): string {
    return String(this.#version);
  }

  get isOver(): boolean {
    return this.#isOver;
  }

  announce(): void {
    this.#version += 1;
    this.#wake();
  }

  /** Ends the streams. */
  end(): void {
    this.#isOver = true;
    this.#wake();
  }

  /** Waits for the next change, the end, the signal, or `ms`. */
  async wait(ms: number, signal: AbortSignal): Promise<void> {
    if (this.#isOver || signal.aborted) return;
    await new Promise<void>((resolve) => {
      const wake = () => {
        clearTimeout(timer);
        signal.removeEventListener('abort', wake);
        this.#waiting.delete(wake);
        resolve();
      };
      const timer = setTimeout(wake, ms);
      signal.addEventListener('abort', wake);
      this.#waiting.add(wake);
    });
  }

  #wake(): void {
    for (const wake of [...this.#waiting]) wake();
  }
}
