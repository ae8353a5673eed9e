import { once } from 'node:events';
import { createConnection, createServer, type Socket } from 'node:net';
import { setImmediate as turn } from 'node:timers/promises';
import { afterEach, describe, expect, onTestFinished, vi } from 'vitest';
import { LOOPBACK } from '../../local/src/ports.ts';
import { Secret } from '../../src/basics/secret.ts';
import { listen } from '../../src/store/notifications.ts';
import { SECOND_MS } from '../kit/clock.ts';
import { type TestDatabase, test } from '../kit/postgres.ts';

/** Stops the timers of the process; sending and receiving take their own time. */
async function stopTimers({ sql }: TestDatabase): Promise<void> {
  await sql`select`; // With stopped timers the pool would not connect.
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'performance'] });
  vi.spyOn(Math, 'random').mockReturnValue(1); // The longest pauses.
}
afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
});

/** Waits until a message is sent or received. The runner's own waiting would move the timers. */
async function until(happened: () => boolean): Promise<void> {
  const endsAtMs = Date.now() + 20_000;
  while (!happened()) {
    if (Date.now() > endsAtMs) throw new Error('It did not happen.');
    await turn();
  }
}

const pass = (ms: number) => vi.advanceTimersByTime(ms);
/** The driver opens and ends connections a moment after it was asked. */
async function passMoment(): Promise<void> {
  await turn();
  pass(1);
}
/** Lets the next timer run. @returns after how many milliseconds it does. */
function runNextTimer(): number {
  const before = performance.now();
  vi.advanceTimersToNextTimer();
  return performance.now() - before;
}

const options = { channel: 'attempt_ended', applicationName: 'session-under-test' } as const;

async function subscribe(url: string) {
  const heard: string[] = [];
  const lost: unknown[] = [];
  let listenings = 0;
  const subscription = listen(new Secret(url), options, {
    notified: (id) => void heard.push(id),
    listening: () => void listenings++,
    lost: (error) => void lost.push(error),
  });
  const close = async () => {
    const closed = subscription.close();
    await passMoment();
    await closed;
  };
  onTestFinished(() => subscription.close());
  await passMoment();
  return { ...subscription, close, heard, lost, listenings: () => listenings };
}

/** A server that accepts and answers nothing, or passes all on to a database until it falls silent. */
async function openServer(to?: string) {
  const sockets = new Set<Socket>();
  let opened = 0;
  let answers = 0;
  let isSilent = to === undefined;
  const sent: string[] = [];
  const server = createServer((near) => {
    opened += 1;
    sockets.add(near);
    near.on('error', () => undefined);
    near.on('close', () => sockets.delete(near));
    const { hostname, port } = new URL(to ?? 'postgres://nobody:1');
    const far = to === undefined ? undefined : createConnection({ host: hostname, port: Number(port) });
    near.on('data', (data) => {
      sent.push(String(data));
      if (!isSilent) far?.write(data);
    });
    far?.on('data', (data) => {
      answers += 1;
      if (!isSilent) near.write(data);
    });
    far?.on('error', () => undefined);
    far?.on('close', () => near.destroy());
    near.on('close', () => far?.destroy());
  });
  server.listen(0, LOOPBACK);
  await once(server, 'listening');
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  const { port } = server.address() as { port: number };
  return {
    url: Object.assign(new URL(to ?? 'postgres://api@host/none'), { hostname: LOOPBACK, port }).href,
    sent,
    opened: () => opened,
    answers: () => answers,
    open: () => sockets.size,
    fallSilent: () => {
      isSilent = true;
    },
    cut: () => {
      for (const socket of sockets) socket.destroy();
    },
  };
}

/** Sends a notification, and waits for it: all that was answered before has arrived. */
async function hear({ sql }: TestDatabase, { heard }: { heard: readonly string[] }) {
  const id = `number ${heard.length}`;
  await sql.notify(options.channel, id);
  await until(() => heard.at(-1) === id);
}

describe('a session that listens', () => {
  test('is given up if the server does not answer within three seconds, and leaves no connection', async ({
    database,
  }) => {
    const server = await openServer();
    await stopTimers(database);
    const { lost, close, listenings } = await subscribe(server.url);
    await until(() => server.sent.length === 1);
    pass(3 * SECOND_MS - 2);
    expect(lost).toHaveLength(0);
    pass(1);
    expect(lost).toHaveLength(1);
    expect(runNextTimer()).toBe(250);
    await passMoment();
    await until(() => server.opened() === 2 && server.open() === 1);
    await close();
    await until(() => server.open() === 0);
    pass(10 * SECOND_MS);
    expect([lost.length, listenings(), server.opened()]).toEqual([1, 0, 2]);
  });

  test('lasts while the server answers, and is replaced when it no longer does', async ({ database }) => {
    const server = await openServer(database.urls.api);
    await stopTimers(database);
    const session = await subscribe(server.url);
    await until(() => session.listenings() === 1);
    for (let asked = 0; asked < 3; asked += 1) {
      const before = server.answers();
      pass(4 * SECOND_MS);
      await until(() => server.answers() > before);
      await hear(database, session);
    }
    expect(session.lost).toHaveLength(0);
    server.fallSilent();
    pass(4 * SECOND_MS);
    expect(session.lost).toHaveLength(0);
    pass(4 * SECOND_MS);
    expect(session.lost).toHaveLength(1);
    await passMoment();
    await until(() => server.open() === 0);
    await session.close();
    pass(8 * SECOND_MS);
    expect([session.lost.length, server.opened()]).toEqual([1, 1]);
  });

  test('that is closed leaves nothing, also before it has connected', async ({ database }) => {
    const server = await openServer(database.urls.api);
    await stopTimers(database);
    const early = await subscribe(server.url);
    await early.close();
    await until(() => server.opened() === 1);
    await until(() => server.open() === 0);
    expect(server.sent).toEqual([]);
    const session = await subscribe(server.url);
    await until(() => session.listenings() === 1);
    await session.close();
    await until(() => server.open() === 0);
    pass(10 * SECOND_MS);
    expect([early.listenings(), early.lost.length, session.lost.length]).toEqual([0, 0, 0]);
    expect(server.opened()).toBe(2);
    await until(() => vi.getTimerCount() === 0); // The driver ends its own a moment after its connection.
  });
});
