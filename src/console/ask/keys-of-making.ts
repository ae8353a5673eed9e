/** Names a request that makes something, so that it can be sent again when its answer was lost, and makes one thing. */
export interface KeysOfMaking {
  /** The same for the same request until that is answered. */
  keyFor(request: string): string;
  /** From now on the same request is another one. */
  answered(): void;
}

export function createKeysOfMaking(newKey: () => string = () => crypto.randomUUID()): KeysOfMaking {
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
