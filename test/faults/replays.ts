import { spawn } from 'node:child_process';
import { setTimeout as delay } from 'node:timers/promises';
import { createWorkerService } from '../../local/src/services.ts';
import type { Random } from '../../sandbox/src/random.ts';
import { PROGRAM } from '../kit/built.ts';
import type { TestService } from '../kit/service.ts';
import type { Stage } from './stage.ts';

/** The faults of a replay, and none. */
const DAMAGES = [
  'replay killed',
  'replay killed in its middle',
  'Postgres killed under a replay',
  'Temporal killed under a replay',
] as const;
type Damage = (typeof DAMAGES)[number];

/** So many replays of a round are damaged, at most. The next one is left alone. */
const MOST_DAMAGED = 4;
/** A replay without Temporal or Postgres fails, but not at once. */
const WITHIN_MS = 180_000;

/** A run of `restore replay`. */
export interface ReplayRun {
  readonly isRunning: boolean;
  kill(): void;
  /** Resolves when it has ended, with everything that it wrote. @throws Error if it neither succeeds nor fails in time */
  readonly ended: Promise<{ readonly code: number | null; readonly output: string }>;
}

/** Starts `restore replay` of the built PROGRAM: in a worker's environment, with the rights of the maintenance role. */
export function startReplay({ settings, database }: TestService): ReplayRun {
  const { env } = createWorkerService({ ...settings, databaseUrl: database.urls.maintenance });
  const child = spawn(process.execPath, [PROGRAM, 'restore', 'replay', '--json'], { env });
  const isRunning = () => child.exitCode === null && child.signalCode === null;
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (text) => {
      output += text;
    });
  }
  const ended = new Promise<{ code: number | null; output: string }>((resolve, reject) => {
    const timer = setTimeout(() => {
      child.kill('SIGKILL');
      reject(new Error(`A replay neither succeeded nor failed within ${WITHIN_MS / 1_000} s.\n${output}`));
    }, WITHIN_MS);
    child.once('close', (code) => {
      clearTimeout(timer);
      resolve({ code, output });
    });
  });
  return {
    get isRunning() {
      return isRunning();
    },
    kill: () => child.kill('SIGKILL'),
    ended,
  };
}

/**
 * Runs `restore replay` again and again, and damages the first ones, until one succeeds.
 * @param held connections that a replay has to disconnect: one in its middle waits for one of them
 * @throws Error if one fails that nothing was done to
 */
export async function replayThroughFaults(
  stage: Stage,
  held: readonly string[],
  random: Random,
): Promise<{ readonly started: number; readonly killed: number; readonly output: string }> {
  const damaged = random.int(2, MOST_DAMAGED);
  let killed = 0;
  for (let started = 1; ; started += 1) {
    // The first is killed in its middle: the next one has to continue it.
    const damage = started === 1 ? 'replay killed in its middle' : random.pick<Damage>(DAMAGES);
    const run = startReplay(stage.service);
    const isHit = started <= damaged && (await inflict(stage, run, damage, held, random));
    const { code, output } = await run.ended;
    if (isHit && damage.startsWith('replay')) killed += 1;
    if (code === 0) return { started, killed, output };
    if (!isHit) throw new Error(`A replay that nothing was done to failed with ${code}.\n${output}`);
  }
}

/** @returns false if the replay had ended before */
async function inflict(
  stage: Stage,
  run: ReplayRun,
  damage: Damage,
  held: readonly string[],
  random: Random,
): Promise<boolean> {
  const [lines, waitMs, awayMs] = [random.int(1, 6), random.int(100, 2_500), random.int(100, 2_000)];
  if (damage === 'replay killed in its middle') return await killInMiddle(stage, run, random.pick(held as [string]));
  if (damage !== 'Temporal killed under a replay' && random.next() < 0.5) await waitForLines(stage, run, lines);
  else await Promise.race([delay(waitMs), run.ended]);
  if (!run.isRunning) return false;
  if (damage === 'replay killed') {
    run.kill();
    return true;
  }
  const parts = damage === 'Postgres killed under a replay' ? [stage.postgres] : stage.temporal;
  await Promise.all(parts.map((part) => part.kill()));
  await delay(awayMs);
  await Promise.all(parts.map((part) => part.start()));
  return true;
}

/** Kills a replay when it waits for the person of a connection. @returns false if it has ended without */
async function killInMiddle({ service }: Stage, run: ReplayRun, connectionId: string): Promise<boolean> {
  const { sql } = service.database;
  return await sql.begin(async (tx) => {
    await tx`
      select from scope where scope_id = (select scope_id from connection where connection_id = ${connectionId})
      for update
    `;
    while (run.isRunning) {
      const [row] = await sql`select count(*)::int as waiting from pg_locks where not granted`;
      if (row?.waiting > 0) break;
      await delay(20);
    }
    if (!run.isRunning) return false;
    run.kill();
    await run.ended;
    return true;
  });
}

/** Waits until a replay has repeated so many facts, each of which is a fact of its own, or has ended. */
async function waitForLines({ service }: Stage, run: ReplayRun, lines: number): Promise<void> {
  const count = async () => {
    const [row] = await service.database.sql`select count(*)::int as count from journal_entry`;
    return Number(row?.count);
  };
  const before = await count();
  while (run.isRunning && (await count()) < before + lines);
}
