import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { LOOPBACK } from '../../local/src/ports.ts';

/** One address that can be switched to another server, as a proxy or a name can. */
export type Switch = Awaited<ReturnType<typeof openSwitch>>;

export async function openSwitch(initialTarget: number) {
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
  server.listen(0, LOOPBACK);
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    port,
    /** Leads new connections to this port. Those that are open stay where they are. */
    leadTo: (next: number) => {
      target = next;
    },
    /** Refuses new connections. */
    refuse: () => {
      target = undefined;
    },
    /** Ends all open connections. */
    cut: () => {
      for (const socket of sockets) socket.resetAndDestroy();
    },
    /** Acts like a host without power: nothing arrives any more, on open connections and on new ones. */
    silence: () => {
      isSilent = true;
      passing.clear();
    },
    /** Ends `silence` for new connections. */
    speak: () => {
      isSilent = false;
    },
    close: async () => {
      for (const socket of sockets) socket.destroy();
      await new Promise<void>((resolve) => void server.close(() => resolve()));
    },
  };
}
