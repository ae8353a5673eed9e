import { ATTEMPT_ENDS, JOB_ENDS } from '../../basics/failure-codes.ts';
import type { EndedWorkKind } from '../../store/ended-work.ts';
import type { WorkersState } from '../../temporal/workers-state.ts';

/**
 * - `FAILING`: most of something fails, or the platform refuses our client.
 * - `DEGRADED`: more fails than usual, or something waits for an operator.
 * - `NOT_KNOWN`: nothing of these is known, and Temporal does not answer.
 * - `QUIET`: nothing ended and nothing is open, so nothing is known.
 */
export type HealthLevel = 'FAILING' | 'DEGRADED' | 'NOT_KNOWN' | 'HEALTHY' | 'QUIET';

/** How often one kind of work succeeded and failed lately, and how often it usually fails. */
export interface RecentWork {
  readonly kind: EndedWorkKind;
  readonly succeeded: number;
  readonly failed: number;
  /** The share that failed in the week before, 0 to 1; null if nothing ended then. */
  readonly usualShare: number | null;
}

export interface HealthFacts {
  readonly workers: WorkersState;
  readonly work: readonly RecentWork[];
  readonly openJobs: number;
  /** The open jobs whose last try failed. */
  readonly failingJobs: number;
  /** Connects that wait after a failed try, the persons who wait for them, and the most frequent cause. */
  readonly waitingConnects: number;
  readonly waitingPersons: number;
  readonly connectAnswer: string | null;
  readonly connected: number;
  readonly reconnectRequired: number;
  readonly rejectedRegistrations: number;
  readonly doubtedRegistrations: number;
  readonly spentRegistrations: number;
  readonly pausedRegistrations: number;
  /** For the delivery of webhooks. */
  readonly endpoints?: {
    readonly enabled: number;
    readonly failing: number;
    readonly givenUp: number;
    /** The hosts of disabled ones that answered 410, or for which events wait. */
    readonly disabledHosts: readonly string[];
  };
}

export interface Health {
  readonly level: HealthLevel;
  /** Why it is not healthy, as sentences; the worst first. If it is: which failures were too few to judge. */
  readonly reasons: readonly string[];
}

/** A list of its own: how an attempt, a job or a delivery can end without a code of ours. */
const OTHER_ENDS = {
  COMPLETED: 'succeeded',
  SUCCEEDED: 'succeeded',
  DELIVERED: 'succeeded',
  DENIED: undefined,
  REMOVE_APP_AT_PROVIDER: undefined,
} as const;
const ENDS = { ...ATTEMPT_ENDS, ...JOB_ENDS };
const isIn = <Table extends object>(table: Table, key: PropertyKey): key is keyof Table => Object.hasOwn(table, key);

/** Whether an end counts as a success or a failure of the platform, or as neither. A code of a platform or of HTTP is a failure. */
export function judgeEnd(outcome: string): 'succeeded' | 'failed' | undefined {
  if (isIn(OTHER_ENDS, outcome)) return OTHER_ENDS[outcome];
  return isIn(ENDS, outcome) && ENDS[outcome].blames === 'NOT_PLATFORM' ? undefined : 'failed';
}

/** Fewer failures are no pattern. */
const LEAST_FAILURES = 3;
const TOO_FEW = `Fewer than ${LEAST_FAILURES} failures of a kind are not judged.`;
const MOST = 0.5;
/** The share of failures at which work is worse than usual, and how many times the usual share. */
const WORSE = 0.1;
const TIMES_USUAL = 2;

const NOUNS: Readonly<Record<EndedWorkKind, string>> = {
  CONNECT: 'connects',
  READ: 'reads',
  TOKEN_REFRESH: 'token refreshes',
  REVOKE: 'revokes',
  WEBHOOK: 'webhook deliveries',
};

const count = (number: number) => number.toLocaleString('en');
const percent = (share: number) => `${Math.round(share * 100)} %`;

function judgeWork({ kind, succeeded, failed, usualShare }: RecentWork): Health | undefined {
  if (failed < LEAST_FAILURES) return undefined;
  const share = failed / (succeeded + failed);
  const usual = usualShare === null ? '' : `; usually ${percent(usualShare)}`;
  const reason = `${count(failed)} of ${count(succeeded + failed)} ${NOUNS[kind]} failed${usual}.`;
  if (share >= MOST) return { level: 'FAILING', reasons: [reason] };
  return share >= WORSE && share >= TIMES_USUAL * (usualShare ?? 0)
    ? { level: 'DEGRADED', reasons: [reason] }
    : undefined;
}

const mark = (level: HealthLevel, number: number, reason: string): Health | undefined =>
  number > 0 ? { level, reasons: [reason] } : undefined;

/** The most hosts in one reason. */
const MOST_NAMED = 3;

function describeDisabled(hosts: readonly string[]): string {
  const more = hosts.length - MOST_NAMED;
  const names = [...hosts.slice(0, MOST_NAMED), ...(more > 0 ? [`${count(more)} more`] : [])].join(', ');
  return `${names} ${hosts.length === 1 ? 'is' : 'are'} disabled: no events are sent there.`;
}

function describeWaiting({ waitingConnects, connectAnswer }: HealthFacts): string {
  const work = waitingConnects === 1 ? '1 connect waits' : `${count(waitingConnects)} connects wait`;
  return `${work} after a failed try${connectAnswer === null ? '' : `: ${connectAnswer.replace(/^HTTP_/, 'HTTP ')}`}.`;
}

function judgeEndpoints({ enabled, failing, givenUp, disabledHosts }: NonNullable<HealthFacts['endpoints']>) {
  const isMost = failing >= LEAST_FAILURES && failing / enabled >= MOST;
  return [
    mark(isMost ? 'FAILING' : 'DEGRADED', failing, `${count(failing)} of ${count(enabled)} endpoints fail now.`),
    mark('DEGRADED', givenUp, `${count(givenUp)} disabled after days of failures.`),
    mark('DEGRADED', disabledHosts.length, describeDisabled(disabledHosts)),
  ];
}

/** What waits while no worker takes work, and may wait while Temporal does not answer. */
function judgeWorkers({ workers, openJobs, endpoints }: HealthFacts): Health | undefined {
  if (workers === 'ANSWERING') return undefined;
  const jobs = openJobs === 0 ? '' : ` and ${count(openJobs)} open ${openJobs === 1 ? 'job' : 'jobs'}`;
  const work = endpoints === undefined ? `connects${jobs}` : 'events';
  return workers === 'SILENT'
    ? { level: 'FAILING', reasons: [`No worker runs: ${work} wait.`] }
    : { level: 'NOT_KNOWN', reasons: [`Temporal does not answer: ${work} may wait.`] };
}

/** The levels that need a reason, the worst first. */
const FOUND = ['FAILING', 'DEGRADED', 'NOT_KNOWN'] as const satisfies readonly HealthLevel[];

/** Rates the health of a platform, or of the delivery of webhooks. */
export function judgeHealth(facts: HealthFacts): Health {
  const { work, openJobs, failingJobs, connected, reconnectRequired } = facts;
  const known = connected + reconnectRequired;
  const isUsed = known + openJobs + (facts.endpoints?.enabled ?? 0) > 0;
  const found = [
    isUsed ? judgeWorkers(facts) : undefined,
    mark('FAILING', facts.rejectedRegistrations, 'The platform refuses our client.'),
    mark('FAILING', facts.doubtedRegistrations, 'The platform refuses unusually many accounts.'),
    ...work.map(judgeWork),
    reconnectRequired >= LEAST_FAILURES && reconnectRequired / known >= MOST
      ? {
          level: 'FAILING' as const,
          reasons: [`${count(reconnectRequired)} of ${count(known)} connections need a reconnect.`],
        }
      : undefined,
    mark(
      failingJobs >= LEAST_FAILURES && failingJobs / openJobs >= MOST ? 'FAILING' : 'DEGRADED',
      failingJobs,
      `${count(failingJobs)} of ${count(openJobs)} open jobs wait after a failed try.`,
    ),
    mark(
      facts.waitingPersons >= LEAST_FAILURES ? 'FAILING' : 'DEGRADED', // One person's account may be the cause.
      facts.waitingConnects,
      describeWaiting(facts),
    ),
    ...(facts.endpoints === undefined ? [] : judgeEndpoints(facts.endpoints)),
    mark('DEGRADED', facts.spentRegistrations, 'The daily quota is used up.'),
    mark('DEGRADED', facts.pausedRegistrations, `${count(facts.pausedRegistrations)} paused by an operator.`),
  ].filter((health) => health !== undefined);
  const inLevel = (level: HealthLevel) => found.filter((one) => one.level === level).flatMap(({ reasons }) => reasons);
  const worst = FOUND.find((level) => inLevel(level).length > 0);
  if (worst !== undefined) return { level: worst, reasons: FOUND.flatMap(inLevel) };
  const isQuiet = openJobs === 0 && work.every(({ succeeded, failed }) => succeeded + failed === 0);
  if (isQuiet) return { level: 'QUIET', reasons: [] };
  const isTooFew = work.some(({ failed }) => failed > 0 && failed < LEAST_FAILURES);
  return { level: 'HEALTHY', reasons: isTooFew ? [TOO_FEW] : [] };
}
