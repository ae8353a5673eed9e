import { createSweepActivities } from '../../src/activities/sweep.ts';
import { forEachProvider, PROVIDER_NAMES, type ProviderName } from '../../src/basics/codes.ts';
import { listDailyQuotas } from '../../src/providers/facts.ts';
import type { Database } from '../../src/store/driver/sql.ts';
import type { SweepRound, SweepTask } from '../../src/workflows/contract.ts';
import { createWorkerDeps, runActivity } from '../../test/kit/deps.ts';
import { fakeProviders } from '../../test/kit/fake-provider.ts';
import { cpuOfFamily, parentOf } from '../measure.mjs';
import { stopClock } from './clock.ts';
import { createEnds } from './ends.ts';
import type { Plan } from './plan.ts';
import { Platform, Quotas, type Work } from './platforms.ts';
import { countForgotten, listWaiting, measureRetention, takeDispatches, watchSweeps } from './watch.ts';

const MINUTE_MS = 60_000;
const HOUR_MINUTES = 60;
const RETENTION_MINUTES = 15;
/** As the sweep has it. */
const UPKEEP_A_ROUND = 200;
/** What has been due for so long waits for more than the next round. */
const WAITS_MINUTES = 5;
/** Access tokens of these live shorter than a day, so that each refresh renews one. */
const SHORT_LIVED: readonly ProviderName[] = ['PROVIDER_A', 'PROVIDER_B'];

/** Of upkeep or of refreshes, in an hour. Waiting is what no sweep has taken at its end. */
export interface HourOf {
  due: number;
  started: number;
  done: number;
  refused: number;
  waiting: number;
  /** The longest time from due to done in this hour, or that something has waited at its end. */
  latestMinutes: number;
}

export interface Hour {
  readonly hour: number;
  readonly upkeep: HourOf;
  readonly refresh: HourOf;
  retained: number;
  retentionLateMinutes: number;
  readonly callsPerSecond: Record<ProviderName, number>;
  /** Of these, the calls of refreshes. */
  readonly refreshesPerSecond: Record<ProviderName, number>;
  busiest: { name: string; callsPerSecond: number };
  longestRoundSeconds: { reconcile: number; upkeep: number; retention: number };
  seconds: number;
  postgresSeconds: number;
}

const newHour = (hour: number): Hour => {
  const none = () => ({ due: 0, started: 0, done: 0, refused: 0, waiting: 0, latestMinutes: 0 });
  return {
    hour,
    upkeep: none(),
    refresh: none(),
    retained: 0,
    retentionLateMinutes: 0,
    callsPerSecond: forEachProvider(() => 0),
    refreshesPerSecond: forEachProvider(() => 0),
    busiest: { name: '', callsPerSecond: 0 },
    longestRoundSeconds: { reconcile: 0, upkeep: 0, retention: 0 },
    seconds: 0,
    postgresSeconds: 0,
  };
};

/** A Temporal that says of every workflow that it runs. */
const BUSY = {
  withDeadline: (_atMs: number, work: () => unknown) => work(),
  workflow: {
    getHandle: () => ({ describe: async () => ({ status: { name: 'RUNNING' } }) }),
    start: async () => undefined,
  },
};

/**
 * Runs the service's own sweeps over a filled database, minute by minute of one day of the quotas, on a stopped clock. What
 * the sweeps start gets its calls as rates and quotas allow, and then its end state. Nothing else calls the platforms.
 */
export async function simulateDay(
  sql: Database,
  plan: Plan,
  {
    startsAtMs,
    hours,
    untilMs,
    say,
  }: { startsAtMs: number; hours: number; untilMs: number; say: (hour: Hour) => void },
) {
  const deps = await createWorkerDeps(sql, { providers: fakeProviders(), callsPerSecond: plan.callsPerSecond });
  const sweeps = createSweepActivities({ ...deps, temporal: BUSY, taskQueue: 'nobody' } as never);
  const quotas = new Quotas(new Map(plan.registrations.map(({ id, units }) => [id, units])));
  const ends = createEnds(sql, listDailyQuotas(deps.facts), quotas, deps.facts.PROVIDER_A.callsPerRefresh);
  const platforms = forEachProvider(
    (provider) =>
      new Platform({
        callsPerSecond: plan.callsPerSecond[provider],
        callsPerRefresh: deps.facts[provider].callsPerRefresh,
        renewsForReads: SHORT_LIVED.includes(provider),
      }),
  );
  const names = new Map<string, string>(plan.registrations.map(({ id, name }) => [id, name]));
  const [backend] = await sql`select pg_backend_pid() as pid`;
  const postgres = parentOf(Number(backend?.pid));
  const resetMs = startsAtMs + 24 * HOUR_MINUTES * MINUTE_MS;
  await watchSweeps(sql);

  const underWay = new Map<string, Work>();
  const firstDueMs = new Map<string, number>();
  const peaks = new Map<string, number>();
  const calls = new Map<string, number>();
  const latest = new Map<string, number>();
  /** Which limit was first reached when, in hours of the day. */
  const limits = new Map<string, number>();
  const mostCallsAMinute: Record<ProviderName, number> = { ...forEachProvider(() => 0) };
  const all: Hour[] = [];
  let hour = newHour(0);
  let waited = { UPKEEP: 0, REFRESH: 0 };
  let ended: Work[] = [];
  let mark = { seconds: performance.now() / 1_000, postgres: cpuOfFamily(postgres) / 1_000 };
  const reach = (limit: string, minute: number) => limits.has(limit) || limits.set(limit, minute / HOUR_MINUTES);
  const of = (kind: Work['kind']) => (kind === 'UPKEEP' ? hour.upkeep : hour.refresh);
  const lateBy = (kind: Work['kind'], registrationId: string | null, minutes: number) => {
    of(kind).latestMinutes = Math.max(of(kind).latestMinutes, minutes);
    const key = `${kind} ${names.get(registrationId ?? '') ?? ''}`;
    latest.set(key, Math.max(latest.get(key) ?? 0, minutes));
  };

  /** Until nothing is left of it, as its workflow does. @returns the rows that it handled */
  async function sweep(
    name: keyof Hour['longestRoundSeconds'],
    run: (task: SweepTask) => Promise<SweepRound>,
    minute: number,
  ) {
    let rows = 0;
    let task: SweepTask = { positions: {} };
    for (;;) {
      const startedAtMs = performance.now();
      const round = await runActivity(run, task);
      const seconds = (performance.now() - startedAtMs) / 1_000;
      hour.longestRoundSeconds[name] = Math.max(hour.longestRoundSeconds[name], seconds);
      if (round.failed.length > 0) throw new Error(`Steps failed: ${round.failed.join(', ')}.\n${deps.lines.at(-1)}`);
      for (const provider of PROVIDER_NAMES)
        if (round.rows[`upkeep/${provider}`] === UPKEEP_A_ROUND) reach(`upkeeps of a round at ${provider}`, minute);
      rows += Object.values(round.rows).reduce((sum, count) => sum + count, 0);
      if (round.unfinished.length === 0) return rows;
      task = { positions: round.positions, only: round.unfinished };
    }
  }

  async function finish(nowMs: number, minute: number) {
    const { done, refused } = await ends.end(ended, resetMs);
    for (const work of done) {
      const key = `${work.kind} ${work.connectionId}`;
      lateBy(work.kind, work.registrationId, (nowMs - (firstDueMs.get(key) ?? work.dueAtMs)) / MINUTE_MS);
      firstDueMs.delete(key);
      underWay.delete(key);
      of(work.kind).done += 1;
    }
    for (const work of refused) {
      const key = `${work.kind} ${work.connectionId}`;
      if (work.kind === 'UPKEEP') firstDueMs.set(key, firstDueMs.get(key) ?? work.dueAtMs);
      underWay.delete(key);
      reach(`the daily quota of ${names.get(work.registrationId)}`, minute);
      of(work.kind).refused += 1;
    }
  }

  for (let minute = 0; minute <= hours * HOUR_MINUTES; minute += 1) {
    const nowMs = startsAtMs + minute * MINUTE_MS;
    await stopClock(sql, nowMs);
    await finish(nowMs, minute);
    if (minute > 0 && minute % HOUR_MINUTES === 0) {
      const waiting = { UPKEEP: 0, REFRESH: 0 };
      for (const { kind, registrationId, count, oldestMs } of await listWaiting(sql)) {
        // What became due in the last minute waits for the sweep of this one.
        waiting[kind] += count;
        const minutes = (nowMs - oldestMs) / MINUTE_MS;
        lateBy(kind, registrationId, minutes);
        const units = plan.registrations.find(({ id }) => id === registrationId)?.units ?? null;
        if (kind === 'REFRESH' && minutes > WAITS_MINUTES)
          reach(
            units === null
              ? `the share of refreshes of the rate of ${names.get(registrationId ?? '')}'s platform`
              : `the share of refreshes of the quota of ${names.get(registrationId ?? '')}`,
            minute,
          );
      }
      for (const kind of ['UPKEEP', 'REFRESH'] as const) {
        of(kind).waiting = waiting[kind];
        of(kind).due = of(kind).started + waiting[kind] - waited[kind];
      }
      waited = waiting;
      const now = { seconds: performance.now() / 1_000, postgres: cpuOfFamily(postgres) / 1_000 };
      hour.seconds = now.seconds - mark.seconds;
      hour.postgresSeconds = now.postgres - mark.postgres;
      mark = now;
      all.push(hour);
      say(hour);
      hour = newHour(minute / HOUR_MINUTES);
    }
    if (minute === hours * HOUR_MINUTES || (minute % HOUR_MINUTES === 0 && performance.now() > untilMs)) break;
    await sweep('reconcile', sweeps.reconcileRows, minute);
    if (minute % RETENTION_MINUTES === 0) {
      hour.retentionLateMinutes = Math.max(hour.retentionLateMinutes, (await measureRetention(sql)) / MINUTE_MS);
      hour.retained += await sweep('retention', sweeps.applyRetention, minute);
      if ((await measureRetention(sql)) > 0) throw new Error('Retention has left something that is due.');
    }
    await sweep('upkeep', sweeps.startUpkeep, minute);
    for (const work of await takeDispatches(sql)) {
      const key = `${work.kind} ${work.connectionId}`;
      if (underWay.has(key)) continue; // Its workflow runs still.
      underWay.set(key, work);
      of(work.kind).started += 1;
      platforms[work.provider].add(work);
    }
    ended = [];
    for (const provider of PROVIDER_NAMES) {
      const platform = platforms[provider];
      const before = platform.refreshCalls;
      const made = platform.run(MINUTE_MS / 1_000);
      ended.push(...made.ended);
      if (platform.isFull) reach(`the rate of ${provider}`, minute);
      mostCallsAMinute[provider] = Math.max(mostCallsAMinute[provider], made.calls);
      hour.callsPerSecond[provider] += made.calls / 3_600;
      hour.refreshesPerSecond[provider] += (platform.refreshCalls - before) / 3_600;
      for (const [id, count] of platform.calls) {
        calls.set(id, (calls.get(id) ?? 0) + count);
        peaks.set(id, Math.max(peaks.get(id) ?? 0, count / 60));
        if (count / 60 > hour.busiest.callsPerSecond)
          hour.busiest = { name: names.get(id) ?? id, callsPerSecond: count / 60 };
      }
      platform.calls.clear();
    }
  }
  const usage = await sql`select registration_id, sum(refresh_units)::int as units from registration_usage group by 1`;
  const refreshUnits = new Map(usage.map((row) => [String(row.registrationId), Number(row.units)]));
  return {
    hours: all,
    limits: Object.fromEntries(limits),
    mostCallsAMinute,
    forgotten: await countForgotten(sql, startsAtMs),
    stillUnderWay: underWay.size + ended.length,
    registrations: plan.registrations.map(({ id, name, connections, units, refreshPercent }) => ({
      name,
      connections,
      calls: calls.get(id) ?? 0,
      peakPerSecond: peaks.get(id) ?? 0,
      units,
      refreshPercent,
      refreshUnits: refreshUnits.get(id) ?? 0,
      unitsLeft: quotas.left(id),
      latestRefreshMinutes: latest.get(`REFRESH ${name}`) ?? 0,
      latestUpkeepMinutes: latest.get(`UPKEEP ${name}`) ?? 0,
    })),
  };
}

export type DayFigures = Awaited<ReturnType<typeof simulateDay>>;
