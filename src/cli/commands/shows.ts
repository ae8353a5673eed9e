import { ServiceError } from '../../basics/errors.ts';
import type { Follow } from '../shape.ts';

/** How some commands show their answer: columns for a terminal of 120 columns, and other forms of it. */

/** `27 min`: how long ago an instant was, or how far ahead. Empty for null. */
function formatDistance(instant: string | null, nowMs: number = Date.now()): string {
  if (instant === null) return '';
  const seconds = Math.round(Math.abs(Date.parse(instant) - nowMs) / 1_000);
  const [length, unit] =
    seconds < 60 ? [1, 's'] : seconds < 3_600 ? [60, 'min'] : seconds < 172_800 ? [3_600, 'h'] : [86_400, 'd'];
  return `${Math.floor(seconds / length)} ${unit}`;
}

/** `2026-11-29 06:42:56`, in UTC. */
const formatSecond = (instant: string): string => instant.slice(0, 19).replace('T', ' ');

const cut = (text: string, length: number): string => (text.length > length ? `${text.slice(0, length - 1)}…` : text);

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
}
interface Story {
  readonly id: string;
  readonly connection: { readonly status: string; readonly createdAt: string } | null;
  readonly attempts: readonly { id: string; status: string; resultCode: string | null; createdAt: string }[];
  readonly grants: readonly { id: string; status: string; obtainedAt: string }[];
  readonly receipts: readonly Job[];
  readonly jobs: readonly Job[];
}

/** One row for each event, oldest first. */
export function listHistory({ id, connection, attempts, grants, receipts, jobs }: Story) {
  const rows = [
    ...(connection === null
      ? []
      : [{ at: connection.createdAt, what: 'CONNECTION', id, status: connection.status, why: null }]),
    ...attempts.map((one) => ({
      at: one.createdAt,
      what: 'ATTEMPT',
      id: one.id,
      status: one.status,
      why: one.resultCode,
    })),
    ...grants.map((one) => ({ at: one.obtainedAt, what: 'GRANT', id: one.id, status: one.status, why: null })),
    ...[...receipts, ...jobs].map((one) => ({
      at: one.createdAt,
      what: one.kind,
      id: one.id,
      status: one.status,
      why: describeTries(one),
    })),
  ];
  return rows.sort((a, b) => Date.parse(a.at) - Date.parse(b.at));
}

/** The failed tries, and the step that is left to the person. */
function describeTries({ failure, lastFailure, tries, creatorAction }: Job): string | null {
  const found = failure ?? lastFailure;
  const failed = found && `${found.code}, ${tries === 1 ? '1 try' : `${tries} tries`}: ${found.message}`;
  return [creatorAction, failed].filter((one) => one !== null).join('; ') || null;
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
  readonly stuckSince: string | null;
  readonly nextRetryAt: string | null;
  readonly createdAt: string;
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
  next: job.nextRetryAt === null ? '-' : formatDistance(job.nextRetryAt),
  answer: cut(whyOf(job) ?? '-', 18),
});
export const briefJob = (job: ListedJob) => ({
  id: job.id,
  kind: job.kind,
  provider: job.provider,
  app: cut(job.appName, 12),
  status: job.status,
  created: formatSecond(job.createdAt).slice(0, 16),
  answer: cut(whyOf(job) ?? '-', 12),
});

interface StuckGroup extends Pick<ListedJob, 'kind' | 'provider' | 'appName' | 'lastAnswer' | 'lastFailure'> {
  readonly count: number;
  readonly failedCount: number;
  readonly since: string;
}
export const briefGroup = ({ count, failedCount, since, lastAnswer, lastFailure, ...group }: StuckGroup) => ({
  jobs: count,
  failed: failedCount,
  kind: group.kind,
  provider: group.provider,
  app: cut(group.appName, 16),
  longest: formatDistance(since),
  answer: cut(lastAnswer ?? '-', 18),
  reason: lastFailure?.code ?? '-',
});

interface Endpoint {
  readonly id: string;
  readonly appName: string;
  readonly url: string;
  readonly enabled: boolean;
  readonly disabledReason: string | null;
  readonly failingSince: string | null;
  readonly failures: number;
  readonly lastAnswer: string | null;
}
const stateOf = ({ enabled, disabledReason, failingSince }: Endpoint) => {
  if (!enabled) return `off: ${disabledReason ?? '-'}`;
  return failingSince === null ? 'works' : 'failing';
};
export const briefEndpoint = (endpoint: Endpoint) => ({
  id: endpoint.id,
  app: cut(endpoint.appName, 12),
  host: cut(endpoint.url.replace(/^https?:\/\/([^/?]*).*$/, '$1'), 18),
  state: stateOf(endpoint),
  for: formatDistance(endpoint.failingSince) || '-',
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
}
export const briefDelivery = ({ lastFailure, lastHttpStatus, ...delivery }: ListedDelivery) => ({
  id: delivery.id,
  status: delivery.status,
  event: cut(delivery.eventType, 29),
  occurred: formatSecond(delivery.occurredAt).slice(5, 16),
  tries: delivery.tries,
  answer: cut(lastFailure?.code ?? (lastHttpStatus === null ? '-' : `HTTP_${lastHttpStatus}`), 17),
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
