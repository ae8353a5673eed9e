import { extendContext, type PublicContext } from '../context.ts';
import { unavailable } from '../http/in-time.ts';
import type { Called, GraphqlOptions } from './contract.ts';

interface Asked {
  readonly context: PublicContext | Promise<PublicContext>;
  /** Settles later than `context` only if that is a guess. */
  readonly checked: Promise<unknown>;
}

/** Asks at most once who sends a request. */
export class Caller {
  readonly #options: Pick<GraphqlOptions, 'authorize' | 'guess' | 'shared'>;
  readonly #called: Omit<Called, 'isQuery'>;
  readonly #open: PublicContext;
  #isQuery = false;
  #asked: Asked | undefined;

  constructor(
    options: Pick<GraphqlOptions, 'authorize' | 'guess' | 'shared'>,
    called: Omit<Called, 'isQuery'>,
    open: PublicContext,
  ) {
    this.#options = options;
    this.#called = called;
    this.#open = open;
  }

  /** Declares, before anything asks who calls, that the request changes nothing. */
  willQuery(): void {
    this.#isQuery = true;
  }

  /**
   * Authenticates the caller.
   * @throws ServiceError `UNAUTHENTICATED`, `FORBIDDEN` or `RATE_LIMITED`; `UPSTREAM_UNAVAILABLE` once the request has
   *   been answered: nothing more begins for it.
   */
  authorize(): PublicContext | Promise<PublicContext> {
    if (this.#called.exchange.unfinished !== undefined) throw unavailable();
    return this.#ask().context;
  }

  /** Resolves when the caller has been checked. @throws as `authorize` does */
  check(): Promise<unknown> {
    return this.#ask().checked;
  }

  /** Waits for the check, if anything of this request asked who calls. @returns why the caller is refused. */
  async findRefusal(): Promise<{ readonly error: unknown } | undefined> {
    return await this.#asked?.checked.then(
      () => undefined,
      (error: unknown) => ({ error }),
    );
  }

  #ask(): Asked {
    this.#asked ??= this.#begin();
    return this.#asked;
  }

  #begin(): Asked {
    const called: Called = { ...this.#called, isQuery: this.#isQuery };
    const guess = this.#options.guess?.(called);
    if (guess === undefined) {
      const context = this.#options.authorize(called).then((own) => this.#createContext(own));
      return { context, checked: context };
    }
    const checked = guess.check();
    checked.catch(() => undefined); // `check` and `findRefusal` report it.
    return { context: this.#createContext(guess.context), checked };
  }

  #createContext(own: object): PublicContext {
    return Object.assign(extendContext(this.#options.shared ?? {}, this.#open), own);
  }
}
