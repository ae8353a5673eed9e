import type { ProviderName } from '../../../basics/codes.ts';
import { badInput } from '../../../basics/errors.ts';
import type { ScopeId } from '../../../basics/ids.ts';
import { foreseeUnsentRevokes, type Unsent } from '../../../domain/disconnecting/foresee-revokes.ts';
import {
  startSubjectErasure as eraseWhatIsHeld,
  identifySubject,
  listHoldings,
} from '../../../domain/disconnecting/start-subject-erasure.ts';
import type { Erasure } from '../../../generated/admin-schema.ts';
import * as store from '../../../store/erasures/erasures.ts';
import { findAdminJobs } from '../../../store/jobs/admin-jobs.ts';
import { type DisconnectJob, listReceipts } from '../../../store/jobs/disconnect-jobs.ts';
import { lockExistingScope } from '../../../store/scopes.ts';
import { findEventsUntil } from '../../../store/webhooks/webhook-deliveries.ts';
import type { AnyContext, MutationContext } from '../context.ts';
import type { Mutations, Queries } from '../contract.ts';
import { readPage } from '../pages.ts';
import { describeUnsentRevoke, toJob } from '../to-graphql.ts';
import { describeUnsent } from '../unsent-revokes.ts';
import { createNothingHeldError, getExisting, getRegistration, requireApp } from './lookups.ts';

const RECEIPT_KEPT_MS = 7 * 24 * 60 * 60 * 1000;

async function showErasure(context: AnyContext, found: store.Erasure): Promise<Erasure> {
  const { erasureId, ...rest } = found;
  const { sql } = context;
  const jobs = await findAdminJobs(sql, await store.listErasureJobs(sql, erasureId));
  return { id: erasureId, ...rest, jobs: jobs.map((job) => toJob(context, job)) };
}

/** Says for which connections of a subject its erasure sends no revoke, one sentence for each platform and reason. */
async function foreseeUnsent(context: MutationContext, scopeId: ScopeId | undefined): Promise<string[]> {
  const found = scopeId === undefined ? [] : await foreseeUnsentRevokes(context, context.sql, scopeId);
  const counts = new Map<string, { readonly provider: ProviderName; readonly unsent: Unsent; count: number }>();
  for (const { provider, unsent } of found) {
    if (unsent === undefined) continue;
    const known = counts.get(`${provider} ${unsent}`) ?? { provider, unsent, count: 0 };
    counts.set(`${provider} ${unsent}`, { ...known, count: known.count + 1 });
  }
  return [...counts.values()].map(({ provider, unsent, count }) => describeUnsent(provider, unsent, count));
}

/** The receipt of an erasure before this one. */
async function findEarlier(context: MutationContext, { scopeMacs }: store.Subject): Promise<Erasure | null> {
  const found = await store.findErasureOfScope(context.sql, scopeMacs);
  return found === undefined ? null : await showErasure(context, found);
}

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

/** The kept data, and until when; null where that is not a date. A sweep every quarter of an hour removes it then. */
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

/** @returns the obstacle to a certificate; undefined if there is none. */
function findHindrance({ paused, connections, unended }: store.RemainingOfRegistration): string | undefined {
  if (!paused) return 'is not paused, so that people can connect';
  if (connections > 0) return `still has connections (${connections}): disconnect them, and wait for their erase`;
  if (unended > 0) return `has attempts or revokes that have not ended (${unended})`;
  return undefined;
}

const isKept = (what: string, since: Date | null, forMs = RECEIPT_KEPT_MS) =>
  since === null ? [] : [{ what, until: new Date(since.getTime() + forMs) }];

export const Query = {
  erasure: async ({ id }, context) =>
    await showErasure(context, await getExisting('erasure', id, (known) => store.findErasure(context.sql, known))),

  erasures: async (page, { mac, sql }) =>
    await readPage(mac, 'erasures', page, {
      list: (asked) => store.listErasures(sql, asked),
      place: (row) => [row.requestedAt, row.erasureId],
      show: (rows) =>
        rows.map(({ erasureId, connectionIds, ...rest }) => ({
          id: erasureId,
          connectionCount: connectionIds.length,
          ...rest,
        })),
    }),

  proofOfDeletion: async ({ connectionId }, { mac, sql, facts }) => {
    const receipts = await getExisting('receipt', connectionId, async (id) => {
      const own = await listReceipts(sql, [id]);
      return own.length === 0 ? undefined : own;
    });
    const revoke = receipts.find(({ kind }) => kind === 'REVOKE');
    const erase = receipts.find(({ kind }) => kind === 'ERASE');
    if (erase?.status !== 'SUCCEEDED' || revoke === undefined) {
      throw badInput('connectionId', 'names a connection whose erase has not ended');
    }
    const remains = await store.findRemainingData(sql, erase.scopeId);
    const document = JSON.stringify({
      statement: 'All that was held of this connection has been deleted, but for what "kept" names.',
      connectionId,
      appId: erase.appId,
      provider: erase.provider,
      deleted: listDeleted(revoke, remains),
      kept: listKept(revoke, remains, await findEventsUntil(sql, connectionId)),
      remains:
        'Random ids of ours in the audit log and the erasure journal, and keyed hashes in the audit log. They name no one.',
      requestedAt: erase.createdAt,
      revoke: {
        jobId: revoke.jobId,
        // The receipt that callers read calls a revoke that was not sent SUCCEEDED: nothing is left for the service to do.
        status: revoke.status === 'SUCCEEDED' && revoke.creatorAction !== null ? 'LEFT_TO_PERSON' : revoke.status,
        settledAt: revoke.finishedAt,
        creatorAction: revoke.creatorAction,
        creatorActionReason: describeUnsentRevoke(revoke, facts),
      },
      erase: { jobId: erase.jobId, status: erase.status, erasedAt: erase.finishedAt },
    });
    return { connectionId, document, signature: mac.of('proof-of-deletion', document).toString('base64url') };
  },

  certificateOfDeletion: async ({ registrationId }, context) => {
    const { mac, sql } = context;
    const { provider, clientId } = await getRegistration(context, registrationId);
    const remains = await store.getRemainingOfRegistration(sql, registrationId);
    const hindrance = findHindrance(remains);
    if (hindrance !== undefined) throw badInput('registrationId', `names a registration that ${hindrance}`);
    const { now, resultsUntil, lastReceiptAt, lastKeptTokensAt, bulkDisconnects } = remains;
    const document = JSON.stringify({
      statement: 'No account data of this client is held, but for what "kept" names.',
      registrationId,
      provider,
      clientId,
      asOf: now,
      deleted: ['connections', 'grants and tokens', 'profiles', 'posts and metrics', 'coverage', 'read jobs'],
      kept: [
        ...isKept('results of attempts to connect, with tenant key and subject', resultsUntil, 0),
        ...isKept('tokens of failed revokes', lastKeptTokensAt),
        ...isKept('receipts', lastReceiptAt),
      ],
      remains:
        'Random ids of ours, keyed hashes, codes, counts and instants: in webhook events for 30 days, in counts of use for 90 days, in receipts of erasures and of deletion requests for a year, and in the audit log and the erasure journal. They name no one.',
      bulkDisconnects,
    });
    return { registrationId, document, signature: mac.of('proof-of-deletion', document).toString('base64url') };
  },

  verifyProofOfDeletion: async ({ document, signature }, { mac }) =>
    mac.verify(Buffer.from(signature, 'base64url'), 'proof-of-deletion', document),
} satisfies Partial<Queries>;

export const Mutation = {
  eraseSubject: async ({ input, dryRun }, context) => {
    const { mac, sql } = context;
    const { appId } = input;
    await requireApp(context, appId);
    const scopeId = await lockExistingScope(sql, appId, input);
    const subject = identifySubject(mac, appId, scopeId, input);
    const { connections, attempts } = await listHoldings(sql, scopeId);
    const counts = { dryRun, connectionCount: connections.length, attemptCount: attempts.length };
    if (dryRun) {
      const { jobs, keptTokens } = await store.countSubjectJobs(sql, subject);
      const earlier = await findEarlier(context, subject);
      if (scopeId === undefined && jobs === 0 && earlier === null) throw await createNothingHeldError(sql, input);
      const unsentRevokes = await foreseeUnsent(context, scopeId);
      return { ...counts, keptTokenCount: keptTokens, unsentRevokes, erasure: earlier };
    }
    const begun = await eraseWhatIsHeld(context, sql, input, subject, { connections, attempts }, context.correlationId);
    const erasure =
      begun === undefined
        ? await findEarlier(context, subject)
        : await showErasure(context, await getExisting('erasure', begun.erasureId, (id) => store.findErasure(sql, id)));
    if (erasure === null) throw await createNothingHeldError(sql, input);
    context.touched([erasure.id]);
    return { ...counts, keptTokenCount: begun?.keptTokens ?? 0, unsentRevokes: null, erasure };
  },
} satisfies Partial<Mutations>;
