import { type AppId, asId, type RegistrationId } from '../../../basics/ids.ts';
import type { BulkDisconnect, MutationResolvers, QueryResolvers } from '../../../generated/admin-schema.ts';
import { deleteTenant, findTenant } from '../../../store/apps/tenants.ts';
import {
  type BulkTarget,
  countLiveConnections,
  findBulkDisconnect,
  insertBulkDisconnect,
  listBulkDisconnects,
} from '../../../store/jobs/bulk-disconnects.ts';
import { insertDispatch } from '../../../store/outbox.ts';
import { buildDisconnectAllDispatch } from '../../../workflows/dispatches.ts';
import { parseArgs } from '../../inputs.ts';
import type { AdminContext, MutationContext } from '../context.ts';
import * as args from '../inputs.ts';
import { toBulkDisconnect } from '../to-graphql.ts';
import { getExisting, getRegistration, requireApp } from './lookups.ts';

type Queries = QueryResolvers<AdminContext>;
type Mutations = MutationResolvers<MutationContext>;

export const bulkDisconnect: Queries['bulkDisconnect'] = async (_root, given, { sql, temporalUi }) => {
  const { id } = parseArgs(args.BulkDisconnectArgs, given);
  return toBulkDisconnect(
    temporalUi,
    await getExisting('bulk disconnect', id, (known) => findBulkDisconnect(sql, known)),
  );
};

export const bulkDisconnects: Queries['bulkDisconnects'] = async (_root, _given, { sql, temporalUi }) =>
  (await listBulkDisconnects(sql)).map((run) => toBulkDisconnect(temporalUi, run));

/** @returns null where there is nothing to disconnect. */
async function begin(context: MutationContext, target: BulkTarget, total: number): Promise<BulkDisconnect | null> {
  const { correlationId, sql, temporalUi, touched } = context;
  if (total === 0) return null;
  const { bulkDisconnectId, isNew } = await insertBulkDisconnect(sql, target, total, correlationId);
  touched([bulkDisconnectId]);
  if (isNew) await insertDispatch(sql, buildDisconnectAllDispatch({ bulkDisconnectId, correlationId }));
  return toBulkDisconnect(
    temporalUi,
    await getExisting('bulk disconnect', bulkDisconnectId, (id) => findBulkDisconnect(sql, id)),
  );
}

export const disconnectAll: Mutations['disconnectAll'] = async (_root, given, context) => {
  const { input, dryRun } = parseArgs(args.DisconnectAllArgs, given);
  const target = await targetOf(context, input);
  const connectionCount = await countLiveConnections(context.sql, target);
  if (connectionCount === 0 && 'tenantKey' in target) {
    // Without connections, an unknown tenant is a mistake of the operator.
    await getExisting('tenant', target.tenantKey, (key) => findTenant(context.sql, target.appId, key));
  }
  const bulkDisconnect = dryRun ? null : await begin(context, target, connectionCount);
  return { dryRun, connectionCount, bulkDisconnect };
};

async function targetOf(
  context: MutationContext,
  {
    appId,
    tenantKey,
    registrationId,
  }: { appId: string | null; tenantKey: string | null; registrationId: string | null },
): Promise<BulkTarget> {
  if (registrationId !== null) {
    const { id } = await getRegistration(context, asId<RegistrationId>(registrationId));
    return { registrationId: id as RegistrationId };
  }
  const app = await requireApp(context, asId<AppId>(appId ?? ''));
  // Also of a tenant that is no longer registered: its connections may have been kept.
  return { appId: app, tenantKey: tenantKey ?? '' };
}

export const removeTenant: Mutations['removeTenant'] = async (_root, given, context) => {
  const { appId: asked, tenantKey, connections, dryRun } = parseArgs(args.RemoveTenantArgs, given);
  const appId = await requireApp(context, asked);
  await getExisting('tenant', tenantKey, (key) => findTenant(context.sql, appId, key));
  const target = { appId, tenantKey };
  const connectionCount = await countLiveConnections(context.sql, target);
  if (dryRun) return { dryRun, connectionCount, bulkDisconnect: null };
  await deleteTenant(context.sql, appId, tenantKey);
  const bulkDisconnect = connections === 'KEEP' ? null : await begin(context, target, connectionCount);
  return { dryRun, connectionCount, bulkDisconnect };
};
