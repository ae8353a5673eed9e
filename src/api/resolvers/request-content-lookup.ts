import { hasRoom, requestReadJob, requireRoom } from '../../domain/reading/request-read-job.ts';
import type { MutationResolvers } from '../../generated/schema.ts';
import { insertLookup } from '../../store/jobs/new-reads.ts';
import { findLookupInFlight } from '../../store/jobs/read-jobs.ts';
import { parseArgs, RequestContentLookupArgs } from '../inputs.ts';
import { sha256 } from '../tokens.ts';
import { toSyncJob } from './sync-job.ts';

export const requestContentLookup: MutationResolvers['requestContentLookup'] = async (_root, args, context) => {
  const { scope, connectionId, url } = parseArgs(RequestContentLookupArgs, args);
  const urlSha256 = sha256(url);
  const asked = { scope, connectionId, capability: 'CONTENT_LOOKUP' } as const;
  const lookup = await requestReadJob(context, asked, async (tx, job) => {
    const [inFlight, isRoom] = await Promise.all([
      findLookupInFlight(tx, job.connectionId, urlSha256),
      hasRoom(tx, job),
    ]);
    if (inFlight) return { inFlight };
    requireRoom(isRoom);
    return { kind: 'LOOKUP', insert: (jobId) => insertLookup(tx, { ...job, jobId, url, urlSha256 }) };
  });
  return toSyncJob(context.mac, lookup);
};
