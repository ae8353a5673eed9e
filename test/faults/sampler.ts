import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import type { Stage } from './stage.ts';

/** One look at everything that could grow. */
export interface Sample {
  /** Memory of each process, in MiB. */
  readonly memory: Readonly<Record<string, number>>;
  /** Open files and sockets of each process. */
  readonly handles: Readonly<Record<string, number>>;
  /** Connections to Postgres, by role. */
  readonly connections: Readonly<Record<string, number>>;
  readonly outbox: number;
  /** Dead rows for each live one, over all tables. */
  readonly bloat: number;
  /** Of 20 answers since the last sample, 19 were as fast as this, in ms. Undefined if there were too few. */
  readonly latency: number | undefined;
}

/** Something that grew. */
export interface Growth {
  readonly what: string;
  readonly from: number;
  readonly to: number;
}

/** Looks at a stage now and then. */
export class Sampler {
  readonly #stage: Stage;
  readonly #takeTimes: () => number[];
  readonly samples: Sample[] = [];

  /** @param takeTimes returns how long each answer since its last call took, in ms */
  constructor(stage: Stage, takeTimes: () => number[]) {
    this.#stage = stage;
    this.#takeTimes = takeTimes;
  }

  /** Takes a sample now and then until `isDone`. While Postgres is away there is nothing to see. */
  async run(everyMs: number, isDone: () => boolean): Promise<void> {
    while (!isDone()) {
      await this.take().catch(() => undefined);
      await delay(everyMs);
    }
  }

  /** @throws Error if the database cannot be read, or a process has ended */
  async take(): Promise<void> {
    const { service } = this.#stage;
    const parts = [...service.apis, ...service.workers].filter(({ isRunning }) => isRunning);
    const of = (read: (pid: number) => number) =>
      Object.fromEntries(parts.map(({ name, pid = 0 }) => [name, read(pid)] as const));
    const { sql } = service.database;
    const roles = await sql`
      select usename as role, count(*) from pg_stat_activity where usename in ('api', 'worker') group by usename
    `;
    const [outbox] = await sql`select count(*) from outbox`;
    const [rows] = await sql`select sum(n_dead_tup) as dead, sum(n_live_tup) as live from pg_stat_user_tables`;
    this.samples.push({
      memory: of(readMemory),
      handles: of((pid) => readdirSync(`/proc/${pid}/fd`).length),
      connections: Object.fromEntries(roles.map(({ role, count }) => [String(role), Number(count)])),
      outbox: Number(outbox?.count),
      bloat: Number(rows?.dead) / Math.max(1, Number(rows?.live)),
      latency: this.#readLatency(),
    });
  }

  #readLatency(): number | undefined {
    const times = this.#takeTimes();
    return times.length < 20 ? undefined : quantile(times, 0.95);
  }
}

/** Resident memory, in MiB. */
function readMemory(pid: number): number {
  const [, kib] = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return Number(kib) / 1_024;
}

/** How much more than in the beginning is no growth: caches fill, and a machine is not always equally busy. */
const ALLOWED: Readonly<Record<'memory' | 'handles' | 'connections', (from: number) => number>> = {
  memory: (from) => 1.2 * from + 30,
  handles: (from) => 1.1 * from + 20,
  connections: (from) => 1.1 * from + 5,
};
const LATENCY_ALLOWED = (from: number) => 1.4 * from + 100;
const OUTBOX_ALLOWED = 50;
/** Small tables wait long for autovacuum. */
const BLOAT_ALLOWED = (from: number) => 1.2 * from + 0.5;

/**
 * Compares the last third of the samples with the one before; the first third warms up. A median of each, so that one fault
 * decides nothing.
 */
export function findGrowth(samples: readonly Sample[]): Growth[] {
  const third = Math.floor(samples.length / 3);
  const [before, after] = [samples.slice(third, 2 * third), samples.slice(-third)];
  const growth: Growth[] = [];
  const compare = (what: string, read: (sample: Sample) => number | undefined, allowed: (from: number) => number) => {
    const [from, to] = [median(before.map(read)), median(after.map(read))];
    if (from !== undefined && to !== undefined && to > allowed(from)) growth.push({ what, from, to });
  };
  for (const kind of ['memory', 'handles', 'connections'] as const) {
    const names = new Set(samples.flatMap((sample) => Object.keys(sample[kind])));
    for (const name of names) compare(`${kind} of ${name}`, (sample) => sample[kind][name], ALLOWED[kind]);
  }
  compare('latency', ({ latency }) => latency, LATENCY_ALLOWED);
  compare(
    'outbox',
    ({ outbox }) => outbox,
    () => OUTBOX_ALLOWED,
  );
  compare('bloat', ({ bloat }) => bloat, BLOAT_ALLOWED);
  return growth;
}

function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((one, other) => one - other);
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? Number.NaN;
}

function median(values: readonly (number | undefined)[]): number | undefined {
  const known = values.filter((value) => value !== undefined);
  return known.length === 0 ? undefined : quantile(known, 0.5);
}
