import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type Client, WorkflowNotFoundError } from '@temporalio/client';
import { expect } from 'vitest';
import { replay } from '../../src/cli/replay.ts';
import { buildReceiptParts } from '../../src/domain/disconnecting/receipts.ts';
import { openJournal } from '../../src/journal/journal.ts';
import { findErasureOfScope } from '../../src/store/erasures/erasures.ts';
import { actsOnOthers } from '../kit/bystanders.ts';
import { createWorkerDeps } from '../kit/deps.ts';
import { asMaintenance, test as postgresTest } from '../kit/postgres.ts';
import { seedApp, seedConnection, seedScope } from '../kit/seed.ts';

/** A temporary directory for each test. */
const test = postgresTest.extend<{ folder: string }>({
  // biome-ignore lint/correctness/noEmptyPattern: the runner reads from it which fixtures this one needs.
  folder: async ({}, use) => {
    const folder = await mkdtemp(path.join(tmpdir(), 'journal-'));
    await use(folder);
    await rm(folder, { recursive: true });
  },
});

/** A Temporal that lists a running sweep, which has ended before it can be terminated. */
const temporal = {
  workflow: {
    list: async function* () {
      yield { workflowId: 'sweep/accounts/outbox', runId: 'run' };
    },
    getHandle: (workflowId: string) => ({
      terminate: () =>
        Promise.reject(new WorkflowNotFoundError('workflow execution already completed', workflowId, 'run')),
    }),
  },
} as unknown as Client;

test('a replay stores the receipts of erased people under their lookup key', async ({ sql, folder }) => {
  const deps = { ...(await createWorkerDeps(sql, { providers: {} as never })), sql: asMaintenance(sql) };
  const seeded = await seedApp(sql);
  const scope = seeded.newScope();
  const connectionId = await seedConnection(sql, seeded, { scope });
  const scopeId = await seedScope(sql, seeded, scope);
  const journal = openJournal(folder, deps.mac);
  const at = new Date().toISOString();
  // Both lines may come from one transaction, in this order.
  await journal.append([
    { number: 1, entryId: crypto.randomUUID(), kind: 'SUBJECT', id: scopeId, at },
    { number: 2, entryId: crypto.randomUUID(), kind: 'CONNECTION', id: connectionId, at },
  ]);
  actsOnOthers(sql, 'account_grant'); // A restore makes all tokens doubtful.
  const done = await replay({ ...deps, journal, temporal, taskQueue: 'accounts' }, { dryRun: false });
  expect(done).toEqual({ lines: 2, repeated: 2, workflowsEnded: 0 });
  const rows = await sql`select scope_mac from disconnect_job where connection_id = ${connectionId}`;
  const mac = deps.mac.of(...buildReceiptParts(seeded.app.appId, scope));
  expect(rows.map(({ scopeMac }) => scopeMac)).toEqual([mac, mac]);
  const [forgotten] = await sql`select external_subject_id from scope where scope_id = ${scopeId}`;
  expect(forgotten?.externalSubjectId).toMatch(/^erased-/);
  const erasure = await findErasureOfScope(sql, [mac]);
  expect(erasure).toMatchObject({ connectionIds: [connectionId], completedAt: null });
});
