import { createServer } from 'node:net';
import { expect } from 'vitest';
import { Secret } from '../../src/basics/secret.ts';
import { listen } from '../../src/store/notifications.ts';
import { test } from '../kit/postgres.ts';

const options = { channel: 'attempt_ended', applicationName: 'listener-under-test' } as const;

function record() {
  const heard: string[] = [];
  let listenings = 0;
  let losses = 0;
  const listener = {
    notified: (id: string) => void heard.push(id),
    listening: () => void listenings++,
    lost: () => void losses++,
  };
  return { heard, listener, listenings: () => listenings, losses: () => losses };
}

test('a listener receives the notifications of others on one session of its own', async ({
  database: { sql, urls },
}) => {
  const { heard, listener, listenings } = record();
  const subscription = listen(new Secret(urls.api), options, listener);
  await expect.poll(listenings).toBe(1);
  await sql.notify('attempt_ended', 'one');
  await sql
    .begin(async (tx) => {
      await tx`select pg_notify('attempt_ended', 'rolled back')`;
      await tx`select pg_notify('another_channel', 'elsewhere')`;
      throw new Error('rolled back');
    })
    .catch(() => undefined);
  await sql.notify('attempt_ended', 'two');
  await expect.poll(() => heard).toEqual(['one', 'two']);
  const sessions = () => sql`select from pg_stat_activity where application_name = ${options.applicationName}`;
  expect(await sessions()).toHaveLength(1);
  await subscription.close();
  await expect.poll(sessions).toHaveLength(0);
});

test('replaces a broken session, and makes the listener read again', async ({ database }) => {
  const { sql, urls } = database;
  const { heard, listener, listenings, losses } = record();
  const subscription = listen(new Secret(urls.api), options, listener);
  await expect.poll(listenings).toBe(1);
  await sql`
    select pg_terminate_backend(pid) from pg_stat_activity where application_name = ${options.applicationName}
  `;
  await expect.poll(listenings).toBe(2);
  expect(losses()).toBe(1);
  await sql.notify('attempt_ended', 'after');
  await expect.poll(() => heard).toEqual(['after']);
  await subscription.close();
});

test('retries less and less often if the server refuses sessions', async () => {
  const asked: number[] = [];
  // Like a Postgres that is starting up: it accepts the connection, and closes it.
  const server = createServer((socket) => {
    asked.push(performance.now());
    socket.on('error', () => undefined);
    socket.once('data', () => socket.end());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as { port: number };
  const { listener, listenings } = record();
  const subscription = listen(new Secret(`postgres://api@127.0.0.1:${port}/none`), options, listener);
  await expect.poll(() => asked.length).toBeGreaterThanOrEqual(4);
  await subscription.close();
  server.close();
  const gaps = asked.slice(1, 4).map((at, index) => at - (asked[index] ?? 0));
  expect(gaps[0]).toBeGreaterThan(180);
  expect(gaps[1]).toBeGreaterThan(370);
  expect(gaps[2]).toBeGreaterThan(740);
  expect(listenings()).toBe(0);
});
