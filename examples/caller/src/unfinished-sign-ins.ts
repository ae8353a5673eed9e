/** The service allows the whole app 20 unfinished sign-ins; one network may have this many of them. */
const MAX_PER_NETWORK = 5;
const ATTEMPT_MS = 10 * 60_000;

/** A network has too many unfinished sign-ins. */
export class TooManySignIns extends Error {
  override readonly name = 'TooManySignIns';
  readonly retryAfterSeconds: number;

  constructor(retryAfterSeconds: number) {
    super('This network has too many unfinished sign-ins.');
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

/** Counts unfinished sign-ins by network. The service cannot, because it sees only this server's address. */
export class UnfinishedSignIns {
  #open: { readonly network: string; readonly expiresAtMs: number }[] = [];

  /** Call this before the request to the service. @returns what ends it @throws TooManySignIns */
  begin(network: string): () => void {
    const nowMs = Date.now();
    this.#open = this.#open.filter(({ expiresAtMs }) => expiresAtMs > nowMs);
    const own = this.#open.filter((one) => one.network === network);
    if (own[0] && own.length >= MAX_PER_NETWORK)
      throw new TooManySignIns(Math.ceil((own[0].expiresAtMs - nowMs) / 1000));
    const begun = { network, expiresAtMs: nowMs + ATTEMPT_MS };
    this.#open.push(begun);
    return () => {
      this.#open = this.#open.filter((one) => one !== begun);
    };
  }
}
