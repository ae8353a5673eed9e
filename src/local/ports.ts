import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

/** Everything on this machine listens here and nowhere else. */
export const LOOPBACK = '127.0.0.1';

/** Below the range systems take outgoing connections' ports from, so that a free one stays free. */
const FROM = 15_000;
const TO = 30_000;
const given = new Set<number>();

/** A port nobody listens on; one of `preferred` if possible. No port is given out twice by one process. */
export async function findFreePort(...preferred: readonly number[]): Promise<number> {
  for (const port of preferred) if (await claim(port)) return port;
  for (;;) {
    const port = randomInt(FROM, TO);
    if (await claim(port)) return port;
  }
}

async function claim(port: number): Promise<boolean> {
  if (given.has(port) || !(await canListen(port))) return false;
  given.add(port);
  return true;
}

function canListen(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen({ host: LOOPBACK, port, exclusive: true }, () => server.close(() => resolve(true)));
  });
}
