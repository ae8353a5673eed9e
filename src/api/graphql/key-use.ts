import { setTimeout as delay } from 'node:timers/promises';
import type { KeyId } from '../../basics/ids.ts';
import type { Log } from '../../basics/log.ts';

/** How long a process waits after a key's use before it writes the uses that came in. */
const BATCH_MS = 5_000;
/** A key that this process has written in the last minute is not written again. */
const FRESH_MS = 60_000;
/** A process that stops does not wait longer for the database. */
const CLOSE_WITHIN_MS = 1_000;
/** More than an api meets in a minute. Beyond it, a key may be written again sooner. */
const MAX_KNOWN = 10_000;

export interface KeyUse {
  /** Notes that a valid key was used. Never waits and never throws. */
  note(keyId: KeyId): void;
  /** Writes the noted uses, if the database answers within a second. Never throws. */
  close(): Promise<void>;
}

/**
 * Records when keys were last used: in batches, at most once a minute for each key, and apart from the requests. A use that
 * cannot be written is dropped, and the key's next use is noted again.
 * @param write stores that the keys are in use.
 */
export function createKeyUse(
  write: (keyIds: readonly KeyId[]) => Promise<void>,
  log: Log,
  { batchMs = BATCH_MS, freshMs = FRESH_MS } = {},
): KeyUse {
  const notedAtMs = new Map<KeyId, number>();
  let pending = new Set<KeyId>();
  let timer: NodeJS.Timeout | undefined;
  let writing: Promise<void> = Promise.resolve();

  function flush(): Promise<void> {
    clearTimeout(timer);
    timer = undefined;
    const batch = [...pending];
    pending = new Set();
    if (batch.length === 0) return writing;
    writing = writing
      .then(() => write(batch))
      .catch((error: unknown) => {
        for (const keyId of batch) notedAtMs.delete(keyId);
        log.warn('The last use of keys was not written', { count: batch.length, error });
      });
    return writing;
  }

  return {
    note(keyId) {
      const nowMs = performance.now();
      const before = notedAtMs.get(keyId);
      if (before !== undefined && nowMs - before < freshMs) return;
      if (notedAtMs.size >= MAX_KNOWN) notedAtMs.clear();
      notedAtMs.set(keyId, nowMs);
      pending.add(keyId);
      timer ??= setTimeout(() => void flush(), batchMs).unref();
    },
    close: () => Promise.race([flush(), delay(CLOSE_WITHIN_MS, undefined, { ref: false })]),
  };
}
