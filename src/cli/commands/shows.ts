import { ADMIN_ERROR_CODES, ERROR_CODES, ServiceError } from '../../basics/errors.ts';
import { OPERATIONS } from '../../generated/admin-operations.ts';
import type { Cuttable } from '../format.ts';
import type { Choices, Follow } from '../shape.ts';

/** How some commands show their answer: columns for a terminal of 120 columns, and other forms of it. */

const msSince = (instant: string): number => Date.now() - Date.parse(instant);

/** `27 min`: how long ago an instant was, or how far ahead. Empty for null. */
function formatDistance(instant: string | null): string {
  if (instant === null) return '';
  const seconds = Math.round(Math.abs(msSince(instant)) / 1_000);
  const [length, unit] =
    seconds < 60 ? [1, 's'] : seconds < 3_600 ? [60, 'min'] : seconds < 172_800 ? [3_600, 'h'] : [86_400, 'd'];
  return `${Math.floor(seconds / length)} ${unit}`;
}

/** When a next try is due. A worker takes it within seconds: after that, none has. */
function formatNext(instant: string | null): string {
  if (instant === null) return '-';
  const lateMs = msSince(instant);
  if (lateMs < 0) return formatDistance(instant);
  return lateMs < 30_000 ? 'now' : 'overdue';
}

/** `2026-11-29 06:42:56`, in UTC. */
const formatSecond = (instant: string): string => instant.slice(0, 19).replace('T', ' ');

/** A table shows more than `least` characters where its line has room for them. */
const cut = (text: string, least: number): string | Cuttable => (text.length > least ? { text, least } : text);

/** @throws ServiceError `NOT_FOUND` */
export function pick<Row>(rows: readonly Row[], isChosen: (row: Row) => boolean, what: string): Row {
  const found = rows.find(isChosen);
  if (found === undefined) throw new ServiceError('NOT_FOUND', `NOT_FOUND: There is no such ${what}.`);
  return found;
}

interface Failure {
  readonly code: string;
  readonly message: string;
}
interface Job {
  readonly id: string;
  readonly kind: string;
  readonly status: string;
  readonly createdAt: string;
  readonly tries: number;
  readonly lastFailure: Failure | null;
  readonly failure: Failure | null;
  readonly creatorAction: string | null;
  readonly recoveredFrom: { readonly answer: string | null; readonly failure: Failure } | null;
  readonly startedAt: string | null;
  readonly finishedAt: string | null;
}
interface Story {
  readonly id: string;
  readonly endedByJobId: string | null;
  readonly connection: {
    readonly status: string;
    readonly createdAt: string;
    readonly changedAt: string;
    readonly disconnectReason: string | null;
  } | null;
  readonly attempts: readonly {
    readonly id: string;
    readonly status: string;
    readonly resultCode: string | null;
    readonly createdAt: string;
    readonly finishedAt: string | null;
  }[];
  readonly grants: readonly { readonly id: string; readonly obtainedAt: string }[];
  readonly receipts: readonly Job[];
  readonly jobs: readonly Job[];
  readonly audit: readonly (Pick<Entry, 'happenedAt' | 'actor' | 'actorLabel' | 'action' | 'outcome'> & {
    readonly target: string | null;
  })[];
}
interface Happened {
  readonly at: string;
  readonly what: string;
  readonly id: string;
  readonly status: string;
  readonly why: string | null;
}

/** One row for each event at its own time, oldest first. Work that has not ended has the time of its begin. */
export function listHistory({ attempts, grants, receipts, jobs, audit, ...story }: Story) {
  const rows: Happened[] = [
    ...listConnection(story, receipts),
    ...attempts.map((one) => ({
      at: one.finishedAt ?? one.createdAt,
      what: 'ATTEMPT',
      id: one.id,
      status: one.status,
      why: one.resultCode,
    })),
    ...grants.map((one) => ({ at: one.obtainedAt, what: 'GRANT', id: one.id, status: 'OBTAINED', why: null })),
    ...[...receipts, ...jobs].map((one) => ({
      at: one.finishedAt ?? one.startedAt ?? one.createdAt,
      what: one.kind,
      id: one.id,
      status: one.status,
      why: describeTries(one),
    })),
    ...audit.map((one) => ({
      at: one.happenedAt,
      what: 'OPERATOR',
      id: one.target ?? story.id,
      status: one.outcome,
      why: `${one.action} by ${one.actorLabel ?? one.actor}`,
    })),
  ];
  return rows.sort((a, b) => Date.parse(a.at) - Date.parse(b.at));
}

/** Its connect, its disconnect, with which the receipts begin, and its last change otherwise. */
function listConnection(
  { id, connection, endedByJobId }: Pick<Story, 'id' | 'connection' | 'endedByJobId'>,
  receipts: Story['receipts'],
): Happened[] {
  const event = (at: string, status: string, why: string | null = null) => ({
    at,
    what: 'CONNECTION',
    id,
    status,
    why,
  });
  const [receipt] = receipts;
  const rows = receipt ? [event(receipt.createdAt, 'DISCONNECTED', connection?.disconnectReason)] : [];
  if (connection === null) return rows;
  const { status, createdAt, changedAt } = connection;
  const why =
    endedByJobId &&
    `its grant was ended by a disconnect of another connection of the same account: job ${endedByJobId}`;
  if (createdAt < changedAt && rows.every((row) => row.status !== status)) rows.push(event(changedAt, status, why));
  return [event(createdAt, 'CREATED'), ...rows];
}

const countTries = (tries: number) => (tries === 1 ? '1 try' : `${tries} tries`);

/** The failed tries, and the step that is left to the person. */
function describeTries({ failure, lastFailure, recoveredFrom, tries, creatorAction }: Job): string | null {
  const found = failure ?? lastFailure;
  const failed = found && `${found.code}, ${countTries(tries)}: ${found.message}`;
  const before =
    recoveredFrom && `at try ${Math.max(2, tries)}; before it: ${recoveredFrom.answer ?? recoveredFrom.failure.code}`;
  return [creatorAction, failed, before].filter((one) => one !== null).join('; ') || null;
}

interface ListedJob {
  readonly id: string;
  readonly kind: string;
  readonly status: string;
  readonly provider: string;
  readonly appName: string;
  readonly tries: number;
  readonly lastAnswer: string | null;
  readonly lastFailure: Failure | null;
  readonly failure: Failure | null;
  readonly creatorAction: string | null;
  readonly stuck: boolean;
  readonly stuckSince: string | null;
  readonly nextRetryAt: string | null;
  readonly createdAt: string;
  readonly finishedAt: string | null;
}
const whyOf = ({ lastAnswer, failure, lastFailure }: ListedJob) =>
  lastAnswer ?? failure?.code ?? lastFailure?.code ?? null;

export const briefStuckJob = (job: ListedJob) => ({
  id: job.id,
  kind: job.kind,
  provider: job.provider,
  app: cut(job.appName, 12),
  stuck: formatDistance(job.stuckSince),
  tries: job.tries,
  next: formatNext(job.nextRetryAt),
  answer: cut(whyOf(job) ?? '-', 18),
});
/** An open job after failed tries differs from a fresh one, and a revoke that was not sent from one that was. */
const stateOfJob = ({ status, creatorAction, finishedAt, stuck, tries }: ListedJob) => {
  if (finishedAt !== null) return status === 'SUCCEEDED' && creatorAction !== null ? 'LEFT_TO_PERSON' : status;
  if (stuck) return 'STUCK';
  return tries > 0 ? 'RETRYING' : status;
};
export const briefJob = (job: ListedJob) => ({
  id: job.id,
  kind: cut(job.kind, 7),
  provider: job.provider,
  app: cut(job.appName, 8),
  state: cut(stateOfJob(job), 9),
  created: formatSecond(job.createdAt).slice(5, 16),
  tries: job.tries,
  next: formatNext(job.nextRetryAt),
  answer: cut(whyOf(job) ?? '-', 12),
});

interface ListedAttempt {
  readonly id: string;
  readonly status: string;
  readonly provider: string;
  readonly appName: string;
  readonly resultCode: string | null;
  readonly lastAnswer: string | null;
  readonly lastRefusal: string | null;
  readonly createdAt: string;
}
export const briefAttempt = (attempt: ListedAttempt) => ({
  id: attempt.id,
  provider: attempt.provider,
  app: cut(attempt.appName, 10),
  status: attempt.status,
  created: formatSecond(attempt.createdAt).slice(5, 16),
  result: cut(attempt.resultCode ?? attempt.lastAnswer ?? '-', 16),
  // `wrongBrowser` as words; `attempts show` tells what can be done.
  refused: cut(attempt.lastRefusal?.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`) ?? '-', 16),
});

type Counted = Readonly<Record<string, string | number>>;
interface PastFailures {
  readonly tries: number;
  readonly lastAnswer: string | null;
  readonly since: string;
  readonly until: string;
}
interface Health {
  readonly level: string;
  readonly reasons: readonly string[];
}
interface Overview {
  readonly webhookHealth: Health;
  readonly recoveredWebhookEndpoints: readonly { readonly url: string; readonly pastFailures: PastFailures | null }[];
  readonly connections: readonly Counted[];
  readonly jobs: readonly Counted[];
  readonly providers: readonly {
    readonly provider: string;
    readonly refusedFrom: string | null;
    readonly refusedUntil: string | null;
    readonly pastFailures: readonly PastFailures[];
    readonly failing: readonly {
      readonly kind: string;
      readonly count: number;
      readonly lastAnswer: string | null;
      readonly lastAnswerCode: string | null;
      readonly failure: { readonly code: string };
    }[];
    readonly health: Health & {
      readonly since: string;
      readonly work: readonly { readonly kind: string; readonly succeeded: number; readonly failed: number }[];
    };
    readonly [count: string]: unknown;
  }[];
  readonly workers: string;
  readonly workerProcesses: readonly { readonly name: string; readonly seenAt: string; readonly silent: boolean }[];
}
const describePast = ({ tries, lastAnswer, since, until }: PastFailures) =>
  `${countTries(tries)} failed between ${formatSecond(since)} and ${formatSecond(until)}${lastAnswer ? ` (${lastAnswer})` : ''}`;

/** `DEGRADED: 1 paused by an operator.` Empty if it is healthy, or nothing has happened. */
const listVerdict = ({ level, reasons }: Health) =>
  level === 'HEALTHY' || level === 'QUIET' ? [] : [`${level}: ${reasons.join(' ')}`];

const describeEnded = ({ kind, succeeded, failed }: Overview['providers'][number]['health']['work'][number]) =>
  succeeded + failed === 0 ? [] : [`${kind} ${succeeded} OK${failed > 0 ? ` ${failed} failed` : ''}`];

/** The answer with the platform's own code. */
const joinAnswer = (answer: string | null, code: string | null): string | null =>
  [answer, code].filter((part) => part !== null).join(' ') || null;

/** A line for each worker, provider, status, kind and recovered endpoint. The numbers of a provider that are 0 are left out. */
export const briefOverview = ({
  connections,
  jobs,
  providers,
  workers,
  workerProcesses,
  webhookHealth,
  recoveredWebhookEndpoints,
  ...others
}: Overview) => ({
  ...others,
  workers: workers === 'NOT_KNOWN' ? 'NOT_KNOWN: Temporal did not answer within a second' : workers,
  workerProcesses: workerProcesses.map(
    ({ name, seenAt, silent }) => `${name} ${silent ? `SILENT since ${formatSecond(seenAt)}` : 'reports'}`,
  ),
  connections: connections.map(({ provider, status, count }) => `${provider} ${status} ${count}`),
  jobs: jobs.map(({ kind, status, count }) => `${kind} ${status} ${count}`),
  providers: providers.map(({ provider, refusedFrom, refusedUntil, pastFailures, failing, health, ...numbers }) => {
    const parts = Object.entries(numbers).flatMap(([name, number]) => (number === 0 ? [] : [`${name} ${number}`]));
    const ended = health.work.flatMap(describeEnded);
    if (ended.length > 0) parts.push(`ended since ${formatSecond(health.since)}: ${ended.join('; ')}`);
    for (const { kind, count, lastAnswer, lastAnswerCode, failure } of failing)
      parts.push(`${kind} failing ${count} (${joinAnswer(lastAnswer, lastAnswerCode) ?? failure.code})`);
    if (refusedFrom && refusedUntil)
      parts.push(`refused our client from ${formatSecond(refusedFrom)} to ${formatSecond(refusedUntil)}`);
    parts.push(...pastFailures.map(describePast));
    const shown = [...listVerdict(health), ...(parts.length > 0 ? [parts.join(', ')] : [])];
    return `${provider} ${shown.join(' ') || 'nothing'}`;
  }),
  webhooks: [
    ...listVerdict(webhookHealth),
    // No claim that they work: an operator may only have enabled them again.
    ...recoveredWebhookEndpoints.map(
      ({ url, pastFailures }) => `${hostOf(url)}${pastFailures && ` ${describePast(pastFailures)}`}`,
    ),
  ],
});

interface ListedRegistration {
  readonly id: string;
  readonly provider: string;
  readonly label: string;
  readonly connectionCount: number;
  readonly accepted: boolean;
  readonly pausedAt: string | null;
  readonly rejectedAt: string | null;
}
const formatMinute = (instant: string | null) => (instant === null ? '-' : formatSecond(instant).slice(0, 16));
export const briefRegistration = (registration: ListedRegistration) => ({
  id: registration.id,
  provider: registration.provider,
  label: cut(registration.label, 14),
  connections: registration.connectionCount,
  accepted: registration.accepted,
  pausedAt: formatMinute(registration.pausedAt),
  rejectedAt: formatMinute(registration.rejectedAt),
});

interface StuckGroup extends Pick<ListedJob, 'kind' | 'provider' | 'appName' | 'lastAnswer' | 'lastFailure'> {
  readonly lastAnswerCode: string | null;
  readonly count: number;
  readonly failedCount: number;
  readonly since: string;
}
export const briefGroup = ({
  count,
  failedCount,
  since,
  lastAnswer,
  lastAnswerCode,
  lastFailure,
  ...group
}: StuckGroup) => ({
  jobs: count,
  failed: failedCount,
  kind: group.kind,
  provider: group.provider,
  app: cut(group.appName, 16),
  longest: formatDistance(since),
  answer: cut(joinAnswer(lastAnswer, lastAnswerCode) ?? '-', 18),
  reason: lastFailure?.code ?? '-',
});

interface Endpoint {
  readonly id: string;
  readonly appName: string;
  readonly url: string;
  readonly enabled: boolean;
  readonly disabledReason: string | null;
  readonly disabledAt: string | null;
  readonly failingSince: string | null;
  readonly failures: number;
  readonly lastAnswer: string | null;
}
const hostOf = (url: string) => url.replace(/^https?:\/\/([^/?]*).*$/, '$1');
const stateOf = ({ enabled, disabledReason, failingSince }: Endpoint) => {
  if (!enabled) return `off: ${disabledReason ?? '-'}`;
  return failingSince === null ? 'works' : 'failing';
};
export const briefEndpoint = (endpoint: Endpoint) => ({
  id: endpoint.id,
  app: cut(endpoint.appName, 12),
  host: cut(hostOf(endpoint.url), 18),
  state: stateOf(endpoint),
  for: formatDistance(endpoint.failingSince ?? endpoint.disabledAt) || '-',
  tries: endpoint.failures,
  answer: cut(endpoint.lastAnswer ?? '-', 17),
});

interface ListedDelivery {
  readonly id: string;
  readonly status: string;
  readonly eventType: string;
  readonly occurredAt: string;
  readonly tries: number;
  readonly lastHttpStatus: number | null;
  readonly lastFailure: Failure | null;
  readonly nextRetryAt: string | null;
  readonly waitsForEndpoint: boolean;
}
/** `endpoint` as the next try: it waits for its endpoint, which is paused or disabled. */
export const briefDelivery = ({ lastFailure, lastHttpStatus, ...delivery }: ListedDelivery) => ({
  id: delivery.id,
  status: delivery.status,
  event: cut(delivery.eventType, 22),
  occurred: formatSecond(delivery.occurredAt).slice(5, 16),
  tries: delivery.tries,
  answer: cut(lastFailure?.code ?? (lastHttpStatus === null ? '-' : `HTTP_${lastHttpStatus}`), 15),
  next: delivery.waitsForEndpoint ? 'endpoint' : formatNext(delivery.nextRetryAt),
});

interface NewToken {
  readonly token: { readonly id: string; readonly role: string; readonly label: string; readonly expiresAt: string };
  readonly secret: string | null;
}

interface Entry {
  readonly happenedAt: string;
  readonly actor: string;
  readonly actorLabel: string | null;
  readonly action: string;
  readonly target: string | null;
  readonly things: readonly { readonly name: string | null; readonly id: string }[];
  readonly outcome: string;
}
export const briefEntry = ({ happenedAt, actor, actorLabel, action, target, things: [thing], outcome }: Entry) => ({
  at: formatSecond(happenedAt),
  operator: cut(actorLabel ?? actor, 20),
  action: cut(action, 27),
  about: cut(thing?.name ?? thing?.id ?? target ?? '-', 30),
  outcome: cut(outcome, 14),
});

interface AuditChoices {
  readonly actors: readonly { readonly actor: string; readonly actorLabel: string | null }[];
  readonly actions: readonly string[];
}
/** How an operation of the audit log ended: a refusal has its code. */
const OUTCOMES = ['DONE', 'DRY_RUN', 'FAILED', ...ERROR_CODES, ...ADMIN_ERROR_CODES];

/** An operator has the label of their token, and its id without `token:`. */
export const AUDIT_CHOICES: Choices = {
  field: { name: 'auditChoices', select: 'actors { actor actorLabel } actions' },
  of: {
    actor: ({ actors }: AuditChoices) =>
      actors.map(({ actor, actorLabel }) => ({
        value: actor,
        names: [...(actorLabel === null ? [] : [actorLabel]), actor.replace(/^token:/, '')],
      })),
    action: ({ actions }: AuditChoices) => actions.map((value) => ({ value, names: [] })),
    outcome: () => OUTCOMES.map((value) => ({ value, names: [] })),
  },
  known: { action: Object.keys(OPERATIONS) },
  most: 500,
};

export const showNewToken = ({ token, secret }: NewToken) => ({
  tokenId: token.id,
  role: token.role,
  label: token.label,
  expiresAt: token.expiresAt,
  token: secret,
});

interface Delivery {
  readonly status: string;
  readonly tries: number;
  readonly lastFailure: { readonly code: string; readonly message: string } | null;
  readonly nextRetryAt: string | null;
  readonly history: readonly { readonly durationMs: number | null }[];
}

export const showTest = ({ history, ...delivery }: Delivery) => ({
  ...delivery,
  durationMs: history.at(-1)?.durationMs ?? null,
});

interface TestedRegistration {
  readonly testedAt: string | null;
  readonly testAnsweredAt: string | null;
  readonly rejectedAt: string | null;
  readonly rejectionAnswer: string | null;
  readonly rejectionAnswerCode: string | null;
}
/** Whether the provider has answered a test that began with this registration. */
const isAnswered = ({ testedAt, testAnsweredAt }: TestedRegistration, begun: TestedRegistration) =>
  testedAt !== null && testedAt !== begun.testedAt && testAnsweredAt !== null && testAnsweredAt >= testedAt;

/** Waits until the provider has answered. */
export const followRegistrationTest = (select: string): Follow => ({
  field: { name: 'registration', select },
  seconds: 30,
  isKnown: isAnswered,
  findFault: (last: TestedRegistration, begun: TestedRegistration) => {
    if (!isAnswered(last, begun)) {
      return 'There is no answer after 30 seconds: what is shown is older. See whether a worker runs.';
    }
    if (last.rejectedAt === null) return undefined;
    const answer = [last.rejectionAnswer?.replace('_', ' '), last.rejectionAnswerCode].filter((part) => part);
    return `The provider refuses the client${answer.length > 0 ? `: ${answer.join(' ')}` : ''}.`;
  },
});

interface RetriedJob extends Pick<ListedJob, 'finishedAt' | 'failure' | 'lastFailure' | 'nextRetryAt'> {
  readonly lastTriedAt: string | null;
}
const wasTried = ({ finishedAt, lastTriedAt }: RetriedJob, begun: RetriedJob) =>
  finishedAt !== null || lastTriedAt !== begun.lastTriedAt;

interface RetriedJobs {
  readonly dryRun: boolean;
  readonly count: number;
  readonly failedCount: number;
  readonly more: boolean;
  readonly correlationId: string;
}
const nameOutcomes = (correlationId: string) => `jobs list --retried-by ${correlationId}`;

/** The last line names the command that shows how each job did. */
export const showRetried = ({ dryRun, count, failedCount, more, correlationId }: RetriedJobs) => ({
  dryRun,
  count,
  hadFailed: failedCount,
  more,
  correlationId,
  outcomes: dryRun || count === 0 ? null : nameOutcomes(correlationId),
});

/** One page of a list. More of them may take longer than anyone waits. */
const MOST_FOLLOWED = 100;

interface RetriedPage {
  readonly items?: readonly (Pick<ListedJob, 'status' | 'finishedAt'> & { readonly waiting: boolean })[];
}

/** Waits until each job has been tried once more: it has ended, or waits for its next try. */
export const FOLLOW_RETRIES: Follow = {
  field: { name: 'jobs', select: 'items { status finishedAt waiting }' },
  variables: ({ correlationId }: RetriedJobs) => ({ filter: { retriedBy: correlationId }, first: MOST_FOLLOWED }),
  showsBegun: true,
  seconds: 30,
  isKnown: ({ items }: RetriedPage, { dryRun, count }: RetriedJobs) =>
    dryRun ||
    count === 0 ||
    count > MOST_FOLLOWED ||
    items?.every(({ finishedAt, waiting }) => finishedAt !== null || waiting) === true,
  findFault: ({ items = [] }: RetriedPage, { count, correlationId }: RetriedJobs) => {
    const untried = items.filter(({ finishedAt, waiting }) => finishedAt === null && !waiting).length;
    const failed = items.filter(({ status, waiting }) => waiting || status === 'FAILED').length;
    const see = `Run ${nameOutcomes(correlationId)}.`;
    if (untried > 0)
      return `${untried} of ${count} were not tried within 30 seconds. See whether a worker runs. ${see}`;
    return failed > 0 ? `${failed} of ${count} failed again. ${see}` : undefined;
  },
};

/** Waits until the job has been tried once more. */
export const followRetry = (select: string): Follow => ({
  field: { name: 'job', select },
  seconds: 30,
  isKnown: wasTried,
  findFault: (last: RetriedJob, begun: RetriedJob) => {
    if (!wasTried(last, begun))
      return 'It was not tried within 30 seconds: what is shown is older. See whether a worker runs, and run jobs show.';
    const failure = last.failure ?? last.lastFailure;
    if (failure === null) return undefined;
    const next = last.nextRetryAt === null ? '' : ` The next try is at ${last.nextRetryAt}.`;
    return `It has failed again. ${failure.code}: ${failure.message}${next}`;
  },
});

/** Waits for the first try. */
export const followTest = (select: string): Follow => ({
  field: { name: 'webhookDelivery', select },
  seconds: 20,
  // A try counts from its start, so `tries` does not show that one has ended.
  isKnown: ({ status, lastFailure }: Delivery) => status !== 'PENDING' || lastFailure !== null,
  findFault: ({ status, tries, lastFailure, nextRetryAt }: Delivery) => {
    if (status === 'DELIVERED') return undefined;
    if (tries === 0) return 'Nothing has tried to deliver it within 20 seconds. See whether a worker runs.';
    if (lastFailure === null) return 'A worker has sent it. The endpoint has not answered within 20 seconds.';
    const next = nextRetryAt === null ? '' : ` The next try is at ${nextRetryAt}.`;
    return `The endpoint has not taken it. ${lastFailure.code}: ${lastFailure.message}${next}`;
  },
});
