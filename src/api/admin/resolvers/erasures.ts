import { badInput, ServiceError } from '../../../basics/errors.ts';
import {
  startSubjectErasure as eraseWhatIsHeld,
  identifySubject,
  listHoldings,
} from '../../../domain/disconnecting/start-subject-erasure.ts';
import type { Erasure, MutationResolvers, QueryResolvers } from '../../../generated/admin-schema.ts';
import * as store from '../../../store/erasures/erasures.ts';
import { findAdminJobs } from '../../../store/jobs/admin-jobs.ts';
import { type DisconnectJob, listReceipts } from '../../../store/jobs/disconnect-jobs.ts';
import { lockExistingScope } from '../../../store/scopes.ts';
import { findEventsUntil } from '../../../store/webhooks/webhook-deliveries.ts';
import { parseArgs } from '../../inputs.ts';
import type { AdminContext, AnyContext, MutationContext } from '../context.ts';
import * as args from '../inputs.ts';
import { bindListing, buildPage, readPageCursor } from '../pages.ts';
import { toJob } from '../to-graphql.ts';
import { getExisting, requireApp } from './lookups.ts';

type Queries = QueryResolvers<AdminContext>;
type Mutations = MutationResolvers<MutationContext>;

const RECEIPT_KEPT_MS = 7 * 24 * 60 * 60 * 1000;

export const erasure: Queries['erasure'] = async (_root, given, context) => {
  const { id } = parseArgs(args.ErasureArgs, given);
  return await showErasure(context, await getExisting('erasure', id, (known) => store.findErasure(context.sql, known)));
};

export const erasures: Queries['erasures'] = async (_root, given, { mac, sql }) => {
  const { first, after } = parseArgs(args.ErasuresArgs, given);
  const listing = bindListing('erasures');
  const rows = await store.listErasures(sql, { limit: first + 1, after: readPageCursor(mac, listing, after) });
  return buildPage(
    mac,
    listing,
    { rows, first },
    (row) => [row.requestedAt.toISOString(), row.erasureId],
    ({ erasureId, connectionIds, ...rest }) => ({ id: erasureId, connectionCount: connectionIds.length, ...rest }),
  );
};

async function showErasure({ sql, temporalUi }: AnyContext, found: store.Erasure): Promise<Erasure> {
  const { erasureId, ...rest } = found;
  const jobs = await findAdminJobs(sql, await store.listErasureJobs(sql, erasureId));
  return { id: erasureId, ...rest, jobs: jobs.map((job) => toJob(temporalUi, job)) };
}

export const eraseSubject: Mutations['eraseSubject'] = async (_root, given, context) => {
  const { input, dryRun } = parseArgs(args.EraseSubjectArgs, given);
  const { mac, sql } = context;
  const appId = await requireApp(context, input.appId);
  const scopeId = await lockExistingScope(sql, appId, input);
  const subject = identifySubject(mac, appId, scopeId, input);
  const { connections, attempts } = await listHoldings(sql, scopeId);
  const counts = { dryRun, connectionCount: connections.length, attemptCount: attempts.length };
  if (dryRun) {
    const { jobs, keptTokens } = await store.countSubjectJobs(sql, subject);
    const earlier = await findEarlier(context, subject);
    if (scopeId === undefined && jobs === 0 && earlier === null) throw nothingHeld();
    return { ...counts, keptTokenCount: keptTokens, erasure: earlier };
  }
  const begun = await eraseWhatIsHeld(context, sql, input, subject, { connections, attempts }, context.correlationId);
  const erasure =
    begun === undefined
      ? await findEarlier(context, subject)
      : await showErasure(context, await getExisting('erasure', begun.erasureId, (id) => store.findErasure(sql, id)));
  if (erasure === null) throw nothingHeld();
  context.touched([erasure.id]);
  return { ...counts, keptTokenCount: begun?.keptTokens ?? 0, erasure };
};

const nothingHeld = () => new ServiceError('NOT_FOUND', 'The service holds no data of this subject.');

/** The receipt of an erasure before this one. */
async function findEarlier(context: MutationContext, { scopeMacs }: store.Subject): Promise<Erasure | null> {
  const found = await store.findErasureOfScope(context.sql, scopeMacs);
  return found === undefined ? null : await showErasure(context, found);
}

export const proofOfDeletion: Queries['proofOfDeletion'] = async (_root, given, { mac, sql }) => {
  const { connectionId: asked } = parseArgs(args.ProofArgs, given);
  const receipts = await getExisting('receipt', asked, async (id) => {
    const own = await listReceipts(sql, [id]);
    return own.length === 0 ? undefined : own;
  });
  const revoke = receipts.find(({ kind }) => kind === 'REVOKE');
  const erase = receipts.find(({ kind }) => kind === 'ERASE');
  if (erase?.status !== 'SUCCEEDED' || revoke === undefined || asked === undefined) {
    throw badInput('connectionId', 'names a connection whose erase has not ended');
  }
  const remains = await store.findRemainingData(sql, erase.scopeId);
  const document = JSON.stringify({
    statement: 'All that was held of this connection has been deleted, but for what "kept" names.',
    connectionId: asked,
    provider: erase.provider,
    deleted: listDeleted(revoke, remains),
    kept: listKept(revoke, remains, await findEventsUntil(sql, asked)),
    remains:
      'Random ids of ours in the audit log and the erasure journal, and keyed hashes in the audit log. They name nobody.',
    requestedAt: erase.createdAt,
    revoke: {
      jobId: revoke.jobId,
      status: revoke.status,
      settledAt: revoke.finishedAt,
      creatorAction: revoke.creatorAction,
    },
    erase: { jobId: erase.jobId, status: erase.status, erasedAt: erase.finishedAt },
  });
  return { connectionId: asked, document, signature: mac.of('proof-of-deletion', document).toString('base64url') };
};

function listDeleted({ keepsTokens }: DisconnectJob, remains: store.RemainingData | undefined): string[] {
  const withTokens = remains?.earlierGrants ? 'last grant and its tokens' : 'grants and tokens';
  return [
    keepsTokens ? 'grant' : withTokens,
    'profile',
    'posts and metrics',
    'coverage',
    'read jobs',
    ...(remains === undefined ? ['ids given by the app'] : []),
    ...(remains?.forgotten ? ['subject given by the app'] : []),
  ];
}

/** What is kept, and until when; null where that is not a date. A sweep every quarter of an hour removes it then. */
function listKept(revoke: DisconnectJob, remains: store.RemainingData | undefined, eventsUntil: Date | null) {
  const { keepsTokens, jobId, status, createdAt } = revoke;
  const until = new Date(createdAt.getTime() + RECEIPT_KEPT_MS);
  return [
    ...(remains === undefined ? [] : listRemains(remains)),
    // A revoke that has failed keeps its grant's tokens, for an operator's push, until its receipt goes.
    ...(keepsTokens ? [{ what: 'tokens', jobId, revoke: status, until }] : []),
    { what: 'receipts', until },
    // Our own ids, codes and instants; they outlive the receipts.
    ...(eventsUntil === null ? [] : [{ what: 'webhook events, without personal data', until: eventsUntil }]),
  ];
}

function listRemains({ forgotten, otherConnections, resultsUntil, earlierGrants }: store.RemainingData) {
  const ids = forgotten ? 'tenant key' : 'tenant key and subject';
  const results = 'results of attempts to connect';
  return [
    ...(otherConnections ? [{ what: `${ids}, with other connections of the same subject`, until: null }] : []),
    ...(resultsUntil ? [{ what: otherConnections ? results : `${results}, with ${ids}`, until: resultsUntil }] : []),
    ...(earlierGrants
      ? [{ what: 'earlier grants of the same subject, until their revokes have ended', until: null }]
      : []),
    ...(otherConnections || resultsUntil ? [] : [{ what: ids, until: null }]),
  ];
}

export const verifyProofOfDeletion: Queries['verifyProofOfDeletion'] = async (_root, given, { mac }) => {
  const { document, signature } = parseArgs(args.VerifyProofArgs, given);
  return mac.verify(Buffer.from(signature, 'base64url'), 'proof-of-deletion', document);
};
