import { extendContext, type PublicContext } from '../context.ts';
import type { Exchange, RequestHeaders } from '../http/exchange.ts';
import { unavailable } from '../http/in-time.ts';
import type { Called, GraphqlOptions } from './contract.ts';

interface Asked {
  readonly context: PublicContext;
  /** Undefined if the context is not a guess. */
  readonly check: Promise<unknown> | undefined;
}

/** Asks at most once who sends a request, and starts with a guess where there is one. */
export class Caller {
  readonly #options: Pick<GraphqlOptions, 'authorize' | 'guess' | 'shared'>;
  readonly #headers: RequestHeaders;
  readonly #exchange: Exchange;
  readonly #open: PublicContext;
  #isQuery = false;
  #asked: Asked | Promise<Asked> | undefined;

  constructor(
    options: Pick<GraphqlOptions, 'authorize' | 'guess' | 'shared'>,
    headers: RequestHeaders,
    exchange: Exchange,
    open: PublicContext,
  ) {
    this.#options = options;
    this.#headers = headers;
    this.#exchange = exchange;
    this.#open = open;
  }

  /** Marks the request as one that changes nothing, before its caller is known. */
  willQuery(): void {
    this.#isQuery = true;
  }

  /**
   * Authenticates the caller. A read may get its context while the caller is still being checked.
   * @throws ServiceError `UNAUTHENTICATED`, `FORBIDDEN` or `RATE_LIMITED`; `UPSTREAM_UNAVAILABLE` once the request has
   *   been answered: nothing more begins for it.
   */
  authorize(): PublicContext | Promise<PublicContext> {
    if (this.#exchange.unfinished !== undefined) throw unavailable();
    const asked = this.#ask();
    return asked instanceof Promise ? asked.then(({ context }) => context) : asked.context;
  }

  /** Resolves when the caller has been checked. @throws as `authorize` does */
  async check(): Promise<void> {
    await (await this.#ask()).check;
  }

  /** Waits for the check, if anything of this request asked who calls. @returns why the caller is refused. */
  async findRefusal(): Promise<{ readonly error: unknown } | undefined> {
    if (this.#asked === undefined) return undefined;
    try {
      await this.check();
      return undefined;
    } catch (error) {
      return { error };
    }
  }

  #ask(): Asked | Promise<Asked> {
    this.#asked ??= this.#guess() ?? this.#authorize();
    return this.#asked;
  }

  #guess(): Asked | undefined {
    const guessed = this.#options.guess?.(this.#describe());
    if (guessed === undefined) return undefined;
    const check = guessed.check();
    check.catch(() => undefined); // `check` and `findRefusal` report it.
    return { context: this.#createContext(guessed.context), check };
  }

  async #authorize(): Promise<Asked> {
    const context = await this.#options.authorize(this.#describe());
    return { context: this.#createContext(context), check: undefined };
  }

  #createContext(own: object): PublicContext {
    return Object.assign(extendContext(this.#options.shared ?? {}, this.#open), own);
  }

  #describe(): Called {
    const headers = this.#headers;
    return {
      authorization: headers.get('authorization'),
      exchange: this.#exchange,
      headers,
      isQuery: this.#isQuery,
    };
  }
}
