import { z } from 'zod';
import { ServiceError } from '../basics/errors.ts';
import type { AdminTokenId, AppId, ConnectionId, JobId, UnknownAnswerId } from '../basics/ids.ts';
import { startRetries } from '../domain/disconnecting/start-retries.ts';
import * as rules from '../domain/rules/input-rules.ts';
import { ADMIN_ROLES } from '../domain/rules/roles.ts';
import { describeFailure } from '../domain/texts/failure-messages.ts';
import { findDisagreement } from '../domain/work/compare-with-workflow.ts';
import { toWorkOfJob } from '../domain/work/find-work.ts';
import { listAdminAttempts } from '../store/attempts/admin-attempts.ts';
import { findAdminConnection } from '../store/connections/admin-connections.ts';
import { getBusinessTime, inTransaction, type Sql } from '../store/driver/sql.ts';
import { listAdminGrants } from '../store/grants/admin-grants.ts';
import { type AdminJob, EVERY_JOB, findAdminJob, listAdminJobs, listRetryableJobs } from '../store/jobs/admin-jobs.ts';
import { insertAdminToken, listAdminTokens, revokeAdminToken } from '../store/operators/admin-tokens.ts';
import { listRefusedDispatches, retryRefusedDispatches } from '../store/outbox.ts';
import { deleteUnknownAnswer, listUnknownAnswers } from '../store/unknown-answers.ts';
import type { WorkflowAnswer } from '../temporal/ask-workflow.ts';
import { flag, id, provider, type Row, tokenExpiry } from './command.ts';
import { at, MAX_ROWS, NOT_YET, type Operation, operation } from './operation.ts';
import { WEBHOOK_COMMANDS } from './webhook-commands.ts';

const inTries = (count: number): string => (count === 1 ? '1 try' : `${count} tries`);

const jobRow = (job: AdminJob): Row => ({
  jobId: job.jobId,
  kind: job.kind,
  status: job.status,
  provider: job.provider,
  appId: job.appId,
  appName: job.appName,
  tenantKey: job.tenantKey,
  tries: job.tries,
  lastFailure: job.errorCode ?? job.lastFailure,
  stuckSince: at(job.stuckSince),
  nextTryAt: job.open ? at(job.nextRetryAt) : null,
  connectionId: job.connectionId,
});

/** The answer of a workflow; every value is null while it is not known. */
function liveRow(answer: WorkflowAnswer): Row {
  const known = 'progress' in answer ? answer : undefined;
  const progress = known?.progress;
  const pending = (known?.pendingActivities ?? []).map(({ name, attempt, lastFailureType, nextTryAt }) => {
    const failed = lastFailureType === null ? '' : `, failed with ${lastFailureType}`;
    return `${name} (attempt ${attempt}${failed}${nextTryAt === null ? '' : `, next ${nextTryAt.toISOString()}`})`;
  });
  return {
    workflow: answer.state,
    failing: known?.failing ?? null,
    step: progress?.step ?? null,
    since: progress?.since ?? null,
    triesInRun: progress?.tries ?? null,
    lastCode: progress?.lastCode ?? null,
    waitingFor: progress?.waitingFor ?? null,
    waitingUntil: progress?.waitingUntil ?? null,
    activities: known === undefined ? null : pending,
    historyLength: known?.historyLength ?? null,
    workerBuild: known?.workerBuild ?? null,
  };
}

const buildId = z.string().regex(/^[A-Za-z0-9._-]{1,100}$/, 'must be letters, digits, ".", "_" and "-"');
const filter = { app: id<AppId>().optional(), provider: provider.optional() };
const stuckJobs = (options: { app?: AppId | undefined; provider?: AdminJob['provider'] | undefined }) => ({
  ...EVERY_JOB,
  appId: options.app ?? null,
  provider: options.provider ?? null,
  stuck: true,
});

/** The commands with which an operator runs the service; the admin API offers the same. */
export const OPERATIONS: Readonly<Record<string, Operation>> = {
  'admin token create': operation(
    'admin token create --role VIEWER|OPERATOR|ADMIN [--expires ISO_8601] [--label LABEL]',
    'Issue an admin token; this shows it once. It lives 90 days at most, which is the default',
    {
      role: z.enum(ADMIN_ROLES),
      expires: tokenExpiry.optional(),
      label: rules.tokenLabel.default('command line'),
    },
    async ({ role, expires, label }, { sql }) => {
      const expiresAt = expires ?? new Date(Date.now() + rules.ADMIN_TOKEN_LIFE_MS);
      const { tokenId, token } = await insertAdminToken(sql, { label, role, expiresAt });
      return { tokenId, role, label, expiresAt: at(expiresAt), token };
    },
  ),
  'admin token list': operation(
    'admin token list',
    'List the admin tokens that have not expired',
    {},
    async (_options, { sql }) =>
      (await listAdminTokens(sql)).map((token) => ({
        tokenId: token.tokenId,
        role: token.role,
        label: token.label,
        expiresAt: at(token.expiresAt),
        lastUsedAt: at(token.lastUsedAt),
        revokedAt: at(token.revokedAt),
      })),
  ),
  'admin token revoke': operation(
    'admin token revoke --token TOKEN_ID',
    'Revoke an admin token at once, and end the sessions begun with it',
    { token: id<AdminTokenId>() },
    async ({ token }, { sql }) => {
      const revoked = await revokeAdminToken(sql, token);
      if (revoked === undefined) throw new ServiceError('NOT_FOUND', 'There is no such token in use.');
      return { tokenId: token, revokedAt: at(revoked.revokedAt) };
    },
  ),
  'outbox refused': operation(
    'outbox refused',
    'List the workflows that Temporal refuses to start or signal, oldest first',
    {},
    async (_options, { sql, warn }) => {
      const entries = await listRefusedDispatches(sql, MAX_ROWS + 1);
      if (entries.length > MAX_ROWS) warn(`There are more: these are the ${MAX_ROWS} oldest.`);
      return entries.slice(0, MAX_ROWS).map(({ createdAt, nextTryAt, ...entry }) => ({
        ...entry,
        createdAt: at(createdAt),
        nextTryAt: at(nextTryAt),
      }));
    },
  ),
  'outbox retry': operation(
    'outbox retry',
    'Retry all workflows that Temporal refused to start or signal',
    {},
    async (_options, { sql, deliver }) => {
      const retried = await retryRefusedDispatches(sql);
      return { retried, delivered: retried === 0 || (await deliver()) };
    },
  ),
  'workers list': operation(
    'workers list',
    'List the builds of versioned workers, newest first: workers of a DRAINED one can go',
    {},
    async (_options, { workerVersions }) =>
      (await (await workerVersions()).list()).map(({ createdAt, ...version }) => ({
        ...version,
        createdAt: at(createdAt),
      })),
  ),
  'workers promote': operation(
    'workers promote --build BUILD_ID | --unversioned [--within SECONDS]',
    'Start new workflows on the workers of this build, once they poll: after a roll-out, or to go back',
    { build: buildId.optional(), unversioned: flag, within: z.coerce.number().int().min(1).max(3_600).default(60) },
    async ({ build, unversioned, within }, { workerVersions }) => {
      if ((build === undefined) !== unversioned) {
        throw new ServiceError('BAD_USER_INPUT', 'Give either --build or --unversioned.');
      }
      const previousBuild = await (await workerVersions()).promote(build ?? null, within * 1_000);
      return { currentBuild: build ?? null, previousBuild };
    },
  ),
  'jobs stuck': operation(
    'jobs stuck [--app APP_ID] [--provider PROVIDER]',
    'List stuck jobs, oldest first',
    filter,
    async (options, { sql, warn }) => {
      const jobs = await listAdminJobs(sql, stuckJobs(options), { limit: MAX_ROWS + 1, after: null });
      if (jobs.length > MAX_ROWS) warn(`There are more: these are the ${MAX_ROWS} longest stuck.`);
      return jobs.slice(0, MAX_ROWS).map(jobRow);
    },
  ),
  'jobs show': operation(
    'jobs show --job JOB_ID',
    'Show one job, and the state of its workflow, which Temporal answers within a second',
    { job: id<JobId>() },
    async ({ job: jobId }, { sql, askWorkflow }) => {
      const job = await findAdminJob(sql, jobId);
      if (job === undefined) throw new ServiceError('NOT_FOUND', 'There is no such job.');
      const { workflowId, row } = toWorkOfJob(job);
      const [answer, now] = await Promise.all([askWorkflow(workflowId), getBusinessTime(sql)]);
      return { ...jobRow(job), workflowId, ...liveRow(answer), disagreement: findDisagreement(row, answer, now) };
    },
  ),
  'jobs retry': operation(
    'jobs retry --job JOB_ID | --stuck [--app APP_ID] [--provider PROVIDER] [--dry-run]',
    'Retry one job now, or all stuck jobs, including FAILED revokes',
    { job: id<JobId>().optional(), stuck: flag, 'dry-run': flag, ...filter },
    async ({ job, stuck, 'dry-run': dryRun, ...options }, { sql, deliver, touched, warn }) => {
      if ((job === undefined) === !stuck) throw new ServiceError('BAD_USER_INPUT', 'Give either --job or --stuck.');
      if (job !== undefined && Object.values(options).some((value) => value !== undefined)) {
        throw new ServiceError('BAD_USER_INPUT', '--job names one job. Use --app and --provider with --stuck.');
      }
      const found =
        job === undefined
          ? await listRetryableJobs(sql, stuckJobs(options), MAX_ROWS + 1)
          : [await getRetryable(sql, job)];
      const jobs = found.slice(0, MAX_ROWS);
      if (found.length > MAX_ROWS)
        warn(`There are more: these are the ${MAX_ROWS} longest stuck. Run the command again when they have settled.`);
      if (dryRun) return jobs.map(jobRow);
      const retried = await inTransaction(sql, (tx) => startRetries(tx, jobs));
      touched(retried);
      // The retries are committed: if Temporal is unreachable, the worker delivers them later.
      const delivered = retried.length === 0 || (await deliver().catch(() => false));
      return { retried: retried.length, delivered, note: delivered ? null : NOT_YET };
    },
  ),
  'connections show': operation(
    'connections show --connection CONNECTION_ID',
    'Show the history of one connection: attempts, grants, receipts and reads',
    { connection: id<ConnectionId>() },
    async ({ connection }, { sql }) => await listHistory(sql, connection),
  ),
  'answers unknown': operation(
    'answers unknown [--provider PROVIDER]',
    'List the answers of platforms that no adapter knows, those first seen last first',
    { provider: provider.optional() },
    async ({ provider: of = null }, { sql }) =>
      (await listUnknownAnswers(sql, { provider: of, limit: MAX_ROWS, after: null })).map((answer) => ({
        answerId: answer.unknownAnswerId,
        provider: answer.provider,
        request: answer.place,
        status: answer.status,
        code: answer.code,
        text: answer.text,
        madeOfIt: answer.madeOfIt,
        times: answer.times,
        firstSeenAt: at(answer.firstSeenAt),
        lastSeenAt: at(answer.lastSeenAt),
      })),
  ),
  'answers dismiss': operation(
    'answers dismiss --answer ANSWER_ID',
    'Remove an answer from that list; if it comes again, it counts as new',
    { answer: id<UnknownAnswerId>() },
    async ({ answer }, { sql }) => {
      const dismissed = await deleteUnknownAnswer(sql, answer);
      if (dismissed === undefined) throw new ServiceError('NOT_FOUND', 'There is no such answer.');
      return { answerId: answer };
    },
  ),
  ...WEBHOOK_COMMANDS,
};

async function getRetryable(sql: Sql, jobId: JobId): Promise<AdminJob> {
  const job = await findAdminJob(sql, jobId);
  if (job === undefined) throw new ServiceError('NOT_FOUND', 'There is no such job.');
  if (!job.open && !job.retryable) throw new ServiceError('BAD_USER_INPUT', 'The job has ended and cannot be retried.');
  return job;
}

/** Lists one row for each event, oldest first. */
async function listHistory(sql: Sql, connectionId: ConnectionId): Promise<Row[]> {
  const page = { limit: MAX_ROWS, after: null };
  const anyAttempt = { appId: null, provider: null, registrationId: null, statuses: null };
  const [connection, attempts, grants, jobs] = await Promise.all([
    findAdminConnection(sql, connectionId),
    listAdminAttempts(sql, { ...anyAttempt, connectionId }, page),
    listAdminGrants(sql, connectionId),
    listAdminJobs(sql, { ...EVERY_JOB, connectionId }, page),
  ]);
  if (connection === undefined && jobs.length === 0)
    throw new ServiceError('NOT_FOUND', 'There is no such connection.');
  const happened = [
    ...(connection === undefined
      ? []
      : [{ at: connection.createdAt, what: 'CONNECTION', id: connectionId, status: connection.status, why: null }]),
    ...attempts.map((one) => ({
      at: one.createdAt,
      what: 'ATTEMPT',
      id: one.attemptId,
      status: one.status,
      why: one.resultCode,
    })),
    ...grants.map((one) => ({ at: one.obtainedAt, what: 'GRANT', id: one.grantId, status: one.status, why: null })),
    ...jobs.map((one) => {
      const failure = describeFailure(one.errorCode ?? one.lastFailure, one);
      const why = failure === null ? null : `${failure.code}, ${inTries(one.tries)}: ${failure.message}`;
      return { at: one.createdAt, what: one.kind, id: one.jobId, status: one.status, why };
    }),
  ];
  return happened
    .sort((a, b) => a.at.getTime() - b.at.getTime())
    .map(({ at: instant, ...row }) => ({ at: at(instant), ...row }));
}
