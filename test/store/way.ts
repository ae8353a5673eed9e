import { once } from 'node:events';
import { createConnection, createServer, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';
import { LOOPBACK } from '../../local/src/ports.ts';

/** A way to a database, which a test interrupts. */
export async function openWay(databaseUrl: string) {
  const { hostname, port: databasePort } = new URL(databaseUrl);
  const open = new Set<Socket>();
  const silent = new Set<Socket>();
  const counts = { opened: 0, answers: 0 };
  const server = createServer((near) => {
    const far = createConnection({ host: hostname, port: Number(databasePort) });
    const pass = (to: Socket, data: Buffer) => void (to.writable && !silent.has(near) && to.write(data));
    open.add(near);
    counts.opened += 1;
    near.on('data', (data) => pass(far, data));
    far.on('data', (data) => {
      counts.answers += 1;
      pass(near, data);
    });
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      from.on('error', () => undefined);
      from.on('close', () => to.destroy());
    }
    near.on('close', () => open.delete(near));
  }).listen(0, LOOPBACK);
  await once(server, 'listening');
  onTestFinished(() => {
    for (const socket of open) socket.destroy();
    server.close();
  });
  const { port } = server.address() as { port: number };
  const each = (act: (socket: Socket) => unknown) => () => {
    for (const socket of open) act(socket);
  };
  return {
    url: Object.assign(new URL(databaseUrl), { hostname: LOOPBACK, port }).href,
    counts,
    countOpen: () => open.size,
    /** Ends its connections, as a server does whose process was killed. */
    cut: each((socket) => socket.end()),
    /** Like a host that loses power: its connections stay open, and nothing arrives any more. */
    vanish: each((socket) => silent.add(socket)),
  };
}
