import { badInput } from '../../../basics/errors.ts';
import type { AppId, KeyId } from '../../../basics/ids.ts';
import { requireHttpsInProduction } from '../../../domain/rules/input-rules.ts';
import type { AppKey, MutationResolvers, QueryResolvers } from '../../../generated/admin-schema.ts';
import {
  deleteLaunchOrigin,
  deleteReturnUrl,
  insertLaunchOrigin,
  insertReturnUrl,
} from '../../../store/apps/addresses.ts';
import { insertApp, updateApp } from '../../../store/apps/apps.ts';
import { deleteLogo, updateBranding, updateLogo } from '../../../store/apps/branding.ts';
import * as keys from '../../../store/apps/keys.ts';
import { findKey, updateKeyLabel } from '../../../store/apps/keys.ts';
import { updatePolicy } from '../../../store/apps/policies.ts';
import { listApps } from '../../../store/apps/registered-apps.ts';
import { findTenant, insertTenant, listTenants } from '../../../store/apps/tenants.ts';
import { updateRefreshPolicy } from '../../../store/connections/automatic-refresh.ts';
import { updateIdentityEnabled, updateIdentitySettings } from '../../../store/issuers/identity-settings.ts';
import { parseArgs } from '../../inputs.ts';
import type { AdminContext, MutationContext } from '../context.ts';
import { runOnce } from '../idempotency.ts';
import * as args from '../inputs.ts';
import { bindListing, buildPage, readPageCursor } from '../pages.ts';
import { toAppKey } from '../to-graphql.ts';
import { createNotFoundError, getApp, getExisting, getIssuer, requireApp, toApps } from './lookups.ts';

type Queries = QueryResolvers<AdminContext>;
type Mutations = MutationResolvers<MutationContext>;

export const apps: Queries['apps'] = async (_root, given, context) => {
  const { filter, first, after } = parseArgs(args.AppsArgs, given);
  const listing = bindListing('apps', filter);
  const place = readPageCursor(context.mac, listing, after);
  const rows = await listApps(context.sql, filter, { limit: first + 1, after: place });
  const page = buildPage(
    context.mac,
    listing,
    { rows, first },
    (app) => [app.createdAt.toISOString(), app.appId],
    (app) => app,
  );
  return { ...page, items: await toApps(context, page.items) };
};

export const app: Queries['app'] = async (_root, given, context) =>
  await getApp(context, parseArgs(args.AppArgs, given).id);

export const tenants: Queries['tenants'] = async (_root, given, context) => {
  const { appId: asked, first, after } = parseArgs(args.TenantsArgs, given);
  const appId = await requireApp(context, asked);
  const listing = bindListing('tenants', { appId });
  const place = readPageCursor(context.mac, listing, after);
  const rows = await listTenants(context.sql, appId, { limit: first + 1, after: place?.id ?? null });
  return buildPage(
    context.mac,
    listing,
    { rows, first },
    ({ createdAt, tenantKey }) => [createdAt.toISOString(), tenantKey],
    (tenant) => tenant,
  );
};

export const createApp: Mutations['createApp'] = async (_root, given, context) => {
  const { input } = parseArgs(args.CreateAppArgs, given);
  const { id } = await runOnce(context, 'createApp', input, async () => {
    const appId = await insertApp(context.sql, input.name);
    await updateApp(context.sql, appId, { name: null, enabled: null, requestsPerSecond: input.requestsPerSecond });
    return appId;
  });
  context.about(id);
  return await getApp(context, id);
};

const changed = async (context: MutationContext, id: AppId | undefined, changes: Parameters<typeof updateApp>[2]) => {
  const appId = await requireApp(context, id);
  await updateApp(context.sql, appId, changes);
  return await getApp(context, appId);
};

export const changeApp: Mutations['changeApp'] = async (_root, given, context) => {
  const { id, ...changes } = parseArgs(args.ChangeAppArgs, given);
  return await changed(context, id, { ...changes, enabled: null });
};

const switching =
  (enabled: boolean): Mutations['disableApp'] =>
  async (_root, given, context) =>
    await changed(context, parseArgs(args.AppArgs, given).id, { name: null, requestsPerSecond: null, enabled });

export const disableApp = switching(false);
export const enableApp = switching(true);

export const issueKey: Mutations['issueKey'] = async (_root, given, context) => {
  const { input } = parseArgs(args.IssueKeyArgs, given);
  const appId = await requireApp(context, input.appId);
  let secret: string | null = null;
  const { id } = await runOnce<KeyId>(context, 'issueKey', input, async () => {
    const issued = await keys.insertKey(context.sql, appId, input);
    secret = issued.key;
    return issued.keyId;
  });
  context.touched([id]);
  return { key: await getChangedKey(context, id), secret };
};

async function getChangedKey(context: MutationContext, id: KeyId): Promise<AppKey> {
  const { appId, ...key } = await getExisting('key', id, (keyId) => findKey(context.sql, keyId));
  context.touched([appId]);
  return toAppKey(key);
}

export const revokeKey: Mutations['revokeKey'] = async (_root, given, context) => {
  const { id } = parseArgs(args.KeyArgs, given);
  if (id === undefined || !(await keys.revokeKey(context.sql, id))) throw createNotFoundError('active key');
  return await getChangedKey(context, id);
};

export const changeKey: Mutations['changeKey'] = async (_root, given, context) => {
  const { id, label } = parseArgs(args.ChangeKeyArgs, given);
  if (id === undefined || !(await updateKeyLabel(context.sql, id, label))) throw createNotFoundError('key');
  return await getChangedKey(context, id);
};

export const addTenant: Mutations['addTenant'] = async (_root, given, context) => {
  const { appId: asked, tenantKey } = parseArgs(args.TenantArgs, given);
  const appId = await requireApp(context, asked);
  await insertTenant(context.sql, appId, tenantKey);
  const tenant = await findTenant(context.sql, appId, tenantKey);
  if (tenant === undefined) throw createNotFoundError('tenant');
  return tenant;
};

export const addReturnUrl: Mutations['addReturnUrl'] = async (_root, given, context) => {
  const { appId: asked, url } = parseArgs(args.AddReturnUrlArgs, given);
  requireHttpsInProduction(context.config.DEPLOYMENT, 'url', url);
  const appId = await requireApp(context, asked);
  await insertReturnUrl(context.sql, appId, url);
  return await getApp(context, appId);
};

export const removeReturnUrl: Mutations['removeReturnUrl'] = async (_root, given, context) => {
  const { appId: asked, url } = parseArgs(args.RemoveReturnUrlArgs, given);
  const appId = await requireApp(context, asked);
  if (!(await deleteReturnUrl(context.sql, appId, url))) throw createNotFoundError('return URL');
  return await getApp(context, appId);
};

export const addLaunchOrigin: Mutations['addLaunchOrigin'] = async (_root, given, context) => {
  const { appId: asked, origin } = parseArgs(args.AddLaunchOriginArgs, given);
  requireHttpsInProduction(context.config.DEPLOYMENT, 'origin', origin);
  const appId = await requireApp(context, asked);
  await insertLaunchOrigin(context.sql, appId, origin);
  return await getApp(context, appId);
};

export const removeLaunchOrigin: Mutations['removeLaunchOrigin'] = async (_root, given, context) => {
  const { appId: asked, origin } = parseArgs(args.RemoveLaunchOriginArgs, given);
  const appId = await requireApp(context, asked);
  if (!(await deleteLaunchOrigin(context.sql, appId, origin))) throw createNotFoundError('launch origin');
  return await getApp(context, appId);
};

export const setBranding: Mutations['setBranding'] = async (_root, given, context) => {
  const { appId: asked, ...branding } = parseArgs(args.BrandingArgs, given);
  const appId = await requireApp(context, asked);
  await updateBranding(context.sql, appId, branding);
  return await getApp(context, appId);
};

export const setLogo: Mutations['setLogo'] = async (_root, given, context) => {
  const { appId: asked, image } = parseArgs(args.LogoArgs, given);
  const appId = await requireApp(context, asked);
  await updateLogo(context.sql, appId, image);
  return await getApp(context, appId);
};

export const removeLogo: Mutations['removeLogo'] = async (_root, given, context) => {
  const appId = await requireApp(context, parseArgs(args.RemoveLogoArgs, given).appId);
  if (!(await deleteLogo(context.sql, appId))) throw createNotFoundError('logo');
  return await getApp(context, appId);
};

export const setPolicy: Mutations['setPolicy'] = async (_root, given, context) => {
  const { appId: asked, provider, capabilities, quotaPercent } = parseArgs(args.PolicyArgs, given);
  const appId = await requireApp(context, asked);
  await updatePolicy(context.sql, appId, provider, { capabilities, quotaPercent });
  return await getApp(context, appId);
};

export const setRefreshPolicy: Mutations['setRefreshPolicy'] = async (_root, given, context) => {
  const { appId: asked, provider, ...refresh } = parseArgs(args.RefreshPolicyArgs, given);
  const policy = {
    everyMinutes: refresh.refreshMinutes,
    windowDays: refresh.refreshDays,
    newestPosts: refresh.refreshPosts,
  };
  const appId = await requireApp(context, asked);
  if (!(await updateRefreshPolicy(context.sql, appId, provider, policy))) {
    throw badInput('provider', 'names a provider that the app may not use: set its policy first');
  }
  return await getApp(context, appId);
};

export const setIdentity: Mutations['setIdentity'] = async (_root, given, context) => {
  const { appId: asked, issuerId: askedIssuer, returnUrl, enabled } = parseArgs(args.IdentityArgs, given);
  requireHttpsInProduction(context.config.DEPLOYMENT, 'returnUrl', returnUrl);
  const appId = await requireApp(context, asked);
  const { id: issuerId } = await getIssuer(context, askedIssuer);
  await updateIdentitySettings(context.sql, appId, issuerId as NonNullable<typeof askedIssuer>, returnUrl);
  if (!enabled) await updateIdentityEnabled(context.sql, appId, false);
  return await getApp(context, appId);
};
