import type { AppId, RegistrationId } from '../../../basics/ids.ts';
import { requireDailyQuota, requireHttpsInProduction, requirePermissions } from '../../../domain/rules/input-rules.ts';
import type { MutationResolvers, QueryResolvers } from '../../../generated/admin-schema.ts';
import { updateRefreshPercent } from '../../../store/connections/automatic-refresh.ts';
import { believePlatform } from '../../../store/connections/downgrades.ts';
import { insertIssuer } from '../../../store/issuers/issuers.ts';
import { listIssuers, updateIssuerSecret, updateIssuerSecretExpiry } from '../../../store/issuers/known-issuers.ts';
import * as store from '../../../store/registrations/known-registrations.ts';
import {
  deleteQuotaSpent,
  deleteRejection,
  insertRegistration,
  insertRegistrationApp,
  updateDailyQuota,
} from '../../../store/registrations/registrations.ts';
import * as setup from '../../../store/setup.ts';
import { associatedData } from '../../../vault/associated-data.ts';
import { parseArgs } from '../../inputs.ts';
import type { AdminContext, MutationContext } from '../context.ts';
import { runOnce } from '../idempotency.ts';
import * as args from '../inputs.ts';
import { toIdentityIssuer } from '../to-graphql.ts';
import { createNotFoundError, getIssuer, getRegistration, readRegistrations, requireApp } from './lookups.ts';

type Queries = QueryResolvers<AdminContext>;
type Mutations = MutationResolvers<MutationContext>;

export const registrations: Queries['registrations'] = async (_root, _given, context) =>
  await readRegistrations(context);

export const registration: Queries['registration'] = async (_root, given, context) =>
  await getRegistration(context, parseArgs(args.RegistrationArgs, given).id);

/** The id of a registration that exists. */
const requireRegistration = async (context: MutationContext, id: RegistrationId | undefined) =>
  (await getRegistration(context, id)).id as RegistrationId;

export const createRegistration: Mutations['createRegistration'] = async (_root, given, context) => {
  const { input } = parseArgs(args.CreateRegistrationArgs, given);
  const { id } = await runOnce(context, 'createRegistration', input, async () => {
    const registrationId = await insertRegistration(context.sql, input, (id) =>
      context.sealInbox(input.clientSecret, associatedData.clientSecret(id)),
    );
    await store.updateRegistrationSecretExpiry(context.sql, registrationId, input.secretExpiresAt);
    return registrationId;
  });
  context.about(id);
  return await getRegistration(context, id);
};

export const rotateRegistrationSecret: Mutations['rotateRegistrationSecret'] = async (_root, given, context) => {
  const { id: asked, clientSecret, secretExpiresAt } = parseArgs(args.RotateRegistrationArgs, given);
  const id = await requireRegistration(context, asked);
  const sealed = await context.sealInbox(clientSecret, associatedData.clientSecret(id));
  await store.updateRegistrationSecret(context.sql, id, { sealed, expiresAt: secretExpiresAt });
  return await getRegistration(context, id);
};

/** Counts the affected connections, and changes them unless it is a dry run. */
async function touching(
  context: MutationContext,
  { id, appId, dryRun }: { id: RegistrationId; appId: AppId | null; dryRun: boolean },
  act: () => Promise<unknown>,
) {
  const touched = await store.countAffected(context.sql, id, appId);
  if (!dryRun) await act();
  return { dryRun, registration: await getRegistration(context, id), ...touched };
}

export const pauseRegistration: Mutations['pauseRegistration'] = async (_root, given, context) => {
  const { id: asked, dryRun } = parseArgs(args.PauseArgs, given);
  const id = await requireRegistration(context, asked);
  return await touching(context, { id, appId: null, dryRun }, () => store.updatePaused(context.sql, id, true));
};

export const resumeRegistration: Mutations['resumeRegistration'] = async (_root, given, context) => {
  const id = await requireRegistration(context, parseArgs(args.RegistrationArgs, given).id);
  await store.updatePaused(context.sql, id, false);
  return await getRegistration(context, id);
};

export const retryRegistration: Mutations['retryRegistration'] = async (_root, given, context) => {
  const id = await requireRegistration(context, parseArgs(args.RegistrationArgs, given).id);
  await Promise.all([deleteRejection(context.sql, id), believePlatform(context.sql, id)]);
  return await getRegistration(context, id);
};

export const clearSpentQuota: Mutations['clearSpentQuota'] = async (_root, given, context) => {
  const id = await requireRegistration(context, parseArgs(args.RegistrationArgs, given).id);
  await deleteQuotaSpent(context.sql, id);
  return await getRegistration(context, id);
};

export const setDailyQuota: Mutations['setDailyQuota'] = async (_root, given, context) => {
  const { id: asked, units } = parseArgs(args.DailyQuotaArgs, given);
  const id = await requireRegistration(context, asked);
  const { provider } = await getRegistration(context, id);
  requireDailyQuota('units', context.facts[provider]);
  await updateDailyQuota(context.sql, id, units);
  return await getRegistration(context, id);
};

export const setRegistrationPermissions: Mutations['setRegistrationPermissions'] = async (_root, given, context) => {
  const { id: asked, permissions } = parseArgs(args.PermissionsArgs, given);
  const id = await requireRegistration(context, asked);
  const { provider } = await getRegistration(context, id);
  if (permissions !== null) requirePermissions('permissions', context.facts[provider], permissions);
  await setup.updatePermissions(context.sql, id, permissions);
  return await getRegistration(context, id);
};

export const setRefreshShare: Mutations['setRefreshShare'] = async (_root, given, context) => {
  const { registrationId: asked, percent } = parseArgs(args.RefreshShareArgs, given);
  const id = await requireRegistration(context, asked);
  await updateRefreshPercent(context.sql, id, percent);
  return await getRegistration(context, id);
};

export const serveApp: Mutations['serveApp'] = async (_root, given, context) => {
  const asked = parseArgs(args.ServeArgs, given);
  const registrationId = await requireRegistration(context, asked.registrationId);
  await insertRegistrationApp(context.sql, registrationId, await requireApp(context, asked.appId));
  return await getRegistration(context, registrationId);
};

export const stopServingApp: Mutations['stopServingApp'] = async (_root, given, context) => {
  const { dryRun, ...asked } = parseArgs(args.StopServingArgs, given);
  const id = await requireRegistration(context, asked.registrationId);
  const appId = await requireApp(context, asked.appId);
  return await touching(context, { id, appId, dryRun }, async () => {
    if (!(await store.deleteRegistrationApp(context.sql, id, appId))) throw createNotFoundError('service of this app');
  });
};

export const identityIssuers: Queries['identityIssuers'] = async (_root, _given, { config, sql }) =>
  (await listIssuers(sql)).map((issuer) => toIdentityIssuer(config.CONNECT_URL, issuer));

export const createIdentityIssuer: Mutations['createIdentityIssuer'] = async (_root, given, context) => {
  const { input } = parseArgs(args.CreateIssuerArgs, given);
  requireHttpsInProduction(context.config.DEPLOYMENT, 'input.issuer', input.issuer);
  const { id } = await runOnce(context, 'createIdentityIssuer', input, async () => {
    const issuerId = await insertIssuer(context.sql, input, (id) =>
      context.sealInbox(input.clientSecret, associatedData.issuerSecret(id)),
    );
    await updateIssuerSecretExpiry(context.sql, issuerId, input.secretExpiresAt);
    return issuerId;
  });
  context.about(id);
  return await getIssuer(context, id);
};

export const rotateIdentityIssuerSecret: Mutations['rotateIdentityIssuerSecret'] = async (_root, given, context) => {
  const { id: asked, clientSecret, secretExpiresAt } = parseArgs(args.RotateIssuerArgs, given);
  const issuer = await getIssuer(context, asked);
  const sealed = await context.sealInbox(clientSecret, associatedData.issuerSecret(issuer.id));
  await updateIssuerSecret(context.sql, issuer.id as NonNullable<typeof asked>, {
    sealed,
    expiresAt: secretExpiresAt,
  });
  return await getIssuer(context, asked);
};
