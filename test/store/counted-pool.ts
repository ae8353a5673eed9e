import { once } from 'node:events';
import { connect as connectTo, createServer } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { onTestFinished } from 'vitest';
import { Secret } from '../../src/basics/secret.ts';
import { type Database, openDatabase } from '../kit/postgres.ts';

/** Answers arrive so much later. Statements of one turn of the event loop may leave in two packets. */
const DELAY_MS = 50;

/** A pool of one connection that counts its round trips: what it sends before an answer has come is one. */
export async function openCountedPool(
  url: string,
  { sharesRoundTrips = true } = {},
): Promise<{ sql: Database; countTrips(): number }> {
  const target = new URL(url);
  let trips = 0;
  let isAnswered = true;
  const server = createServer((from) => {
    const to = connectTo(Number(target.port), target.hostname);
    from.on('data', () => {
      if (isAnswered) trips += 1;
      isAnswered = false;
    });
    to.on('data', async (answer) => {
      await delay(DELAY_MS);
      isAnswered = true;
      from.write(answer);
    });
    from.pipe(to);
    from.on('close', () => to.destroy());
    from.on('error', () => to.destroy());
    to.on('error', () => from.destroy());
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  const way = Object.assign(new URL(url), { port: String(port) }).href;
  const sql = openDatabase(new Secret(way), { poolSize: 1, applicationName: 'counted', sharesRoundTrips });
  onTestFinished(async () => {
    await sql.end({ timeout: 0 });
    server.close();
  });
  return { sql, countTrips: () => trips };
}
