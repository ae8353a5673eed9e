import { expect } from 'vitest';
import { forEachAtOnce } from '../../src/cli/for-each-at-once.ts';
import { ERASE_PLATFORM_USERS_COMMAND } from '../../src/cli/people.ts';
import { type InputLine, TOO_LONG } from '../../src/cli/read-lines.ts';
import { openStage, type Stage, stageTest as test } from '../kit/activity-stage.ts';
import { readAllRows } from '../kit/all-rows.ts';
import { asApi, type Database } from '../kit/postgres.ts';
import { sweepDeletions } from '../kit/sweeping.ts';

/** Runs the command over these lines. */
async function erase(sql: Database, stage: Stage, lines: readonly InputLine[], options: Record<string, unknown> = {}) {
  const written: Record<string, unknown>[] = [];
  const warnings: string[] = [];
  const done = await ERASE_PLATFORM_USERS_COMMAND.run(
    { registration: stage.seeded.registrations.PROVIDER_B, ...options },
    {
      sql: asApi(sql),
      mac: stage.deps.mac,
      lines: (async function* () {
        yield* lines;
      })(),
      write: (row) => void written.push(row as Record<string, unknown>),
      warn: (message) => void warnings.push(message),
    },
  );
  await done.print();
  written.sort((one, other) => Number(one.line) - Number(other.line));
  return { written, warnings, done };
}

/** Connections whose grants know this id of the platform. */
async function connectAs(sql: Database, stage: Stage, accountId: string) {
  const made = await stage.newConnection();
  const registrationId = stage.seeded.registrations.PROVIDER_B;
  const mac = stage.deps.mac.of('account', registrationId, accountId).toString('hex');
  await sql`
    update account_grant set account_macs = array[decode(${mac}, 'hex')], obtained_at = business_now() - interval '1 day'
    where grant_id = ${made.grantId}
  `;
  return made;
}

test("the accounts in a platform's list are erased, with receipts, and unknown ids are reported", async ({ sql }) => {
  const stage = await openStage(sql);
  const named = await connectAs(sql, stage, 'open-id-1');
  const other = await connectAs(sql, stage, 'open-id-2');
  const { written, warnings, done } = await erase(sql, stage, ['open-id-1', '', 'open-id-9', 'an id with spaces']);
  expect(written).toEqual([
    { line: 1, outcome: 'DELETING', count: 1, code: expect.stringMatching(/^[0-9a-f]{32}$/) },
    { line: 3, outcome: 'UNKNOWN', count: 0, code: null },
    { line: 4, outcome: 'BAD_LINE' },
  ]);
  expect(warnings).toEqual(['3 line(s) read: 1 being erased, 1 unknown, 1 refused.']);
  expect(done.failed).toBe(true);
  expect(JSON.stringify(written)).not.toContain('open-id');

  expect(await sweepDeletions(stage.deps)).toEqual({ deletions: 1 });
  expect(await stage.connectionStatus(named.connectionId)).toBe('DISCONNECTED');
  expect(await stage.connectionStatus(other.connectionId)).toBe('CONNECTED');
  const receipts = await sql`select kind from disconnect_job where connection_id = ${named.connectionId} order by kind`;
  expect(receipts.map(({ kind }) => kind)).toEqual(['ERASE', 'REVOKE']);
});

test.for<InputLine>(['{"id":"open-id-1"}', 'open-id-1;2026-01-31', TOO_LONG])(
  'a list of another form is refused line by line, and the command fails: %s',
  async (line, { sql, stage }) => {
    const { written, warnings, done } = await erase(sql, stage, [line, 'open-id-7']);
    expect(written).toEqual([
      { line: 1, outcome: 'BAD_LINE' },
      { line: 2, outcome: 'UNKNOWN', count: 0, code: null },
    ]);
    expect(warnings).toEqual(['2 line(s) read: 0 being erased, 1 unknown, 1 refused.']);
    expect(done.failed).toBe(true);
  },
);

test('a dry run lists the accounts that a run erases, and changes no row', async ({ sql, stage }) => {
  const named = await connectAs(sql, stage, 'open-id-4');
  await connectAs(sql, stage, 'open-id-4'); // Another person with the same account.
  const before = await readAllRows(sql);
  expect(
    before
      .filter(({ table }) => table === 'connection')
      .map(({ text }) => text)
      .join(),
  ).toContain(named.connectionId);
  const lines = ['open-id-4', 'open-id-9', 'an id with spaces'];
  const { written, warnings, done } = await erase(sql, stage, lines, { 'dry-run': true });
  expect(written).toEqual([
    { line: 1, outcome: 'DELETING', count: 2, code: null },
    { line: 2, outcome: 'UNKNOWN', count: 0, code: null },
    { line: 3, outcome: 'BAD_LINE' },
  ]);
  expect(warnings).toEqual(['3 line(s) read: 1 to erase (dry run: nothing changed), 1 unknown, 1 refused.']);
  expect(done).toMatchObject({ dryRun: true }); // The audit log records it, too.
  expect(await readAllRows(sql)).toEqual(before);
});

test('a line that fails unexpectedly fails the command', async () => {
  const lines = (async function* () {
    yield 'open-id-1';
  })();
  const fails = () => Promise.reject(new Error('A fault of ours.'));
  await expect(forEachAtOnce(lines, 8, fails)).rejects.toThrow('A fault of ours.');
});

test('a person who has connected again since the request keeps that connection', async ({ sql, stage }) => {
  await connectAs(sql, stage, 'open-id-3');
  const requested = new Date(Date.now() - 2 * 86_400_000).toISOString();
  const { written } = await erase(sql, stage, ['open-id-3'], { requested });
  expect(written).toMatchObject([{ outcome: 'UNKNOWN' }]);
});
