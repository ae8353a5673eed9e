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

/** One sign-in that counts until it is finished or has expired. */
export interface UnfinishedSignIn {
  release(): void;
}

/** Counts unfinished sign-ins by network. The service cannot, because it sees only this server's address. */
export class UnfinishedSignIns {
  readonly #open = new Map<UnfinishedSignIn, { network: string; expiresAtMs: number }>();

  /** Call this before the request to the service. @throws TooManySignIns */
  begin(network: string): UnfinishedSignIn {
    const nowMs = Date.now();
    let count = 0;
    let oldestMs = Number.POSITIVE_INFINITY;
    for (const [signIn, { network: other, expiresAtMs }] of this.#open) {
      if (expiresAtMs <= nowMs) this.#open.delete(signIn);
      else if (other === network) {
        count += 1;
        oldestMs = Math.min(oldestMs, expiresAtMs);
      }
    }
    if (count >= MAX_PER_NETWORK) throw new TooManySignIns(Math.ceil((oldestMs - nowMs) / 1000));
    const begun: UnfinishedSignIn = { release: () => void this.#open.delete(begun) };
    this.#open.set(begun, { network, expiresAtMs: nowMs + ATTEMPT_MS });
    return begun;
  }
}
