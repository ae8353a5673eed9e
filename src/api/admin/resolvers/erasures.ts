import { ServiceError } from '../../../errors.ts';
import type { Erasure, MutationResolvers, QueryResolvers } from '../../../generated/admin-schema.ts';
import type { AppId, ScopeId } from '../../../ids.ts';
import { listOfScope } from '../../../store/admin/bulk-disconnects.ts';
import * as store from '../../../store/admin/erasures.ts';
import { findAdminJob } from '../../../store/admin/jobs.ts';
import { endAttempt, findAttempt } from '../../../store/attempts.ts';
import { insertDispatch } from '../../../store/outbox.ts';
import { listReceipts } from '../../../store/release-jobs.ts';
import { lockScopeById, readScope, type SubjectScope } from '../../../store/scopes.ts';
import { CALLBACK_ARRIVED, connectAttemptDispatch } from '../../../workflows/contract.ts';
import { badInput, parse } from '../../inputs.ts';
import { letGo } from '../../let-go.ts';
import { receiptParts } from '../../resolvers/sync-job.ts';
import type { AdminContext, AnyContext, MutationContext } from '../context.ts';
import * as args from '../inputs.ts';
import { showJob } from '../show.ts';
import { get, requireApp } from './lookups.ts';

type Queries = QueryResolvers<AdminContext>;
type Mutations = MutationResolvers<MutationContext>;

export const erasure: Queries['erasure'] = async (_root, given, context) => {
  const { id } = parse(args.ErasureArgs, given);
  return await showErasure(context, await get('erasure', id, (known) => store.findErasure(context.sql, known)));
};

async function showErasure({ sql, temporalUi }: AnyContext, found: store.Erasure): Promise<Erasure> {
  const receipts = await listReceipts(sql, found.connectionIds);
  const jobs = await Promise.all(receipts.map(({ jobId }) => findAdminJob(sql, jobId)));
  const { erasureId, ...rest } = found;
  return { id: erasureId, ...rest, jobs: jobs.flatMap((job) => (job === undefined ? [] : [showJob(temporalUi, job)])) };
}

export const eraseSubject: Mutations['eraseSubject'] = async (_root, given, context) => {
  const { input, dryRun } = parse(args.EraseSubjectArgs, given);
  const { mac, sql } = context;
  const appId = await requireApp(context, input.appId);
  const macs = mac.allOf(...receiptParts(appId, input));
  const { scopeId } = await readScope(sql, appId, input);
  if (scopeId !== undefined) await lockScopeById(sql, scopeId);
  const [connections, attempts] =
    scopeId === undefined
      ? [[], []]
      : [await listOfScope(sql, scopeId), await store.listUnfinishedAttempts(sql, scopeId)];
  const keptTokenCount = await store.countKeptTokens(sql, macs, scopeId);
  const earlier = await store.findErasureOfScope(sql, macs);
  const counts = { dryRun, connectionCount: connections.length, attemptCount: attempts.length, keptTokenCount };
  const isNew = scopeId !== undefined || keptTokenCount > 0;
  if (!isNew && earlier === undefined) throw new ServiceError('NOT_FOUND', 'Nothing is held of this subject.');
  if (dryRun || !isNew) {
    return { ...counts, erasure: earlier === undefined ? null : await showErasure(context, earlier) };
  }
  await store.destroyKeptTokens(sql, macs, scopeId);
  if (scopeId !== undefined) await erase(context, scopeId, input, { connections, attempts });
  const erasureId = await store.insertErasure(sql, {
    appId,
    scopeMac: mac.of(...receiptParts(appId, input)),
    connectionIds: connections.map(({ connectionId }) => connectionId),
  });
  return {
    ...counts,
    erasure: await showErasure(context, await get('erasure', erasureId, (id) => store.findErasure(sql, id))),
  };
};

async function erase(
  context: MutationContext,
  scopeId: ScopeId,
  scope: SubjectScope & { appId: AppId | undefined },
  found: {
    connections: Awaited<ReturnType<typeof listOfScope>>;
    attempts: Awaited<ReturnType<typeof store.listUnfinishedAttempts>>;
  },
): Promise<void> {
  const { correlationId, sql } = context;
  for (const connection of found.connections) await letGo(context, sql, connection, scope, correlationId);
  for (const attemptId of found.attempts) {
    const attempt = await findAttempt(sql, attemptId);
    const ended = await endAttempt(sql, attemptId, { status: 'CANCELED', resultCode: 'CANCELED' });
    if (attempt && ended) await insertDispatch(sql, connectAttemptDispatch(attempt, { signal: CALLBACK_ARRIVED }));
  }
  await store.forgetSubject(sql, scopeId);
}

export const proofOfDeletion: Queries['proofOfDeletion'] = async (_root, given, { mac, sql }) => {
  const { connectionId: asked } = parse(args.ProofArgs, given);
  const receipts = await get('receipt', asked, async (id) => {
    const own = await listReceipts(sql, [id]);
    return own.length === 0 ? undefined : own;
  });
  const revoke = receipts.find(({ kind }) => kind === 'REVOKE');
  const erase = receipts.find(({ kind }) => kind === 'ERASE');
  if (erase?.status !== 'SUCCEEDED' || revoke === undefined || asked === undefined) {
    throw badInput('connectionId', 'names a connection whose erase has not ended');
  }
  const document = JSON.stringify({
    statement: 'All that was held of this connection has been deleted.',
    connectionId: asked,
    provider: erase.provider,
    deleted: ['grant and tokens', 'profile', 'posts and metrics', 'coverage', 'read jobs', 'ids given by the app'],
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

export const verifyProofOfDeletion: Queries['verifyProofOfDeletion'] = async (_root, given, { mac }) => {
  const { document, signature } = parse(args.VerifyProofArgs, given);
  return mac.verify(Buffer.from(signature, 'base64url'), 'proof-of-deletion', document);
};
