import type { AttemptId } from '../../ids.ts';
import type { Log } from '../../log.ts';
import type { Secret } from '../../secret.ts';
import { listEndedAttempts } from '../../store/attempts.ts';
import { listEndedIdentityAttempts } from '../../store/identity-attempts.ts';
import { listen } from '../../store/notifications.ts';
import type { Database } from '../../store/sql.ts';

/** One callback that waits for its attempt to end. */
export interface Hold {
  /** Waits until the attempt has ended, `signal` is aborted, or time is up. @returns false when time was up. */
  ended(signal: AbortSignal): Promise<boolean>;
  release(): void;
}

/** The callbacks of this process that wait for their attempts to end. */
export interface HeldCallbacks {
  /**
   * Begin before the attempt is read: an end from then on is not missed.
   * @returns undefined when a callback of this attempt waits already, or as many wait as may.
   */
  begin(attemptId: AttemptId): Hold | undefined;
  /** An attempt had ended without word of it. */
  missed(): void;
  close(): Promise<void>;
}

export interface HeldCallbacksDeps {
  readonly sql: Database;
  readonly databaseUrl: Secret;
  readonly databaseCa?: string | undefined;
  readonly log: Log;
  /** How long one is held at most. Default 3 s. */
  readonly holdMs?: number;
  /** How many are held at once. */
  readonly most?: number;
}

const DEFAULT_HOLD_MS = 3_000;
/** Each costs a socket and a timer, and no statement while it waits. */
const MOST = 1_000;

/** Listens for ends of attempts for as long as the process runs. Without a session, callbacks are held to their last moment. */
export function createHeldCallbacks(deps: HeldCallbacksDeps): HeldCallbacks {
  const { sql, log, holdMs = DEFAULT_HOLD_MS, most = MOST } = deps;
  const waiting = new Map<AttemptId, () => void>();
  const end = (attemptId: AttemptId) => waiting.get(attemptId)?.();

  /** One statement for each flow, however many wait. */
  async function readAgain(): Promise<void> {
    const held = [...waiting.keys()];
    if (held.length === 0) return;
    try {
      const ended = await Promise.all([listEndedAttempts(sql, held), listEndedIdentityAttempts(sql, held)]);
      for (const attemptId of ended.flat()) end(attemptId);
    } catch (error) {
      log.warn('Held callbacks not read again', { error }); // They go on at their last moment.
    }
  }

  const subscription = listen(
    deps.databaseUrl,
    { channel: 'attempt_ended', applicationName: 'api', ca: deps.databaseCa },
    {
      notified: (id) => end(id as AttemptId),
      listening: () => void readAgain(),
      lost: (error) => log.warn('Listener lost', { error }),
    },
  );
  return {
    begin(attemptId) {
      if (waiting.size >= most || waiting.has(attemptId)) return undefined;
      const { promise, resolve } = withResolvers();
      waiting.set(attemptId, resolve);
      return {
        ended: (signal) => waitForFirst(promise, signal, holdMs),
        release: () => void waiting.delete(attemptId),
      };
    },
    missed() {
      log.warn('Notification missed');
      subscription.distrust();
    },
    close: () => subscription.close(),
  };
}

function withResolvers(): { promise: Promise<void>; resolve: () => void } {
  let resolve = () => {};
  const promise = new Promise<void>((done) => {
    resolve = done;
  });
  return { promise, resolve };
}

async function waitForFirst(ended: Promise<void>, signal: AbortSignal, holdMs: number): Promise<boolean> {
  const { promise: stopped, resolve: stop } = withResolvers();
  let timedOut = false;
  const timer = setTimeout(() => {
    timedOut = true;
    stop();
  }, holdMs);
  signal.addEventListener('abort', stop);
  if (signal.aborted) stop();
  await Promise.race([ended, stopped]);
  clearTimeout(timer);
  signal.removeEventListener('abort', stop);
  return !timedOut;
}
