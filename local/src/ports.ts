import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

/** The only address that the local stack listens on. */
export const LOOPBACK = '127.0.0.1';

/** Below the range of ports for outgoing connections, so that a free port stays free. */
const FROM = 15_000;
const TO = 30_000;
const given = new Set<number>();

/** Finds a port that is free, one of `preferred` if possible. Never returns a port twice in one process. */
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

export function canListen(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen({ host: LOOPBACK, port, exclusive: true }, () => server.close(() => resolve(true)));
  });
}

export const buildHttpUrl = (port: number): string => `http://${LOOPBACK}:${port}`;
