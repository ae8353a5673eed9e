import { chmodSync, mkdirSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { expect, onTestFinished, vi } from 'vitest';
import { createLog } from '../../src/basics/log.ts';
import { Secret } from '../../src/basics/secret.ts';
import { openJournalKeeper } from '../../src/journal/keep.ts';
import { createWorkerStartup } from '../../src/worker/startup.ts';
import { newFolder } from '../kit/folder.ts';
import { keepLog } from '../kit/keep-log.ts';
import { LOGINS } from '../kit/logins.ts';
import { openDatabase, test } from '../kit/postgres.ts';

const LACKING = ['the database role worker lacks UPDATE on outbox.tries: run migrate again'];

test('a worker takes no work while its role lacks a right, logs it once, and continues once granted', async ({
  database: { sql, urls },
}) => {
  const { log, lines } = keepLog('info');
  const startup = createWorkerStartup(log, new AbortController().signal, 10);
  const pool = openDatabase(new Secret(urls.worker), { poolSize: 1, applicationName: 'tests' });
  let looks = 0;
  const own = new Proxy(pool, {
    apply: (target, self, args) => {
      looks += 1;
      return Reflect.apply(target, self, args);
    },
  });
  const check = vi.fn(async () => undefined);
  const requireWritable = async () => undefined;
  await sql.unsafe(`revoke update (tries) on outbox from ${LOGINS.worker}`);
  const ready = startup.waitForDatabase({ sql: own, journal: { check, requireWritable } });
  await vi.waitUntil(() => looks > 3);
  expect(startup.reasons()).toEqual(LACKING);
  expect(check).not.toHaveBeenCalled();
  await sql.unsafe(`grant update (tries) on outbox to ${LOGINS.worker}`);
  expect(await ready).toBe(true);
  expect(check).toHaveBeenCalledOnce();
  expect(lines.map((line) => JSON.parse(line))).toEqual([
    expect.objectContaining({ level: 'warn', message: 'Not ready', reasons: LACKING }),
  ]);
  await pool.end();
});

test('a worker is not ready while it cannot write the journal, and leaves nothing there', async ({ sql }) => {
  const folder = newFolder();
  const stopping = new AbortController();
  onTestFinished(() => stopping.abort());
  const place = path.join(folder, 'journal');
  const startup = createWorkerStartup(createLog('silent'), stopping.signal, 10);
  const ready = startup.waitForDatabase({
    sql,
    journal: openJournalKeeper(sql, { ERASURE_JOURNAL: place }, undefined),
  });
  const expectReason = (reason: string) => vi.waitFor(() => expect(startup.reasons()).toEqual([reason]));
  const unusable = (code: string) =>
    `the erasure journal cannot be used: a worker must be able to create and link files in ERASURE_JOURNAL (${code})`;
  await expectReason(unusable('ENOENT'));
  mkdirSync(place);
  chmodSync(place, 0o777);
  await expectReason('ERASURE_JOURNAL names a world-writable directory: run chmod o-w on it.');
  chmodSync(place, 0o750);
  expect(await ready).toBe(true);
  expect(readdirSync(place)).toEqual([]);
});
