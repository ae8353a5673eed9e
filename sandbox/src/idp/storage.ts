import type { Adapter } from 'oidc-provider';

/** The content of the storage at one moment. */
export type StoredEntries = readonly (readonly [string, Record<string, unknown>])[];

/** The storage of oidc-provider. It is separate, so that a key rotation loses nothing. */
export class Storage {
  readonly #entries = new Map<string, Record<string, unknown>>();

  snapshot(): StoredEntries {
    return structuredClone([...this.#entries]);
  }

  restore(entries: StoredEntries): void {
    this.#entries.clear();
    for (const [id, payload] of structuredClone(entries)) this.#entries.set(id, payload);
  }

  /** Creates the adapter for one of its models. */
  adapter(model: string): Adapter {
    const entries = this.#entries;
    const key = (id: string) => `${model}:${id}`;
    const findBy = async (name: string, value: string) =>
      [...entries].find(([id, payload]) => id.startsWith(`${model}:`) && payload[name] === value)?.[1];
    return {
      async upsert(id, payload) {
        entries.set(key(id), payload);
      },
      // Returns expired entries too: oidc-provider checks their `exp`.
      async find(id) {
        return entries.get(key(id));
      },
      findByUid: (uid) => findBy('uid', uid),
      findByUserCode: (code) => findBy('userCode', code),
      async consume(id) {
        const payload = entries.get(key(id));
        if (payload !== undefined) payload.consumed = Math.floor(Date.now() / 1000);
      },
      async destroy(id) {
        entries.delete(key(id));
      },
      async revokeByGrantId(grantId) {
        for (const [id, payload] of entries) if (payload.grantId === grantId) entries.delete(id);
      },
    };
  }
}
