/** Runs the root fields of a request one after another, so that each request uses one database connection at a time. */
export class Sequence {
  #last: Promise<unknown> | undefined;
  #running = 0;

  get isBusy(): boolean {
    return this.#running > 0;
  }

  /** Runs `work` when everything before it has ended. */
  run<T>(work: () => Promise<T>): Promise<T> {
    this.#running += 1;
    const done = this.#last === undefined ? work() : this.#last.then(work);
    const end = () => {
      this.#running -= 1;
    };
    this.#last = done.then(end, end); // The returned promise reports the failure.
    return done;
  }

  /** Resolves once all of its work has ended. */
  async idle(): Promise<void> {
    await this.#last;
  }
}
