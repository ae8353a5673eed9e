import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { findRise, type Growth, quantile } from '../history/growth.ts';
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
const OUTBOX_ALLOWED = () => 50;
/** Small tables wait long for autovacuum. */
const BLOAT_ALLOWED = (from: number) => 1.2 * from + 0.5;

/** @returns what grew, although it may not */
export function findGrowth(samples: readonly Sample[]): (Growth & { readonly what: string })[] {
  const find = (what: string, read: (sample: Sample) => number | undefined, allowed: (from: number) => number) => {
    const growth = findRise(samples.map(read), allowed);
    return growth === undefined ? [] : [{ what, ...growth }];
  };
  const ofProcesses = (['memory', 'handles', 'connections'] as const).flatMap((kind) => {
    const names = new Set(samples.flatMap((sample) => Object.keys(sample[kind])));
    return [...names].flatMap((name) => find(`${kind} of ${name}`, (sample) => sample[kind][name], ALLOWED[kind]));
  });
  return [
    ...ofProcesses,
    ...find('latency', ({ latency }) => latency, LATENCY_ALLOWED),
    ...find('outbox', ({ outbox }) => outbox, OUTBOX_ALLOWED),
    ...find('bloat', ({ bloat }) => bloat, BLOAT_ALLOWED),
  ];
}
