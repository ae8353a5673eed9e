import type { AttemptId } from '../../basics/ids.ts';
import type { Log } from '../../basics/log.ts';
import type { Secret } from '../../basics/secret.ts';
import { connectAttempts } from '../../store/attempts/attempts.ts';
import { identityAttempts } from '../../store/attempts/identity-attempts.ts';
import type { Database, DatabaseFiles } from '../../store/driver/sql.ts';
import { listen } from '../../store/notifications.ts';

/** One callback that waits until its attempt ends. */
export interface Hold {
  /** Waits until the attempt has ended, `signal` is aborted, or the time is up. @returns false if it timed out. */
  ended(signal: AbortSignal): Promise<boolean>;
  release(): void;
}

/** All callbacks of this process that wait until their attempts end. */
export interface HeldCallbacks {
  /**
   * Call this before you read the attempt, so that its end is not missed.
   * @returns undefined if a callback of this attempt already waits, or too many callbacks wait.
   */
  begin(attemptId: AttemptId): Hold | undefined;
  /** Reports that an attempt had ended without a notification. */
  missed(): void;
  close(): Promise<void>;
}

export interface HeldCallbacksDeps {
  readonly sql: Database;
  readonly databaseUrl: Secret;
  readonly databaseFiles?: DatabaseFiles | undefined;
  readonly log: Log;
  /** The longest hold, 3 s by default. */
  readonly holdMs?: number;
  /** The most callbacks that wait at once. */
  readonly most?: number;
}

const DEFAULT_HOLD_MS = 3_000;
/** Each waiting callback holds a socket and a timer, but runs no statement. */
const MOST = 1_000;

/** Listens for ended attempts while the process runs. If it cannot listen, each callback waits for its full hold. */
export function createHeldCallbacks(deps: HeldCallbacksDeps): HeldCallbacks {
  const { sql, log, holdMs = DEFAULT_HOLD_MS, most = MOST } = deps;
  const waiting = new Map<AttemptId, () => void>();
  const end = (attemptId: AttemptId) => waiting.get(attemptId)?.();

  /** Runs one statement per flow for all waiting callbacks. */
  async function readAgain(): Promise<void> {
    const held = [...waiting.keys()];
    if (held.length === 0) return;
    try {
      const ended = await Promise.all([connectAttempts.listEnded(sql, held), identityAttempts.listEnded(sql, held)]);
      for (const attemptId of ended.flat()) end(attemptId);
    } catch (error) {
      log.warn('Held callbacks not read again', { error }); // The callbacks continue when their hold ends.
    }
  }

  const subscription = listen(
    deps.databaseUrl,
    { channel: 'attempt_ended', applicationName: 'api', files: deps.databaseFiles },
    {
      notified: (id) => end(id as AttemptId),
      listening: () => {
        log.info('Listening');
        void readAgain();
      },
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
