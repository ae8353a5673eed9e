import { type Client, WorkflowNotFoundError } from '@temporalio/client';
import { makeKeys } from '../local/src/development-keys.ts';
import { createSweepActivities } from '../src/activities/sweep.ts';
import { ROUND_MS, runRound } from '../src/activities/sweep-round.ts';
import { createAttemptSteps } from '../src/activities/unanswered-attempts.ts';
import { SWEEPS, type SweepStep } from '../src/basics/sweeps.ts';
import type { Database } from '../src/store/driver/sql.ts';
import { createMac } from '../src/vault/mac.ts';
import { createSeal } from '../src/vault/seal.ts';
import type { SweepRound, SweepTask } from '../src/workflows/contract.ts';
import { openStage } from '../test/kit/activity-stage.ts';
import { runActivity } from '../test/kit/deps.ts';
import type { TestDatabase } from '../test/kit/postgres.ts';
import { openExplained, type Statement } from '../test/store/explained.ts';
import { fill } from './fill/fill.ts';
import { createQuickSeal } from './fill/quick-seal.ts';
import type { FillSizes } from './fill/world.ts';

export async function fillDatabase(sql: Database, sizes: FillSizes, say?: (line: string) => void) {
  const keys = await makeKeys();
  return await fill(
    sql,
    sizes,
    {
      sealGrant: createQuickSeal(JSON.parse(keys.VAULT_GRANT_KEYS)),
      sealInbox: await createSeal(JSON.parse(keys.VAULT_INBOX_PUBLIC_KEYS)),
      mac: createMac(JSON.parse(keys.VAULT_MAC_KEYS)),
    },
    say,
  );
}

/** The measurements of one step, until nothing was due. */
export interface MeasuredStep {
  readonly step: SweepStep;
  /** Rows that were due. */
  readonly rows: number;
  readonly seconds: number;
  /** Rows that its statements read. */
  readonly touched: number;
  readonly statements: readonly Statement[];
}

/** A Temporal without any workflow, which accepts every request: only our own work is measured. */
const FORGETFUL = {
  withDeadline: (_atMs: number, work: () => unknown) => work(),
  workflow: {
    getHandle: (workflowId: string) => ({
      describe: () => Promise.reject(new WorkflowNotFoundError('Not found.', workflowId, undefined)),
    }),
    start: async () => undefined,
  },
} as unknown as Client;

const KINDS = ['attempts', 'retention', 'upkeep', 'reconcile'] as const;

/** Runs each step of the sweeps separately, on connections that report the plan of every statement. */
export async function measureSweeps(
  database: TestDatabase,
  say: (measured: MeasuredStep) => void = () => undefined,
): Promise<MeasuredStep[]> {
  const { sql, statementsOf } = openExplained(database.url);
  try {
    const stage = await openStage(database.sql);
    const sweeps = createSweepActivities({ ...stage.deps, sql, temporal: FORGETFUL, taskQueue: 'nobody' });
    const measured: MeasuredStep[] = [];
    const ROUNDS: Readonly<Record<(typeof KINDS)[number], (task: SweepTask) => Promise<SweepRound>>> = {
      attempts: ({ positions, only = [] }) => {
        const steps = Object.entries(createAttemptSteps({ sql })).filter(([name]) => only.includes(name as SweepStep));
        const options = { positions, withinMs: ROUND_MS, signal: new AbortController().signal, log: stage.deps.log };
        return runRound(Object.fromEntries(steps), options);
      },
      retention: (task) => runActivity(sweeps.applyRetention, task),
      upkeep: (task) => runActivity(sweeps.startUpkeep, task),
      reconcile: (task) => runActivity(sweeps.reconcileRows, task),
    };
    for (const kind of KINDS) {
      for (const step of SWEEPS[kind].steps) {
        const startedAtMs = performance.now();
        let rows = 0;
        const statements = await statementsOf(async () => {
          let task: SweepTask = { positions: {}, only: [step] };
          for (;;) {
            const round = await ROUNDS[kind](task);
            if (round.failed.length > 0) throw new Error(`${step} failed.`);
            rows += round.rows[step] ?? 0;
            task = { positions: round.positions, only: [step] };
            const isSpread = kind === 'upkeep' && (round.rows[step] ?? 0) > 0;
            if (round.unfinished.length === 0 && !isSpread) break;
          }
        });
        const seconds = (performance.now() - startedAtMs) / 1_000;
        const touched = statements.reduce((sum, statement) => sum + statement.touched, 0);
        const done = { step, rows, seconds, touched, statements };
        measured.push(done);
        say(done);
      }
    }
    return measured;
  } finally {
    await sql.end({ timeout: 5 });
  }
}
