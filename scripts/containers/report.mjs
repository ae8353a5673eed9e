/** Prints the results of checks, and counts them. */
export class Report {
  #passed = 0;
  #failed = 0;
  #startedAt = Date.now();

  /**
   * @param {string} name the guarantee
   * @param {boolean} passed
   * @param {unknown} [found] is printed if it does not hold
   */
  check(name, passed, found) {
    console.log(`${passed ? 'ok  ' : 'FAIL'}  ${name}`);
    if (passed) this.#passed += 1;
    else this.#failed += 1;
    if (!passed && found !== undefined) console.log(`      found ${JSON.stringify(found)}`);
  }

  /** A figure without a limit. */
  note(text) {
    console.log(`      ${text}`);
  }

  /** Prints the sum, and sets the exit code. */
  end() {
    const seconds = Math.round((Date.now() - this.#startedAt) / 1_000);
    console.log(`containers: ${this.#passed} passed, ${this.#failed} failed, in ${seconds} s`);
    if (this.#failed > 0 || this.#passed === 0) process.exitCode = 1;
  }
}
