import { connect, createServer, type Server, type Socket } from 'node:net';
import { LOOPBACK } from '../../local/src/ports.ts';

/** One address that can be switched to another server, as a proxy or a name can. */
export interface Switch {
  readonly port: number;
  /** Leads new connections to this port. Those that are open stay where they are. */
  leadTo(port: number): void;
  /** Refuses new connections. */
  refuse(): void;
  /** Ends all open connections. */
  cut(): void;
  /** Acts like a host without power: nothing arrives any more, on open connections and on new ones. */
  silence(): void;
  /** Ends `silence` for new connections. */
  speak(): void;
  close(): Promise<void>;
}

export async function openSwitch(initialTarget: number): Promise<Switch> {
  let target: number | undefined = initialTarget;
  let isSilent = false;
  const sockets = new Set<Socket>();
  const passing = new Set<Socket>();
  const track = (socket: Socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
    socket.once('close', () => void sockets.delete(socket));
    return socket;
  };
  const server = createServer((from) => {
    track(from);
    if (target === undefined) return void from.resetAndDestroy();
    if (isSilent) return void from.resume();
    const to = track(connect(target, LOOPBACK));
    passing.add(from);
    for (const [one, other] of [
      [from, to],
      [to, from],
    ] as const) {
      one.on('data', (bytes) => void (passing.has(from) && other.write(bytes)));
      one.once('close', () => {
        if (passing.has(from)) other.destroy();
      });
    }
  });
  const port = await listen(server);
  return {
    port,
    leadTo: (next) => {
      target = next;
    },
    refuse: () => {
      target = undefined;
    },
    cut: () => {
      for (const socket of sockets) socket.resetAndDestroy();
    },
    silence: () => {
      isSilent = true;
      passing.clear();
    },
    speak: () => {
      isSilent = false;
    },
    close: async () => {
      for (const socket of sockets) socket.destroy();
      await new Promise<void>((resolve) => void server.close(() => resolve()));
    },
  };
}

async function listen(server: Server): Promise<number> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, LOOPBACK, resolve);
  });
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The switch has no port.');
  return address.port;
}
