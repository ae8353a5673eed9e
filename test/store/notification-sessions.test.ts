import { setImmediate as turn } from 'node:timers/promises';
import { afterEach, expect, onTestFinished, vi } from 'vitest';
import { Secret } from '../../src/basics/secret.ts';
import { listen } from '../../src/store/notifications.ts';
import { SECOND_MS } from '../kit/clock.ts';
import { type TestDatabase, test } from '../kit/postgres.ts';
import { openWay } from './way.ts';

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

/** Sends a notification, and waits for it: all that was answered before has arrived. */
async function hear({ sql }: TestDatabase, { heard }: { heard: readonly string[] }) {
  const id = `number ${heard.length}`;
  await sql.notify(options.channel, id);
  await until(() => heard.at(-1) === id);
}

test('a session that listens lasts while the server answers, and is replaced when it no longer does', async ({
  database,
}) => {
  const server = await openWay(database.urls.api);
  await stopTimers(database);
  const session = await subscribe(server.url);
  await until(() => session.listenings() === 1);
  for (let asked = 0; asked < 3; asked += 1) {
    const before = server.counts.answers;
    pass(4 * SECOND_MS);
    await until(() => server.counts.answers > before);
    await hear(database, session);
  }
  expect(session.lost).toHaveLength(0);
  server.vanish();
  pass(4 * SECOND_MS);
  expect(session.lost).toHaveLength(0);
  pass(4 * SECOND_MS);
  expect(session.lost).toHaveLength(1);
  await passMoment();
  await until(() => server.countOpen() === 0);
  await session.close();
  pass(8 * SECOND_MS);
  expect([session.lost.length, server.counts.opened]).toEqual([1, 1]);
});
