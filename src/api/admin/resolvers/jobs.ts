import { badInput } from '../../../basics/errors.ts';
import { startRetries } from '../../../domain/disconnecting/start-retries.ts';
import { describeFailure } from '../../../domain/texts/failure-messages.ts';
import type { MutationResolvers, QueryResolvers } from '../../../generated/admin-schema.ts';
import {
  countStuckJobs,
  findAdminJob,
  getListedAt,
  listAdminJobs,
  listRetryableJobs,
} from '../../../store/jobs/admin-jobs.ts';
import { parseArgs } from '../../inputs.ts';
import type { AdminContext, MutationContext } from '../context.ts';
import * as args from '../inputs.ts';
import { bindListing, buildPage, readPageCursor } from '../pages.ts';
import { toJob } from '../to-graphql.ts';
import { getExisting } from './lookups.ts';

type Queries = QueryResolvers<AdminContext>;
type Mutations = MutationResolvers<MutationContext>;

/** The most jobs that one request retries. */
const MAX_RETRIED = 1_000;

export const jobs: Queries['jobs'] = async (_root, given, { mac, sql, temporalUi }) => {
  const { filter, first, after } = parseArgs(args.JobsArgs, given);
  const listing = bindListing('jobs', filter);
  const rows = await listAdminJobs(sql, filter, { limit: first + 1, after: readPageCursor(mac, listing, after) });
  return buildPage(
    mac,
    listing,
    { rows, first },
    (row) => [getListedAt(filter, row).toISOString(), row.jobId],
    (row) => toJob(temporalUi, row),
  );
};

export const stuckWork: Queries['stuckWork'] = async (_root, given, { sql }) => {
  const { filter, first } = parseArgs(args.StuckWorkArgs, given);
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
};

export const job: Queries['job'] = async (_root, given, { sql, temporalUi }) =>
  toJob(temporalUi, await getExisting('job', parseArgs(args.JobArgs, given).id, (id) => findAdminJob(sql, id)));

export const retryJob: Mutations['retryJob'] = async (_root, given, { sql, temporalUi, touched }) => {
  const { id } = parseArgs(args.JobArgs, given);
  const found = await getExisting('job', id, (jobId) => findAdminJob(sql, jobId));
  if (!found.open && !found.retryable) {
    const isRevoke = found.status === 'FAILED' && (found.kind === 'REVOKE' || found.kind === 'COMPENSATION');
    throw badInput('id', isRevoke ? 'names a revoke whose tokens are gone' : 'names a job that has ended');
  }
  await startRetries(sql, [found]);
  touched([found.connectionId ?? found.attemptId, found.appId].filter((one) => one !== null));
  return toJob(temporalUi, await getExisting('job', id, (jobId) => findAdminJob(sql, jobId)));
};

export const retryJobs: Mutations['retryJobs'] = async (_root, given, { sql, touched }) => {
  const { filter, dryRun } = parseArgs(args.RetryJobsArgs, given);
  const found = await listRetryableJobs(sql, filter, MAX_RETRIED + 1);
  const taken = found.slice(0, MAX_RETRIED);
  const retried = dryRun ? [] : await startRetries(sql, taken);
  touched(retried);
  return {
    dryRun,
    count: dryRun ? taken.length : retried.length,
    failedCount: taken.filter(({ open }) => !open).length,
    more: found.length > MAX_RETRIED,
  };
};
