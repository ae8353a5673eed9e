import {
  ATTEMPT_STATUSES,
  CONNECTION_STATUSES,
  JOB_KINDS,
  JOB_STATUSES,
  PROVIDER_NAMES,
} from '../../../basics/codes.ts';
import { may, mayList, mayPerson, need, type RemoteCommand } from '../shape.ts';
import { dryRun, FAILURE, ID, mutationsOf, PAGE, paged, queriesOf } from './parts.ts';

const CONNECTION = 'id status provider appId appName tenantKey createdAt readErrorCode';
const ATTEMPT = 'id status provider appId appName resultCode connectionId createdAt expiresAt finishedAt correlationId';
const JOB = `id kind status provider appId appName tenantKey connectionId tries lastFailure { ${FAILURE} } failure { ${FAILURE} }
  stuck stuckSince nextTryAt givesUpAt createdAt finishedAt workflowId`;
const LIVE = `workflowId state failing progress { step since tries lastFailure { ${FAILURE} } waitingFor waitingUntil done total }
  pendingActivities { name attempt lastFailureType nextTryAt } historyLength workerBuild disagreement`;
const JOB_FILTER = {
  app: may('filter.appId', 'APP_ID'),
  provider: may('filter.provider', 'PROVIDER', PROVIDER_NAMES),
  connection: may('filter.connectionId', 'CONNECTION_ID'),
  kind: mayList('filter.kinds', 'KIND', JOB_KINDS),
  status: mayList('filter.statuses', 'STATUS', JOB_STATUSES),
  reason: may('filter.lastFailure', 'CODE'),
  'ended-since': may('filter.endedSince', 'ISO_8601'),
  'ended-before': may('filter.endedBefore', 'ISO_8601'),
};

const query = queriesOf('Connections and jobs');
const mutate = mutationsOf('Connections and jobs');

/** Connections, Connect attempts and jobs. */
export const JOB_COMMANDS: Readonly<Record<string, RemoteCommand>> = {
  'connections list': query(
    'connections',
    'List connections, newest first',
    {
      app: may('filter.appId', 'APP_ID'),
      provider: may('filter.provider', 'PROVIDER', PROVIDER_NAMES),
      registration: may('filter.registrationId', 'REGISTRATION_ID'),
      status: mayList('filter.statuses', 'STATUS', CONNECTION_STATUSES),
      tenant: may('filter.tenantKey', 'TENANT_KEY'),
      subject: mayPerson('filter.externalSubjectId', 'SUBJECT'),
    },
    { filter: 'ConnectionFilter', ...PAGE },
    paged(CONNECTION),
    { isPaged: true },
  ),
  'connections show': query(
    'connection',
    'Show the history of one connection: attempts, grants, receipts and reads',
    { connection: need('id', 'CONNECTION_ID') },
    ID,
    `id connection { ${CONNECTION} } attempts { id status resultCode createdAt } grants { id status obtainedAt }
      receipts { id kind status createdAt } jobs { id kind status createdAt }`,
  ),
  'connections disconnect': mutate(
    'disconnectConnection',
    'Disconnect one connection as its app would: revoke, then erase',
    { connection: need('id', 'CONNECTION_ID') },
    ID,
    'id receipts { id kind status }',
    { confirm: { of: ['connection'] } },
  ),
  'attempts list': query(
    'attempts',
    'List Connect attempts, newest first',
    {
      app: may('filter.appId', 'APP_ID'),
      provider: may('filter.provider', 'PROVIDER', PROVIDER_NAMES),
      status: mayList('filter.statuses', 'STATUS', ATTEMPT_STATUSES),
      connection: may('filter.connectionId', 'CONNECTION_ID'),
      result: may('filter.resultCode', 'CODE'),
      since: may('filter.since', 'ISO_8601'),
      before: may('filter.before', 'ISO_8601'),
    },
    { filter: 'AttemptFilter', ...PAGE },
    paged(ATTEMPT),
    { isPaged: true },
  ),
  'attempts show': query('attempt', 'Show one Connect attempt', { attempt: need('id', 'ATTEMPT_ID') }, ID, ATTEMPT),
  'attempts cancel': mutate(
    'cancelAttempt',
    'Cancel an unfinished attempt and revoke its grant',
    { attempt: need('id', 'ATTEMPT_ID') },
    ID,
    ATTEMPT,
  ),
  'jobs list': query('jobs', 'List jobs, newest first', JOB_FILTER, { filter: 'JobFilter', ...PAGE }, paged(JOB), {
    isPaged: true,
  }),
  'jobs stuck': query(
    'jobs',
    'List stuck jobs, longest stuck first',
    JOB_FILTER,
    { filter: 'JobFilter', ...PAGE },
    paged(JOB),
    { isPaged: true, fixed: { filter: { stuck: true } } },
  ),
  'jobs groups': query(
    'stuckWork',
    'Count stuck jobs by app, provider, kind and reason',
    JOB_FILTER,
    { filter: 'JobFilter', first: 'Int' },
    `count retryableCount groupCount groups { appId appName provider kind count failedCount since lastFailure { ${FAILURE} } }`,
    { fixed: { first: 100 } },
  ),
  'jobs show': {
    ...query('job', 'Show one job, and the state of its workflow', { job: need('id', 'JOB_ID') }, ID, JOB),
    fields: [
      { name: 'job', args: ID, select: JOB },
      { name: 'liveState', args: ID, select: LIVE },
    ],
  },
  'live show': query(
    'liveState',
    'Show the workflow of an attempt, job or bulk disconnect, as Temporal answers now',
    { id: need('id', 'ID') },
    ID,
    LIVE,
  ),
  'jobs retry': mutate('retryJob', 'Retry one job now', { job: need('id', 'JOB_ID') }, ID, JOB),
  'jobs retry-stuck': mutate(
    'retryJobs',
    'Retry all stuck jobs of a filter, including FAILED revokes',
    { ...JOB_FILTER, ...dryRun },
    { filter: 'JobFilter!', dryRun: 'Boolean' },
    'dryRun count failedCount more',
    { fixed: { filter: { stuck: true } } },
  ),
};
