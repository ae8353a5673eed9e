import { requireHttpsInProduction } from '../../../domain/operating/input-rules.ts';
import type { MutationResolvers, QueryResolvers } from '../../../generated/admin-schema.ts';
import type { AppId, KeyId } from '../../../ids.ts';
import {
  deleteLaunchOrigin,
  deleteReturnUrl,
  findTenant,
  listApps,
  listTenants,
  updateApp,
  updateIdentityEnabled,
} from '../../../store/admin/apps.ts';
import * as setup from '../../../store/setup.ts';
import { parse } from '../../inputs.ts';
import type { AdminContext, MutationContext } from '../context.ts';
import * as args from '../inputs.ts';
import { once } from '../once.ts';
import { listingOf, pageOf, readPlace } from '../pages.ts';
import { getApp, getIssuer, getKey, notFound, requireApp, showApps } from './lookups.ts';

type Queries = QueryResolvers<AdminContext>;
type Mutations = MutationResolvers<MutationContext>;

export const apps: Queries['apps'] = async (_root, given, context) => {
  const { filter, first, after } = parse(args.AppsArgs, given);
  const listing = listingOf('apps', filter);
  const place = readPlace(context.mac, listing, after);
  const rows = await listApps(context.sql, filter, { limit: first + 1, after: place });
  const page = pageOf(
    context.mac,
    listing,
    { rows, first },
    (app) => [app.createdAt.toISOString(), app.appId],
    (app) => app,
  );
  return { ...page, items: await showApps(context, page.items) };
};

export const app: Queries['app'] = async (_root, given, context) =>
  await getApp(context, parse(args.AppArgs, given).id);

export const tenants: Queries['tenants'] = async (_root, given, context) => {
  const { appId: asked, first, after } = parse(args.TenantsArgs, given);
  const appId = await requireApp(context, asked);
  const listing = listingOf('tenants', { appId });
  const place = readPlace(context.mac, listing, after);
  const rows = await listTenants(context.sql, appId, { limit: first + 1, after: place?.id ?? null });
  return pageOf(
    context.mac,
    listing,
    { rows, first },
    ({ createdAt, tenantKey }) => [createdAt.toISOString(), tenantKey],
    (tenant) => tenant,
  );
};

export const createApp: Mutations['createApp'] = async (_root, given, context) => {
  const { input } = parse(args.CreateAppArgs, given);
  const { id } = await once(context, 'createApp', input, async () => {
    const appId = await setup.insertApp(context.sql, input.name);
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
  const { id, ...changes } = parse(args.ChangeAppArgs, given);
  return await changed(context, id, { ...changes, enabled: null });
};

const switching =
  (enabled: boolean): Mutations['disableApp'] =>
  async (_root, given, context) =>
    await changed(context, parse(args.AppArgs, given).id, { name: null, requestsPerSecond: null, enabled });

export const disableApp = switching(false);
export const enableApp = switching(true);

export const issueKey: Mutations['issueKey'] = async (_root, given, context) => {
  const { input } = parse(args.IssueKeyArgs, given);
  const appId = await requireApp(context, input.appId);
  let secret: string | null = null;
  const { id } = await once<KeyId>(context, 'issueKey', input, async () => {
    const issued = await setup.insertKey(context.sql, appId, input.expiresAt);
    secret = issued.key;
    return issued.keyId;
  });
  context.touched([id]);
  return { key: await getKey(context, id), secret };
};

export const revokeKey: Mutations['revokeKey'] = async (_root, given, context) => {
  const { id } = parse(args.KeyArgs, given);
  if (id === undefined || !(await setup.revokeKey(context.sql, id))) throw notFound('active key');
  return await getKey(context, id);
};

export const addTenant: Mutations['addTenant'] = async (_root, given, context) => {
  const { appId: asked, tenantKey } = parse(args.TenantArgs, given);
  const appId = await requireApp(context, asked);
  await setup.insertTenant(context.sql, appId, tenantKey);
  const tenant = await findTenant(context.sql, appId, tenantKey);
  if (tenant === undefined) throw notFound('tenant');
  return tenant;
};

export const addReturnUrl: Mutations['addReturnUrl'] = async (_root, given, context) => {
  const { appId: asked, url } = parse(args.AddReturnUrlArgs, given);
  requireHttpsInProduction(context.config.DEPLOYMENT, 'url', url);
  const appId = await requireApp(context, asked);
  await setup.insertReturnUrl(context.sql, appId, url);
  return await getApp(context, appId);
};

export const removeReturnUrl: Mutations['removeReturnUrl'] = async (_root, given, context) => {
  const { appId: asked, url } = parse(args.RemoveReturnUrlArgs, given);
  const appId = await requireApp(context, asked);
  if (!(await deleteReturnUrl(context.sql, appId, url))) throw notFound('return URL');
  return await getApp(context, appId);
};

export const addLaunchOrigin: Mutations['addLaunchOrigin'] = async (_root, given, context) => {
  const { appId: asked, origin } = parse(args.AddLaunchOriginArgs, given);
  requireHttpsInProduction(context.config.DEPLOYMENT, 'origin', origin);
  const appId = await requireApp(context, asked);
  await setup.insertLaunchOrigin(context.sql, appId, origin);
  return await getApp(context, appId);
};

export const removeLaunchOrigin: Mutations['removeLaunchOrigin'] = async (_root, given, context) => {
  const { appId: asked, origin } = parse(args.RemoveLaunchOriginArgs, given);
  const appId = await requireApp(context, asked);
  if (!(await deleteLaunchOrigin(context.sql, appId, origin))) throw notFound('launch origin');
  return await getApp(context, appId);
};

export const setPolicy: Mutations['setPolicy'] = async (_root, given, context) => {
  const { appId: asked, provider, capabilities, quotaPercent } = parse(args.PolicyArgs, given);
  const appId = await requireApp(context, asked);
  await setup.updatePolicy(context.sql, appId, provider, { capabilities, quotaPercent });
  return await getApp(context, appId);
};

export const setIdentity: Mutations['setIdentity'] = async (_root, given, context) => {
  const { appId: asked, issuerId: askedIssuer, returnUrl, enabled } = parse(args.IdentityArgs, given);
  requireHttpsInProduction(context.config.DEPLOYMENT, 'returnUrl', returnUrl);
  const appId = await requireApp(context, asked);
  const { id: issuerId } = await getIssuer(context, askedIssuer);
  await setup.updateIdentitySettings(context.sql, appId, issuerId as NonNullable<typeof askedIssuer>, returnUrl);
  if (!enabled) await updateIdentityEnabled(context.sql, appId, false);
  return await getApp(context, appId);
};
