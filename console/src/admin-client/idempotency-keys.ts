/** Gives a request that creates something its idempotency key, so that repeating it after a lost answer creates nothing more. */
export interface IdempotencyKeys {
  /** Returns the same key for the same request until `answered` is called. */
  keyFor(request: string): string;
  /** Makes the next request, even an equal one, get a new key. */
  answered(): void;
}

export function createIdempotencyKeys(newKey: () => string = () => crypto.randomUUID()): IdempotencyKeys {
  let last: { readonly request: string; readonly key: string } | undefined;
  return {
    keyFor(request) {
      if (last?.request !== request) last = { request, key: newKey() };
      return last.key;
    },
    answered() {
      last = undefined;
    },
  };
}
