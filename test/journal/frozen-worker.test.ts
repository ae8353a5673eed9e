import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, onTestFinished, vi } from 'vitest';
import { Secret } from '../../src/basics/secret.ts';
import { openJournal } from '../../src/journal/journal.ts';
import { createJournalKeeper } from '../../src/journal/keep.ts';
import { moveConnection } from '../../src/store/connections/connections.ts';
import { lockJournalPosition } from '../../src/store/journal.ts';
import { stretch } from '../kit/busy.ts';
import { journalMac } from '../kit/journal.ts';
import { asApi, asWorker, openDatabase, test } from '../kit/postgres.ts';
import { seedApp, seedConnection } from '../kit/seed.ts';

test('a worker that is frozen while it holds the lock of the journal delays the erasures of others by half a minute at most', async ({
  database: { sql, urls },
}) => {
  const folder = await mkdtemp(path.join(tmpdir(), 'journal-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const seeded = await seedApp(sql);
  const connectionId = await seedConnection(sql, seeded, { scope: seeded.newScope() });
  const worker = openDatabase(new Secret(urls.worker), { poolSize: 1, applicationName: 'frozen' });
  onTestFinished(() => worker.end({ timeout: 1 }));
  let hasLock = false;
  // To the server, a stopped process is a silent session.
  const frozen = worker.begin(async (tx) => {
    await lockJournalPosition(tx);
    hasLock = true;
    await new Promise(() => undefined);
  });
  const ended = vi.fn();
  frozen.catch(ended);
  await vi.waitUntil(() => hasLock);
  const lockedAtMs = performance.now();
  const others = (await sql`select from journal_entry`).length;
  await moveConnection(asApi(sql), connectionId, 'DISCONNECTED');
  const journal = openJournal(folder, journalMac);
  const keeper = createJournalKeeper(asWorker(sql), journal);
  await expect(keeper.ship()).rejects.toMatchObject({ code: '55P03' }); // It waits ten seconds, not for ever.
  expect(ended).not.toHaveBeenCalled();
  await vi.waitUntil(
    () =>
      keeper.ship().then(
        () => true,
        () => false,
      ),
    { interval: 100 },
  );
  expect(performance.now() - lockedAtMs).toBeLessThan(stretch(45_000));
  expect(await journal.lastNumber()).toBe(others + 1);
  await vi.waitUntil(() => ended.mock.calls.length > 0); // The news of it can come after the lock.
});
