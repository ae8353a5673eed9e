import type { BulkDisconnect } from '../../../generated/admin-schema.ts';
import { deleteTenant, findTenant } from '../../../store/apps/tenants.ts';
import {
  type BulkTarget,
  countLiveConnections,
  findBulkDisconnect,
  findBulkOutcome,
  insertBulkDisconnect,
  listBulkDisconnects,
} from '../../../store/jobs/bulk-disconnects.ts';
import { insertDispatch } from '../../../store/outbox.ts';
import { buildDispatch } from '../../../workflows/dispatches.ts';
import type { MutationContext } from '../context.ts';
import type { Args, Mutations, Queries } from '../contract.ts';
import { toBulkDisconnect } from '../to-graphql.ts';
import { describeUnsent } from '../unsent-revokes.ts';
import { getExisting, getRegistration, requireApp } from './lookups.ts';

/** @returns null where there is nothing to disconnect. */
async function begin(context: MutationContext, target: BulkTarget, total: number): Promise<BulkDisconnect | null> {
  const { correlationId, sql, temporalUi, touched } = context;
  if (total === 0) return null;
  const { bulkDisconnectId, isNew } = await insertBulkDisconnect(sql, target, total, correlationId);
  touched([bulkDisconnectId]);
  if (isNew) await insertDispatch(sql, buildDispatch('disconnectAll', { bulkDisconnectId, correlationId }));
  return toBulkDisconnect(
    temporalUi,
    await getExisting('bulk disconnect', bulkDisconnectId, (id) => findBulkDisconnect(sql, id)),
  );
}

/** As far as it is known beforehand. That another connection uses a grant shows only when its turn comes. */
function listUnsent({ facts }: MutationContext, counts: Awaited<ReturnType<typeof countLiveConnections>>): string[] {
  const without = counts.filter(({ provider }) => !facts[provider].canRevoke);
  const platforms = [...new Set(without.map(({ provider }) => provider))];
  return [
    ...platforms.map((one) =>
      describeUnsent(one, 'NO_REVOKE', sumOf(without.filter(({ provider }) => provider === one))),
    ),
    ...counts.flatMap(({ provider, grantEnd, count }) =>
      facts[provider].canRevoke && grantEnd !== null ? [describeUnsent(provider, grantEnd, count)] : [],
    ),
  ];
}

const sumOf = (counts: readonly { readonly count: number }[]) => counts.reduce((sum, { count }) => sum + count, 0);

async function targetOf(
  context: MutationContext,
  { appId, tenantKey, registrationId }: Args<'disconnectAll'>['input'],
): Promise<BulkTarget> {
  if (registrationId !== null) {
    await getRegistration(context, registrationId);
    return { registrationId };
  }
  // Also of a tenant that is no longer registered: its connections may have been kept.
  return { appId: await getExisting('app', appId, (id) => requireApp(context, id)), tenantKey: tenantKey ?? '' };
}

export const Query = {
  bulkDisconnect: async ({ id }, { sql, temporalUi }) => {
    const run = await getExisting('bulk disconnect', id, (known) => findBulkDisconnect(sql, known));
    return toBulkDisconnect(temporalUi, run, await findBulkOutcome(sql, run.bulkDisconnectId));
  },

  bulkDisconnects: async (_args, { sql, temporalUi }) =>
    (await listBulkDisconnects(sql)).map((run) => toBulkDisconnect(temporalUi, run)),
} satisfies Partial<Queries>;

export const Mutation = {
  disconnectAll: async ({ input, dryRun }, context) => {
    const target = await targetOf(context, input);
    const counts = await countLiveConnections(context.sql, target);
    const connectionCount = sumOf(counts);
    if (connectionCount === 0 && 'tenantKey' in target) {
      // Without connections, an unknown tenant is a mistake of the operator.
      await getExisting('tenant', target.tenantKey, (key) => findTenant(context.sql, target.appId, key));
    }
    const bulkDisconnect = dryRun ? null : await begin(context, target, connectionCount);
    const unsentRevokes = dryRun ? listUnsent(context, counts) : null;
    return { dryRun, connectionCount, unsentRevokes, bulkDisconnect };
  },

  removeTenant: async ({ appId, tenantKey, connections, dryRun }, context) => {
    await requireApp(context, appId);
    await getExisting('tenant', tenantKey, (key) => findTenant(context.sql, appId, key));
    const target = { appId, tenantKey };
    const connectionCount = sumOf(await countLiveConnections(context.sql, target));
    if (dryRun) return { dryRun, connectionCount, bulkDisconnect: null };
    await deleteTenant(context.sql, appId, tenantKey);
    const bulkDisconnect = connections === 'KEEP' ? null : await begin(context, target, connectionCount);
    return { dryRun, connectionCount, bulkDisconnect };
  },
} satisfies Partial<Mutations>;
