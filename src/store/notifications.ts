import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import postgres from 'postgres';
import type { Secret } from '../secret.ts';
import { type Sql, tlsOptions } from './sql.ts';

/** What sessions are notified of. A payload is one id of ours: anybody in the database can listen. */
export type Channel = 'attempt_ended';

/**
 * Notifies all who listen to `channel`, once this transaction commits. For use inside a statement. Postgres lets one
 * notifying transaction commit at a time, so this is for events that are rare and that somebody waits for.
 */
export const notify = (sql: Sql, channel: Channel, id: ReturnType<Sql>) => sql`pg_notify(${channel}, ${id}::text)`;

export interface Listener {
  /** One notification. */
  notified(id: string): void;
  /** Notifications arrive from here on. All that was sent before is lost: read again. */
  listening(): void;
  /** The session broke or could not be opened; a new one is tried after a while. */
  lost(error?: unknown): void;
}

export interface Subscription {
  /** A notification did not arrive. Replaces the session, unless it is only a few seconds old. */
  distrust(): void;
  close(): Promise<void>;
}

const CONNECT_MS = 10_000;
const LONGEST_WAIT_MS = 20_000;
/** A pooler that shares sessions swallows every notification: opening the next one at once would not help. */
const TRUSTED_MS = 10_000;

/**
 * Listens on one session outside the pool, and opens another whenever it breaks: after 250 ms at first, then twice as
 * long each time, 20 s at most. Why not the driver's own `sql.listen`: where a server or proxy closes sessions before they
 * begin it connects again every few milliseconds, a channel whose LISTEN is refused is forgotten, and nobody learns of
 * either.
 */
export function listen(
  url: Secret,
  { channel, applicationName, ca }: { channel: Channel; applicationName: string; ca?: string | undefined },
  listener: Listener,
): Subscription {
  let session: postgres.Sql | undefined;
  let openedAtMs = 0;
  let tries = 0;
  let failures = 0;
  let timer: NodeJS.Timeout | undefined;

  function open(): void {
    openedAtMs = performance.now();
    const opened: postgres.Sql = postgres(url.reveal(), {
      ...SESSION,
      ssl: tlsOptions(url.reveal(), ca),
      connection: { application_name: applicationName },
      socket: oneSocket(tries++, () => session === opened),
      onnotify: (_channel: string, id: string) => session === opened && listener.notified(id),
      onclose: () => lose(opened),
    } as postgres.Options<Record<string, never>>); // `onnotify` is missing from the driver's types.
    session = opened;
    timer = setTimeout(() => lose(opened), CONNECT_MS).unref();
    opened.unsafe(`listen ${channel}`).then(
      () => {
        if (session !== opened) return;
        clearTimeout(timer);
        failures = 0;
        listener.listening();
      },
      (error) => lose(opened, error),
    );
  }

  /** A session is lost once, however many ways it says so. */
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

/** One connection, for as long as it lasts. */
const SESSION = {
  max: 1,
  idle_timeout: 0,
  max_lifetime: null,
  fetch_types: false,
  onnotice: () => undefined,
};

interface Target {
  readonly host: readonly string[];
  readonly port: readonly number[];
  readonly path: string | false | undefined;
}

/** Connects once, to the next of several hosts: the driver itself would connect again without end. */
function oneSocket(tries: number, isWanted: () => boolean) {
  let used = false;
  return async ({ host, port, path }: Target): Promise<Socket> => {
    if (used) throw new Error('The session ended before it began.');
    used = true;
    const [name, number] = [host[tries % host.length] ?? '', port[tries % port.length] ?? 0];
    const socket = path ? connect(path) : connect(number, name);
    await once(socket, 'connect', { signal: AbortSignal.timeout(CONNECT_MS) }).catch((error) => {
      socket.destroy();
      throw error;
    });
    if (!isWanted()) {
      socket.destroy();
      throw new Error('The session is not wanted any more.');
    }
    return Object.assign(socket, { host: name }); // TLS checks the server's certificate against it.
  };
}
