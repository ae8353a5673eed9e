import type { EndedWorkKind, listRecentEnds } from '../../store/ended-work.ts';
import type { countConnections, listFailures, listHealth } from '../../store/overview.ts';
import { type Health, type HealthFacts, judgeEnd, judgeHealth, type RecentWork } from '../rules/provider-health.ts';

type Rows<List extends (...args: never[]) => Promise<unknown>> = Awaited<ReturnType<List>>;
type Recent = Rows<typeof listRecentEnds>;
type Ends = Recent['ends'];

/** A rating with its numbers. */
interface DescribedHealth extends Health {
  readonly since: Date;
  readonly work: {
    readonly kind: EndedWorkKind;
    readonly succeeded: number;
    readonly failed: number;
    readonly usualFailedPercent: number | null;
  }[];
  readonly reasons: string[];
}

function sumWork(ends: Ends, kind: EndedWorkKind): RecentWork {
  const sum = (isRecent: boolean, verdict: 'succeeded' | 'failed') =>
    ends
      .filter((end) => end.kind === kind && end.isRecent === isRecent && judgeEnd(end.outcome) === verdict)
      .reduce((total, { count }) => total + count, 0);
  const [usuallyFailed, usuallySucceeded] = [sum(false, 'failed'), sum(false, 'succeeded')];
  const usual = usuallyFailed + usuallySucceeded;
  return {
    kind,
    succeeded: sum(true, 'succeeded'),
    failed: sum(true, 'failed'),
    usualShare: usual === 0 ? null : usuallyFailed / usual,
  };
}

function describe({ since }: Recent, facts: HealthFacts): DescribedHealth {
  const { level, reasons } = judgeHealth(facts);
  const work = facts.work.map(({ usualShare, ...rest }) => ({
    ...rest,
    usualFailedPercent: usualShare === null ? null : Math.round(usualShare * 100),
  }));
  return { level, reasons: [...reasons], since, work };
}

const PROVIDER_WORK = ['CONNECT', 'READ', 'TOKEN_REFRESH', 'REVOKE'] as const;

/** The health of one platform. */
export function describeHealth(
  row: Rows<typeof listHealth>[number],
  rows: {
    readonly connections: Rows<typeof countConnections>;
    readonly failing: Rows<typeof listFailures>;
    readonly recent: Recent;
    readonly workers: HealthFacts['workers'];
  },
): DescribedHealth {
  const isOwn = (one: { provider: string | null }) => one.provider === row.provider;
  const inStatus = (status: string) => rows.connections.find((one) => isOwn(one) && one.status === status)?.count ?? 0;
  const ends = rows.recent.ends.filter(isOwn);
  return describe(rows.recent, {
    ...row,
    workers: rows.workers,
    work: PROVIDER_WORK.map((kind) => sumWork(ends, kind)),
    failingJobs: rows.failing.filter(isOwn).reduce((total, { count }) => total + count, 0),
    connected: inStatus('CONNECTED'),
    reconnectRequired: inStatus('RECONNECT_REQUIRED'),
  });
}

/** The health of the deliveries to apps, over all platforms. */
export const describeWebhookHealth = (
  recent: Recent,
  endpoints: NonNullable<HealthFacts['endpoints']>,
  { workers }: Pick<HealthFacts, 'workers'>,
): DescribedHealth =>
  describe(recent, {
    workers,
    work: [sumWork(recent.ends, 'WEBHOOK')],
    endpoints,
    openJobs: 0,
    failingJobs: 0,
    waitingConnects: 0,
    waitingPersons: 0,
    connectAnswer: null,
    connected: 0,
    reconnectRequired: 0,
    rejectedRegistrations: 0,
    doubtedRegistrations: 0,
    spentRegistrations: 0,
    pausedRegistrations: 0,
  });
