import { z } from 'zod';
import {
  DISCONNECT_JOB_KINDS,
  JOB_KINDS,
  JOB_STATUSES,
  type JobKind,
  type JobStatus,
  OPEN_JOB,
  PROVIDER_NAMES,
  type ProviderName,
  READ_JOB_KINDS,
} from '../../basics/codes.ts';
import {
  AppId,
  AttemptId,
  type BulkDisconnectId,
  ConnectionId,
  CorrelationId,
  GrantId,
  JobId,
  RegistrationId,
} from '../../basics/ids.ts';
import { countUpTo, type RowCount } from '../count-rows.ts';
import type { Fragment, Sql } from '../driver/sql.ts';
import type { NewestKey } from '../newest-key.ts';
import { columnsOf, listOf, listRows, listValues } from '../rows.ts';

/*
 * The jobs of both tables, for operators. `read_job` belongs to its connection, and is deleted with it. `disconnect_job` outlives
 * connection, grant and attempt: it has no foreign key to them, and receipts find it by keyed hashes. It may hold sealed tokens: they
 * have rights by column, and triggers guard them and write their end to the erasure journal. In one table, a read would have the columns,
 * rights and triggers of a disconnect, and each partial index would name its kinds. So only lists of operators join the two: the view
 * `admin_job` where they need both, and each table by its own index where Postgres would otherwise sort all jobs.
 */

const AdminJob = z.object({
  jobId: JobId,
  kind: z.enum(JOB_KINDS),
  status: z.enum(JOB_STATUSES),
  appId: AppId,
  appName: z.string(),
  /** Null after its connection or its attempt is deleted. */
  tenantKey: z.string().nullable(),
  externalSubjectId: z.string().nullable(),
  /** The platform's id of the account. Null after its connection is deleted. */
  providerAccountId: z.string().nullable(),
  provider: z.enum(PROVIDER_NAMES),
  registrationId: RegistrationId.nullable(),
  connectionId: ConnectionId.nullable(),
  grantId: GrantId.nullable(),
  attemptId: AttemptId.nullable(),
  run: z.number(),
  /** Of an open job, the failed ones in a row; of an ended one, all, with the one that ended it. */
  tries: z.number(),
  lastFailure: z.string().nullable(),
  /** The cause of the last failed try: `HTTP_` and a status, or the code of a request without an answer. */
  lastAnswer: z.string().nullable(),
  /** The client of an open job, while the platform refuses it with the answer of the last try. */
  refusedClient: z
    .object({
      registrationId: RegistrationId,
      label: z.string(),
      answer: z.string().nullable(),
      answerCode: z.string().nullable(),
    })
    .nullable(),
  lastTriedAt: z.date().nullable(),
  firstFailedAt: z.date().nullable(),
  nextRetryAt: z.date().nullable(),
  giveUpAt: z.date().nullable(),
  errorCode: z.string().nullable(),
  creatorAction: z.literal('REMOVE_APP_AT_PROVIDER').nullable(),
  itemCount: z.number().nullable(),
  incompleteReason: z.string().nullable(),
  correlationId: CorrelationId,
  createdAt: z.date(),
  startedAt: z.date().nullable(),
  finishedAt: z.date().nullable(),
  open: z.boolean(),
  stuck: z.boolean(),
  stuckSince: z.date(),
  retryable: z.boolean(),
  /** Whether it is open and waits for its next try. */
  waiting: z.boolean(),
});
/** A job of either table, as an operator sees it. */
export type AdminJob = z.infer<typeof AdminJob>;

/** A column of the person's scope, through the connection or the attempt of the job. */
const ofScope = (sql: Sql, column: Fragment) => sql`coalesce(
  (select ${column} from connection c join scope using (scope_id) where c.connection_id = admin_job.connection_id),
  (select ${column} from connect_attempt a join scope using (scope_id) where a.attempt_id = admin_job.attempt_id)
)`;

/** The client of an open `admin_job` as `jsonb`, while the platform refuses it with the answer of the last try. */
export const refusedClient = (sql: Sql) => sql`(
  -- Asked once: an outage has many failing jobs, and usually no refused client.
  case when exists (select from registration where rejected_at is not null) then (
    select jsonb_build_object('registrationId', r.registration_id, 'label', r.label, 'answer', r.rejection_answer,
      'answerCode', r.rejection_answer_code)
    from registration r
    where admin_job.open and admin_job.last_tried_at is not null and r.rejected_at is not null
      and admin_job.last_answer is not distinct from r.rejection_answer
      and r.registration_id = coalesce(admin_job.registration_id,
        (select c.registration_id from connection c where c.connection_id = admin_job.connection_id))
  ) end
)`;

const columns = columnsOf('admin_job', AdminJob, {
  // An older worker does not count all. No row counts the try that succeeds, nor a read's last one.
  tries: (sql) => sql`case when open then tries else greatest(tries, failed_tries) + (
    status = 'SUCCEEDED' or (status = 'FAILED' and kind in ${listOf(sql, READ_JOB_KINDS)})
  )::int end`,
  waiting: (sql) => isWaiting(sql),
  appName: (sql) => sql`(select name from app where app.app_id = admin_job.app_id)`,
  tenantKey: (sql) => ofScope(sql, sql`tenant_key`),
  externalSubjectId: (sql) => ofScope(sql, sql`external_subject_id`),
  providerAccountId: (sql) =>
    sql`(select provider_account_id from connection c where c.connection_id = admin_job.connection_id)`,
  refusedClient,
});

export interface JobFilter {
  readonly appId: AppId | null;
  readonly provider: ProviderName | null;
  readonly connectionId: ConnectionId | null;
  readonly kinds: readonly JobKind[] | null;
  readonly statuses: readonly JobStatus[] | null;
  /** The job's reason, as a code; null for any reason or none. */
  readonly lastFailure: string | null;
  /** True for jobs without a reason, false for jobs with one. */
  readonly neverFailed: boolean | null;
  readonly stuck: boolean | null;
  /** True for open jobs that wait for their next try, false for others. */
  readonly waiting: boolean | null;
  /** Jobs that an operator's request retried together. */
  readonly retriedBy: CorrelationId | null;
  readonly bulkDisconnectId: BulkDisconnectId | null;
  /** True for receipts of revokes that the person must do, false for other jobs. */
  readonly leftToPerson: boolean | null;
  /** Jobs that ended at this instant or later, and those that ended before this one. */
  readonly endedSince: Date | null;
  readonly endedBefore: Date | null;
}

export const EVERY_JOB: JobFilter = {
  appId: null,
  provider: null,
  connectionId: null,
  kinds: null,
  statuses: null,
  lastFailure: null,
  neverFailed: null,
  stuck: null,
  waiting: null,
  retriedBy: null,
  bulkDisconnectId: null,
  leftToPerson: null,
  endedSince: null,
  endedBefore: null,
};

/** Why a job is in its state. A job that failed at its first try has an error code but no earlier failure. */
const reason = (sql: Sql) => sql`coalesce(error_code, last_failure)`;

const matching = (sql: Sql, filter: JobFilter) => sql`
  ${matchingBase(sql, filter)} ${filter.stuck === null ? sql`` : sql`and stuck = ${filter.stuck}`}
`;

/** The conditions that each table can answer on its own. */
const matchingBase = (sql: Sql, filter: JobFilter) => sql`
  true
  ${filter.appId === null ? sql`` : sql`and app_id = ${filter.appId}`}
  ${filter.provider === null ? sql`` : sql`and provider = ${filter.provider}`}
  ${filter.connectionId === null ? sql`` : sql`and connection_id = ${filter.connectionId}`}
  ${filter.kinds === null ? sql`` : sql`and kind = any(${[...filter.kinds]})`}
  ${filter.statuses === null ? sql`` : sql`and status = any(${[...filter.statuses]})`}
  ${filter.lastFailure === null ? sql`` : sql`and ${reason(sql)} = ${filter.lastFailure}`}
  ${filter.neverFailed === null ? sql`` : sql`and (${reason(sql)} is null) = ${filter.neverFailed}`}
  ${filter.waiting === null ? sql`` : sql`and ${filter.waiting ? isWaiting(sql) : sql`not ${isWaiting(sql)}`}`}
  ${filter.retriedBy === null ? sql`` : sql`and job_id in ${retriedIn(sql, filter.retriedBy)}`}
  ${
    filter.bulkDisconnectId === null
      ? sql``
      : sql`and job_id in (select job_id from disconnect_job where bulk_disconnect_id = ${filter.bulkDisconnectId})`
  }
  ${filter.leftToPerson === null ? sql`` : sql`and (job_id in ${leftToPersons(sql)}) = ${filter.leftToPerson}`}
  ${filter.endedSince === null ? sql`` : sql`and finished_at >= ${filter.endedSince}`}
  ${filter.endedBefore === null ? sql`` : sql`and finished_at < ${filter.endedBefore}`}
`;

const leftToPersons = (sql: Sql) => sql`(select job_id from disconnect_job where creator_action is not null)`;

const isWaiting = (sql: Sql) => sql`
  (status in ${listOf(sql, OPEN_JOB)} and coalesce(next_retry_at > business_now(), false))
`;

/** The jobs that an entry of the audit log names. It also names codes of the filter. */
const retriedIn = (sql: Sql, correlationId: CorrelationId) => sql`(
  select one::uuid from (
    select unnest(related) as one from audit_log
    where correlation_id = ${correlationId} and action = 'retryJobs' and outcome = 'DONE'
  ) as entry where one ~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$'
)`;

interface JobPage {
  readonly limit: number;
  readonly after: NewestKey | null;
}

/** Stuck jobs, if the filter asks for them, longest stuck first; ended ones by their end, others by their creation, newest first. */
export async function listAdminJobs(sql: Sql, filter: JobFilter, page: JobPage): Promise<AdminJob[]> {
  return filter.stuck === true ? await listStuck(sql, filter, page) : await listNewest(sql, filter, page);
}

async function listStuck(sql: Sql, filter: JobFilter, { limit, after }: JobPage): Promise<AdminJob[]> {
  return await listRows(sql, AdminJob)`
    select ${columns(sql)} from admin_job where ${matching(sql, filter)}
      ${after === null ? sql`` : sql`and (stuck_since, job_id) > (${after.at}, ${after.id})`}
    order by stuck_since, job_id limit ${limit}
  `;
}

/** Whether the list is in the order in which jobs ended. */
const isByEnd = ({ endedSince, endedBefore }: JobFilter): boolean => endedSince !== null || endedBefore !== null;

/** The instant by which a list with this filter is ordered. */
export const getListedAt = (filter: JobFilter, { stuckSince, finishedAt, createdAt }: AdminJob): Date => {
  if (filter.stuck === true) return stuckSince;
  return isByEnd(filter) && finishedAt !== null ? finishedAt : createdAt;
};

const KINDS = { read_job: READ_JOB_KINDS, disconnect_job: DISCONNECT_JOB_KINDS } as const;

/** Joins the selections from the tables that hold jobs of the filter's kinds. */
function unionOf(sql: Sql, { kinds }: JobFilter, select: (table: string) => Fragment): Fragment {
  const holding = Object.entries(KINDS).filter(([, all]) => kinds === null || all.some((kind) => kinds.includes(kind)));
  const tables = holding.length === 0 ? Object.entries(KINDS) : holding;
  return tables.map(([table]) => sql`(${select(table)})`).reduce((all, one) => sql`${all} union all ${one}`);
}

/** Counts the jobs of a filter. */
export async function countAdminJobs(sql: Sql, filter: JobFilter): Promise<RowCount> {
  if (filter.stuck !== null) return await countUpTo(sql, sql`from admin_job where ${matching(sql, filter)}`);
  const jobs = unionOf(sql, filter, (table) => sql`select 1 from ${sql(table)} where ${matchingBase(sql, filter)}`);
  return await countUpTo(sql, sql`from (${jobs}) as job`);
}

/** Takes the newest by index of each table that holds such kinds. Over the view of both, Postgres would sort all jobs. */
async function listNewest(sql: Sql, filter: JobFilter, { limit, after }: JobPage): Promise<AdminJob[]> {
  const at = isByEnd(filter) ? sql`finished_at` : sql`created_at`;
  const newest = unionOf(
    sql,
    filter,
    (table) => sql`
      select ${at} as at, job_id from ${sql(table)}
      where ${matchingBase(sql, filter)}
        ${filter.stuck === null ? sql`` : sql`and job_id not in (select a.job_id from admin_job a where a.stuck)`}
        ${after === null ? sql`` : sql`and (${at}, job_id) < (${after.at}, ${after.id})`}
      order by ${at} desc, job_id desc limit ${limit}
    `,
  );
  const jobIds = await listValues(sql, JobId)`
    select job_id from (${newest}) as newest order by at desc, job_id desc limit ${limit}
  `;
  return await findAdminJobs(sql, jobIds);
}

/** In the order of `jobIds`, without jobs that are gone. */
export async function findAdminJobs(sql: Sql, jobIds: readonly JobId[]): Promise<AdminJob[]> {
  const ids = sql`${[...jobIds]}::uuid[]`;
  return await listRows(sql, AdminJob)`
    select ${columns(sql)} from admin_job where job_id = any(${ids}) order by array_position(${ids}, job_id)
  `;
}

const StuckGroup = AdminJob.pick({
  appId: true,
  appName: true,
  provider: true,
  kind: true,
  lastFailure: true,
  lastAnswer: true,
}).extend({
  /** The platform's code in `lastAnswer`, if it refuses our client. */
  lastAnswerCode: z.string().nullable(),
  count: z.number(),
  failedCount: z.number(),
  retryableCount: z.number(),
  since: z.date(),
});

/** Counts stuck jobs by app, provider, kind and reason, the largest group first. */
export async function countStuckJobs(sql: Sql, filter: JobFilter): Promise<z.infer<typeof StuckGroup>[]> {
  return await listRows(sql, StuckGroup)`
    select app_id, (select name from app where app.app_id = stuck.app_id) as app_name, provider, kind,
      ${reason(sql)} as last_failure, (mode() within group (order by answer))[1] as last_answer,
      (mode() within group (order by answer))[2] as last_answer_code,
      count(*)::int as count, count(*) filter (where not open)::int as failed_count,
      count(*) filter (where retryable)::int as retryable_count, min(stuck_since) as since
    from (
      select app_id, provider, kind, error_code, last_failure, open, retryable, stuck_since,
        case when last_answer is not null then array[last_answer, ${refusedClient(sql)} ->> 'answerCode'] end as answer
      from admin_job where ${matching(sql, { ...filter, stuck: true })}
    ) stuck
    group by app_id, provider, kind, ${reason(sql)} order by count(*) desc, min(stuck_since), app_id, provider, kind
  `;
}

export async function findAdminJob(sql: Sql, jobId: JobId): Promise<AdminJob | undefined> {
  const [found] = await findAdminJobs(sql, [jobId]);
  return found;
}

/** Lists jobs that can be retried now, longest stuck first. */
export async function listRetryableJobs(sql: Sql, filter: JobFilter, limit: number): Promise<AdminJob[]> {
  return await listRows(sql, AdminJob)`
    select ${columns(sql)} from admin_job where retryable and ${matching(sql, filter)}
    order by stuck_since, job_id limit ${limit}
  `;
}
