import { expect } from 'vitest';
import { createSweepActivities } from '../../src/activities/sweep.ts';
import { ERASE_PLATFORM_USERS_COMMAND } from '../../src/cli/people.ts';
import type { Database } from '../../src/store/sql.ts';
import { openStage, type Stage } from '../activities/stage.ts';
import { asApi, test } from '../kit/postgres.ts';
import { sweepOnce } from '../kit/sweeping.ts';

/** Runs the command over these lines. */
async function erase(sql: Database, stage: Stage, lines: readonly string[], options: Record<string, unknown> = {}) {
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

test("the accounts in a platform's list are erased, with receipts, and unknown ids are reported", async ({
  database: { sql },
}) => {
  const stage = await openStage(sql);
  const named = await connectAs(sql, stage, 'open-id-1');
  const other = await connectAs(sql, stage, 'open-id-2');
  const rehearsal = await erase(sql, stage, ['open-id-1', 'open-id-9'], { 'dry-run': true });
  expect(rehearsal.done).toMatchObject({ dryRun: true });
  expect(rehearsal.written).toEqual([
    { line: 1, outcome: 'DELETING', count: 1, code: null },
    { line: 2, outcome: 'UNKNOWN', count: 0, code: null },
  ]);
  expect(await sql`select from deletion_request`).toHaveLength(0);

  const { written, warnings } = await erase(sql, stage, ['open-id-1', '', 'open-id-9', 'an id with spaces']);
  expect(written).toEqual([
    { line: 1, outcome: 'DELETING', count: 1, code: expect.stringMatching(/^[0-9a-f]{32}$/) },
    { line: 3, outcome: 'UNKNOWN', count: 0, code: null },
    { line: 4, outcome: 'BAD_LINE' },
  ]);
  expect(warnings).toEqual(['1 being erased, 1 unknown, 1 bad line(s).']);
  expect(JSON.stringify(written)).not.toContain('open-id');

  const sweep = createSweepActivities(stage.deps as unknown as Parameters<typeof createSweepActivities>[0]);
  expect(await sweepOnce(sweep.startRequestedDeletions)).toEqual({ deletions: 1 });
  expect(await stage.connectionStatus(named.connectionId)).toBe('DISCONNECTED');
  expect(await stage.connectionStatus(other.connectionId)).toBe('CONNECTED');
  const receipts = await sql`select kind from disconnect_job where connection_id = ${named.connectionId} order by kind`;
  expect(receipts.map(({ kind }) => kind)).toEqual(['ERASE', 'REVOKE']);
});

test('a person who has connected again since the request keeps that connection', async ({ database: { sql } }) => {
  const stage = await openStage(sql);
  await connectAs(sql, stage, 'open-id-3');
  const requested = new Date(Date.now() - 2 * 86_400_000).toISOString();
  const { written } = await erase(sql, stage, ['open-id-3'], { requested });
  expect(written).toMatchObject([{ outcome: 'UNKNOWN' }]);
});
