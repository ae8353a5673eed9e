import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import postgres from 'postgres';
import type { Secret } from '../basics/secret.ts';
import { type DatabaseFiles, describeServer, type Sql } from './driver/sql.ts';

/** The channels of notifications. A payload is one of our ids, because every role of the database can listen. */
type Channel = 'attempt_ended';

/**
 * Notifies all listeners of `channel` when this transaction commits; for use inside a statement. Postgres commits one
 * notifying transaction at a time, so use it for rare events that someone waits for.
 * @later wake a callback that waits, 3 s at most, for its attempt's end: a notification in the transaction, for which
 * `src/api/connect/held-callbacks.ts` listens
 */
export const notify = (sql: Sql, channel: Channel, id: ReturnType<Sql>) => sql`pg_notify(${channel}, ${id}::text)`;

export interface Listener {
  /** Called for each notification. */
  notified(id: string): void;
  /** Called when notifications start to arrive. Earlier ones are lost, so read again. */
  listening(): void;
  /** Called when the session breaks or cannot be opened. Another try follows. */
  lost(error?: unknown): void;
}

interface Subscription {
  /** Reports a missing notification. Replaces the session, unless it is only a few seconds old. */
  distrust(): void;
  close(): Promise<void>;
}

const CONNECT_MS = 3_000;
const LONGEST_WAIT_MS = 2_000;
/** Between two small questions on the session. One that is not answered before the next shows a server that is gone without a word. */
const ASK_EVERY_MS = 4_000;
/** A pooler that shares sessions drops all notifications, and opening another session at once would not help. */
const TRUSTED_MS = 10_000;

/**
 * Listens on one session outside the pool, and reopens it when it breaks: after 250 ms at first, then after twice the
 * time, up to 2 s. The driver's `sql.listen` reconnects every few milliseconds if a server or proxy closes sessions
 * early, and forgets a channel whose LISTEN is refused, without reporting either.
 */
export function listen(
  url: Secret,
  { channel, applicationName, files }: { channel: Channel; applicationName: string; files?: DatabaseFiles | undefined },
  listener: Listener,
): Subscription {
  let session: postgres.Sql | undefined;
  let openedAtMs = 0;
  let failures = 0;
  let timer: NodeJS.Timeout | undefined;

  function open(): void {
    openedAtMs = performance.now();
    const opened: postgres.Sql = postgres({
      ...SESSION,
      ...describeServer(url, files, { application_name: applicationName }),
      target_session_attrs: 'primary',
      socket: oneSocket(() => session === opened),
      onnotify: (_channel: string, id: string) => session === opened && listener.notified(id),
      onclose: () => lose(opened),
    } as unknown as postgres.Options<Record<string, never>>); // `onnotify` is missing from the driver's types.
    session = opened;
    timer = setTimeout(() => lose(opened), CONNECT_MS).unref();
    opened.unsafe(`listen ${channel}`).then(
      () => {
        if (session !== opened) return;
        clearTimeout(timer);
        failures = 0;
        watch(opened);
        listener.listening();
      },
      (error) => lose(opened, error),
    );
  }

  /** Nothing else would notice a server that is gone without a word. */
  function watch(opened: postgres.Sql): void {
    let isAnswered = true;
    const asking = setInterval(() => {
      if (session !== opened) return clearInterval(asking);
      if (!isAnswered) return lose(opened);
      isAnswered = false;
      opened`select`.then(
        () => {
          isAnswered = true;
        },
        (error) => lose(opened, error),
      );
    }, ASK_EVERY_MS).unref();
  }

  /** Handles the loss of a session once, although several events report it. */
  function lose(lost: postgres.Sql, error?: unknown): void {
    if (session !== lost) return;
    session = undefined;
    clearTimeout(timer);
    void lost.end({ timeout: 0 });
    const waitMs = Math.min(LONGEST_WAIT_MS, 250 * 2 ** failures) * (0.75 + Math.random() / 4);
    failures += 1;
    timer = setTimeout(open, waitMs).unref();
    listener.lost(error);
  }

  open();
  return {
    distrust() {
      if (session !== undefined && performance.now() - openedAtMs > TRUSTED_MS) lose(session);
    },
    async close() {
      clearTimeout(timer);
      const last = session;
      session = undefined;
      await last?.end({ timeout: 0 });
    },
  };
}

/** One connection without an end. */
const SESSION = {
  max: 1,
  idle_timeout: 0,
  max_lifetime: null,
  fetch_types: false,
  onnotice: () => undefined,
};

interface Target {
  /** The driver's lists of one; the configuration accepts no more. */
  readonly host: readonly string[];
  readonly port: readonly number[];
  readonly path: string | false | undefined;
}

/** Connects once; the driver would reconnect endlessly. */
function oneSocket(isWanted: () => boolean) {
  let used = false;
  return async ({ host, port, path }: Target): Promise<Socket> => {
    if (used) throw new Error('The session has used its only socket.');
    used = true;
    const [name = ''] = host;
    const [number = 0] = port;
    const socket = path ? connect(path) : connect(number, name);
    await once(socket, 'connect', { signal: AbortSignal.timeout(CONNECT_MS) }).catch((error) => {
      socket.destroy();
      throw error;
    });
    if (!isWanted()) {
      socket.destroy();
      throw new Error('Another session has replaced this one.');
    }
    return socket;
  };
}
