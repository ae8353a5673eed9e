import { randomInt } from 'node:crypto';
import { EventEmitter } from 'node:events';

/** Tells the open pages of one session that they show old data, or that the session has ended. */
export class Changes {
  /** Random at first, so that a page from before a restart does not take it for the version it shows. */
  #version = randomInt(2 ** 47);
  readonly #emitter = new EventEmitter();
  isOver = false;
  /** How many streams read these changes. */
  streams = 0;

  /** Changes whenever a page should be read again. */
  get version(): string {
    return String(this.#version);
  }

  announce(): void {
    this.#version += 1;
    this.wake();
  }

  /** Ends the streams. */
  end(): void {
    this.isOver = true;
    this.wake();
  }

  wake(): void {
    this.#emitter.emit('wake');
  }

  /** Waits until `wake`, or for `ms`. */
  async wait(ms: number): Promise<void> {
    await new Promise<void>((resolve) => {
      const timer = setTimeout(() => this.#emitter.off('wake', wake) && resolve(), ms);
      const wake = () => {
        clearTimeout(timer);
        resolve();
      };
      this.#emitter.once('wake', wake);
    });
  }
}
