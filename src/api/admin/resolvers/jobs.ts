import { isRevokeKind } from '../../../basics/codes.ts';
import { badInput } from '../../../basics/errors.ts';
import { startRetries } from '../../../domain/disconnecting/start-retries.ts';
import { describeFailure } from '../../../domain/texts/failure-messages.ts';
import {
  countAdminJobs,
  countStuckJobs,
  findAdminJob,
  getListedAt,
  listAdminJobs,
  listRetryableJobs,
} from '../../../store/jobs/admin-jobs.ts';
import type { Mutations, Queries } from '../contract.ts';
import { readPage } from '../pages.ts';
import { toJob } from '../to-graphql.ts';
import { getExisting } from './lookups.ts';

/** The most jobs that one request retries. */
const MAX_RETRIED = 1_000;

export const Query = {
  jobs: async ({ filter, ...page }, context) =>
    await readPage(
      context.mac,
      'jobs',
      { ...page, filter },
      {
        list: (asked) => listAdminJobs(context.sql, filter, asked),
        place: (row) => [getListedAt(filter, row), row.jobId],
        show: (rows) => rows.map((row) => toJob(context, row)),
      },
    ),

  jobCount: async ({ filter }, { sql }) => await countAdminJobs(sql, filter),

  stuckWork: async ({ filter, first }, { sql }) => {
    // A filter for jobs that are not stuck matches none.
    const groups = filter.stuck === false ? [] : await countStuckJobs(sql, filter);
    return {
      count: groups.reduce((sum, { count }) => sum + count, 0),
      retryableCount: groups.reduce((sum, { retryableCount }) => sum + retryableCount, 0),
      groupCount: groups.length,
      groups: groups.slice(0, first).map((group) => ({
        ...group,
        // The next step differs if some of them have failed finally.
        lastFailure: describeFailure(group.lastFailure, { open: group.failedCount === 0 }),
      })),
    };
  },

  job: async ({ id }, context) =>
    toJob(context, await getExisting('job', id, (jobId) => findAdminJob(context.sql, jobId))),
} satisfies Partial<Queries>;

export const Mutation = {
  retryJob: async ({ id }, context) => {
    const { sql, touched } = context;
    const found = await getExisting('job', id, (jobId) => findAdminJob(sql, jobId));
    if (!found.open && !found.retryable) {
      const isRevoke = found.status === 'FAILED' && isRevokeKind(found.kind);
      throw badInput('id', isRevoke ? 'names a revoke whose tokens are gone' : 'names a job that has ended');
    }
    await startRetries(sql, [found]);
    touched([found.connectionId ?? found.attemptId, found.appId].filter((one) => one !== null));
    return toJob(context, await getExisting('job', id, (jobId) => findAdminJob(sql, jobId)));
  },

  retryJobs: async ({ filter, dryRun }, { sql, touched, correlationId }) => {
    const found = await listRetryableJobs(sql, filter, MAX_RETRIED + 1);
    const taken = found.slice(0, MAX_RETRIED);
    const retried = dryRun ? [] : await startRetries(sql, taken);
    touched(retried);
    return {
      dryRun,
      count: dryRun ? taken.length : retried.length,
      failedCount: taken.filter(({ open }) => !open).length,
      more: found.length > MAX_RETRIED,
      correlationId,
    };
  },
} satisfies Partial<Mutations>;
