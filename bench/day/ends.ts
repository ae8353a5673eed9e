import type { AppId, ConnectionId, RegistrationId } from '../../src/basics/ids.ts';
import { postponeUpkeep, scheduleUpkeep } from '../../src/store/connections/upkeep.ts';
import { type Database, getBusinessTime, inTransaction } from '../../src/store/driver/sql.ts';
import { countUnits, type DailyQuotas } from '../../src/store/registrations/registration-usage.ts';
import { updateQuotaSpent } from '../../src/store/registrations/registrations.ts';
import type { Quotas, Work } from './platforms.ts';

/** An upkeep without quota is due again so much later: as its workflow says of a temporary failure. */
const SOON_SECONDS = 6 * 60 * 60;
/** Units of an upkeep at a platform that counts any. */
const UPKEEP_UNITS = 1;

export interface Ended {
  readonly done: Work[];
  /** Refused for lack of quota, by the service's count or the platform's. */
  readonly refused: Work[];
}

/** Brings work that has had its calls to its end: counts its units as the service does, asks the platform, and writes the end state. */
export function createEnds(sql: Database, dailyQuotas: DailyQuotas, quotas: Quotas, unitsOfRefresh: number) {
  const spentUntilMs = new Map<string, number>();

  /** @returns how many of so many pieces of work the service counts */
  async function count(work: Work, many: number, unitsEach: number): Promise<number> {
    if (many === 0) return 0;
    const use = {
      registrationId: work.registrationId as RegistrationId,
      appId: work.appId as AppId,
      units: many * unitsEach,
      forRefresh: work.kind === 'REFRESH',
    };
    const { counted } = await countUnits(sql, use, dailyQuotas);
    if (counted) return many;
    if (many === 1) return 0;
    const half = Math.ceil(many / 2);
    const first = await count(work, half, unitsEach);
    return first < half ? first : first + (await count(work, many - half, unitsEach));
  }

  /** Of one registration, app and kind. */
  async function answer(works: readonly Work[], nowMs: number, resetMs: number): Promise<Ended> {
    const [first] = works;
    if (first === undefined) return { done: [], refused: [] };
    const { registrationId, kind } = first;
    if ((spentUntilMs.get(registrationId) ?? 0) > nowMs) return { done: [], refused: [...works] };
    const unitsEach = kind === 'UPKEEP' ? UPKEEP_UNITS : unitsOfRefresh;
    const counted = await count(first, works.length, unitsEach);
    const answered = quotas.use(registrationId, counted, unitsEach);
    if (answered < counted) {
      spentUntilMs.set(registrationId, resetMs);
      await updateQuotaSpent(sql, registrationId as RegistrationId, Math.ceil((resetMs - nowMs) / 1_000));
    }
    return { done: works.slice(0, answered), refused: works.slice(answered) };
  }

  async function end(work: readonly Work[], resetMs: number): Promise<Ended> {
    const nowMs = (await getBusinessTime(sql)).getTime();
    const groups = new Map<string, Work[]>();
    for (const one of work) {
      const key = `${one.kind} ${one.registrationId} ${one.appId}`;
      groups.set(key, [...(groups.get(key) ?? []), one]);
    }
    const done: Work[] = [];
    const refused: Work[] = [];
    for (const group of groups.values()) {
      const ended = quotas.counts(group[0]?.registrationId ?? '')
        ? await answer(group, nowMs, resetMs)
        : { done: group, refused: [] };
      done.push(...ended.done);
      refused.push(...ended.refused);
    }
    const waitSeconds = Math.max(SOON_SECONDS, (resetMs - nowMs) / 1_000);
    await write({ done, refused }, waitSeconds);
    return { done, refused };
  }

  async function write({ done, refused }: Ended, waitSeconds: number): Promise<void> {
    const upkeeps = connectionsOf(done, 'UPKEEP');
    if (upkeeps.length > 0)
      await inTransaction(sql, async (tx) => {
        await tx`update connection set profile_observed_at = business_now() where connection_id = any(${upkeeps}::uuid[])`;
        await tx`
          update account_grant set generation = generation + 1, access_expires_at = business_now() + interval '1 hour',
            refresh_expires_at = case provider when 'PROVIDER_B' then business_now() + interval '365 days'
              when 'PROVIDER_C' then business_now() + interval '60 days' end
          where connection_id = any(${upkeeps}::uuid[]) and status = 'LIVE'
        `;
        await Promise.all(upkeeps.map((id) => scheduleUpkeep(tx, id as ConnectionId)));
      });
    const postponed = connectionsOf(refused, 'UPKEEP');
    if (postponed.length > 0)
      await inTransaction(sql, async (tx) => {
        await Promise.all(postponed.map((id) => postponeUpkeep(tx, id as ConnectionId, waitSeconds)));
      });
    await endJobs(done, 'SUCCEEDED');
    await endJobs(refused, 'FAILED');
    const read = connectionsOf(done, 'REFRESH');
    if (read.length > 0) {
      await sql`update connection set last_successful_sync_at = business_now() where connection_id = any(${read}::uuid[])`;
      await sql`
        insert into coverage (coverage_id, connection_id, published, scanned_at)
        select gen_random_uuid(), id, tstzrange(business_now() - interval '7 days', business_now()), business_now()
        from unnest(${read}::uuid[]) id
      `;
    }
  }

  async function endJobs(works: readonly Work[], status: 'SUCCEEDED' | 'FAILED'): Promise<void> {
    const jobIds = works.flatMap(({ jobId }) => (jobId === null ? [] : [jobId]));
    if (jobIds.length === 0) return;
    await sql`
      update read_job set status = ${status}, started_at = business_now(), finished_at = business_now()
      where job_id = any(${jobIds}::uuid[])
    `;
  }

  return { end };
}

const connectionsOf = (works: readonly Work[], kind: Work['kind']): string[] =>
  works.flatMap((work) => (work.kind === kind ? [work.connectionId] : []));
