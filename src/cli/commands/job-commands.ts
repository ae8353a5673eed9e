import { arg, type Command, commandsOf } from '../shape.ts';
import { cut, formatDistance, formatSecond } from './brief.ts';
import { dryRun, FAILURE } from './parts.ts';

const CONNECTION = 'id status provider providerAccountId appId appName tenantKey createdAt readErrorCode';
const ATTEMPT =
  'id status provider appId appName resultCode lastAnswer connectionId createdAt expiresAt finishedAt correlationId';
const JOB = `id kind status provider appId appName tenantKey connectionId providerAccountId tries lastTriedAt lastAnswer lastFailure { ${FAILURE} } failure { ${FAILURE} }
  stuck stuckSince nextRetryAt givesUpAt createdAt finishedAt workflowId`;

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

const briefStuckJob = (job: ListedJob) => ({
  id: job.id,
  kind: job.kind,
  provider: job.provider,
  app: cut(job.appName, 12),
  stuck: formatDistance(job.stuckSince),
  tries: job.tries,
  next: job.nextRetryAt === null ? '-' : formatDistance(job.nextRetryAt),
  answer: cut(whyOf(job) ?? '-', 18),
});
const briefJob = (job: ListedJob) => ({
  id: job.id,
  kind: job.kind,
  provider: job.provider,
  app: cut(job.appName, 12),
  status: job.status,
  created: formatSecond(job.createdAt).slice(0, 16),
  answer: cut(whyOf(job) ?? '-', 12),
});

const COUNT = 'count isExact';
const SIGN_IN = 'id status appId appName tenantKey issuer redeemedAt createdAt expiresAt finishedAt correlationId';
const LIVE = `workflowId state failing progress { step since tries lastFailure { ${FAILURE} } waitingFor waitingUntil done total }
  pendingActivities { name attempt lastFailureType nextRetryAt } historyLength workerBuild disagreement`;
const CONNECTION_FILTER = {
  app: arg('filter.appId', 'APP_ID'),
  provider: arg('filter.provider', 'PROVIDER'),
  registration: arg('filter.registrationId', 'REGISTRATION_ID'),
  status: arg('filter.statuses', 'STATUS'),
  tenant: arg('filter.tenantKey', 'TENANT_KEY'),
  subject: arg('filter.externalSubjectId', 'SUBJECT', { isPerson: true }),
  account: arg('filter.search', 'SUBJECT_OR_ACCOUNT', { isPerson: true }),
  since: arg('filter.since', 'ISO_8601'),
  before: arg('filter.before', 'ISO_8601'),
};
const ATTEMPT_FILTER = {
  app: arg('filter.appId', 'APP_ID'),
  provider: arg('filter.provider', 'PROVIDER'),
  status: arg('filter.statuses', 'STATUS'),
  connection: arg('filter.connectionId', 'CONNECTION_ID'),
  result: arg('filter.resultCode', 'CODE'),
  answer: arg('filter.lastAnswer', 'ANSWER'),
  since: arg('filter.since', 'ISO_8601'),
  before: arg('filter.before', 'ISO_8601'),
};
const JOB_FILTER = {
  app: arg('filter.appId', 'APP_ID'),
  provider: arg('filter.provider', 'PROVIDER'),
  connection: arg('filter.connectionId', 'CONNECTION_ID'),
  kind: arg('filter.kinds', 'KIND'),
  status: arg('filter.statuses', 'STATUS'),
  reason: arg('filter.lastFailure', 'CODE'),
  'ended-since': arg('filter.endedSince', 'ISO_8601'),
  'ended-before': arg('filter.endedBefore', 'ISO_8601'),
};

const HAPPENED = `id kind status createdAt tries lastFailure { ${FAILURE} } failure { ${FAILURE} }`;

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
function listHistory({ id, connection, attempts, grants, receipts, jobs }: Story) {
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

function describeTries({ failure, lastFailure, tries }: Job): string | null {
  const found = failure ?? lastFailure;
  return found && `${found.code}, ${tries === 1 ? '1 try' : `${tries} tries`}: ${found.message}`;
}

const command = commandsOf('Connections and jobs');

/** Connections, Connect attempts and jobs. */
export const JOB_COMMANDS: Readonly<Record<string, Command>> = {
  'connections list': command('connections', 'List connections, newest first', CONNECTION_FILTER, CONNECTION),
  'connections count': command('connectionCount', 'Count connections', CONNECTION_FILTER, COUNT),
  'connections show': command(
    'connection',
    'Show the history of one connection, oldest first: attempts, grants, receipts and reads',
    { connection: arg('id', 'CONNECTION_ID') },
    `id connection { status createdAt } attempts { id status resultCode createdAt } grants { id status obtainedAt }
      receipts { ${HAPPENED} } jobs { ${HAPPENED} }`,
    { show: listHistory },
  ),
  'connections disconnect': command(
    'disconnectConnection',
    'Disconnect one connection as its app would: revoke, then erase',
    { connection: arg('id', 'CONNECTION_ID') },
    'id receipts { id kind status }',
    { confirm: { of: ['connection'] } },
  ),
  'attempts list': command('attempts', 'List Connect attempts, newest first', ATTEMPT_FILTER, ATTEMPT),
  'attempts count': command('attemptCount', 'Count Connect attempts', ATTEMPT_FILTER, COUNT),
  'attempts show': command('attempt', 'Show one Connect attempt', { attempt: arg('id', 'ATTEMPT_ID') }, ATTEMPT),
  'sign-in show': command('signIn', 'Show one sign-in', { 'sign-in': arg('id', 'SIGN_IN_ID') }, SIGN_IN),
  'attempts cancel': command(
    'cancelAttempt',
    'Cancel an unfinished attempt and revoke its grant',
    { attempt: arg('id', 'ATTEMPT_ID') },
    ATTEMPT,
  ),
  'jobs list': command('jobs', 'List jobs, newest first', JOB_FILTER, JOB, { brief: briefJob }),
  'jobs count': command('jobCount', 'Count jobs', JOB_FILTER, COUNT),
  'jobs stuck': command('jobs', 'List stuck jobs, longest stuck first', JOB_FILTER, JOB, {
    fixed: { filter: { stuck: true } },
    brief: briefStuckJob,
  }),
  'jobs groups': command(
    'stuckWork',
    'Count stuck jobs by app, provider, kind and reason',
    JOB_FILTER,
    `count retryableCount groupCount groups { appId appName provider kind count failedCount since lastFailure { ${FAILURE} } }`,
    { fixed: { first: 100 } },
  ),
  'jobs show': command('job', 'Show one job, and the state of its workflow', { job: arg('id', 'JOB_ID') }, JOB, {
    fields: [
      { name: 'job', select: JOB },
      { name: 'liveState', select: LIVE },
    ],
  }),
  'live show': command(
    'liveState',
    'Show the workflow of an attempt, job or bulk disconnect, as Temporal answers now',
    { id: arg('id', 'ID') },
    LIVE,
  ),
  'jobs retry': command('retryJob', 'Retry one job now', { job: arg('id', 'JOB_ID') }, JOB),
  'jobs retry-stuck': command(
    'retryJobs',
    'Retry all stuck jobs of a filter, including FAILED revokes',
    { ...JOB_FILTER, ...dryRun },
    'dryRun count failedCount more',
    { fixed: { filter: { stuck: true } } },
  ),
};
