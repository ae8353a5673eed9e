import { badInput, ServiceError } from '../../../basics/errors.ts';
import type { AppId, KeyId } from '../../../basics/ids.ts';
import { requireHttpsInProduction } from '../../../domain/rules/input-rules.ts';
import { requireFuture } from '../../../domain/rules/require-future.ts';
import type { App, AppKey } from '../../../generated/admin-schema.ts';
import {
  deleteLaunchOrigin,
  deleteReturnUrl,
  insertLaunchOrigin,
  insertReturnUrl,
} from '../../../store/apps/addresses.ts';
import { deleteUnusedApp, insertApp, readAppUse, updateApp } from '../../../store/apps/apps.ts';
import { deleteLogo, updateLogo } from '../../../store/apps/branding.ts';
import * as keys from '../../../store/apps/keys.ts';
import { updatePolicy } from '../../../store/apps/policies.ts';
import { listApps } from '../../../store/apps/registered-apps.ts';
import { findTenant, insertTenant, listTenants } from '../../../store/apps/tenants.ts';
import { updateRefreshPolicy } from '../../../store/connections/automatic-refresh.ts';
import { updateIdentityEnabled, updateIdentitySettings } from '../../../store/issuers/identity-settings.ts';
import { readAppSettings, readKeySettings } from '../audit-changes.ts';
import type { MutationContext } from '../context.ts';
import type { Mutations, Queries } from '../contract.ts';
import { runOnce } from '../idempotency.ts';
import { readPage } from '../pages.ts';
import { toAppKey } from '../to-graphql.ts';
import { createNotFoundError, getApp, getExisting, getIssuer, requireApp, toApps } from './lookups.ts';

/** Changes an app, and writes the old and new values to the audit log. */
async function showChange(context: MutationContext, id: AppId, act: () => Promise<unknown>): Promise<App> {
  const before = await getApp(context, id);
  await act();
  const after = await getApp(context, id);
  context.changed(readAppSettings(before), readAppSettings(after));
  return after;
}

/** A mutation of an app's settings, which answers with the app. */
const onApp =
  <Given extends { readonly appId: AppId }>(act: (given: Given, context: MutationContext) => Promise<unknown>) =>
  async (given: Given, context: MutationContext) => {
    return await showChange(context, given.appId, () => act(given, context));
  };

/** Changes settings of an app. */
export const changeApp = (context: MutationContext, id: AppId, changes: Parameters<typeof updateApp>[2]) =>
  showChange(context, id, () => updateApp(context.sql, id, changes));

async function getChangedKey(context: MutationContext, id: KeyId): Promise<AppKey> {
  const { appId, ...key } = await getExisting('key', id, (keyId) => keys.findKey(context.sql, keyId));
  context.touched([appId]);
  return toAppKey(key);
}

async function changeKey(context: MutationContext, id: KeyId, what: string, act: () => Promise<boolean>) {
  const before = await keys.findKey(context.sql, id);
  if (!(await act()) || before === undefined) throw createNotFoundError(what);
  const after = await getChangedKey(context, id);
  context.changed(readKeySettings(toAppKey(before)), readKeySettings(after));
  return after;
}

export const Query = {
  apps: async ({ filter, ...page }, context) =>
    await readPage(
      context.mac,
      'apps',
      { ...page, filter },
      {
        list: (asked) => listApps(context.sql, filter, asked),
        place: (row) => [row.createdAt, row.appId],
        show: (rows) => toApps(context, rows),
      },
    ),

  app: async ({ id }, context) => await getApp(context, id),

  appUse: async ({ id }, context) => await readAppUse(context.sql, await requireApp(context, id)),

  tenants: async ({ appId, ...page }, context) => {
    await requireApp(context, appId);
    return await readPage(
      context.mac,
      'tenants',
      { ...page, filter: { appId } },
      {
        list: ({ limit, after }) => listTenants(context.sql, appId, { limit, after: after?.id ?? null }),
        place: (row) => [row.createdAt, row.tenantKey],
        show: (rows) => [...rows],
      },
    );
  },
} satisfies Partial<Queries>;

export const Mutation = {
  createApp: async ({ input }, context) => {
    const { id } = await runOnce(context, 'createApp', input, async () => {
      const { name, idempotencyKey: _, ...settings } = input;
      const appId = await insertApp(context.sql, name);
      await updateApp(context.sql, appId, settings);
      return appId;
    });
    context.about(id);
    return await getApp(context, id);
  },

  deleteApp: async ({ id }, context) => {
    const { name } = await getApp(context, id);
    if (!(await deleteUnusedApp(context.sql, id))) {
      throw new ServiceError(
        'BAD_USER_INPUT',
        'This app is in use, or was: disable it. Only an unused app without an active key can be deleted.',
      );
    }
    context.changed({ name }, {});
    return true;
  },

  disableApp: async ({ id }, context) => await changeApp(context, id, { enabled: false }),
  enableApp: async ({ id }, context) => await changeApp(context, id, { enabled: true }),

  issueKey: async ({ input }, context) => {
    await requireApp(context, input.appId);
    let secret: string | null = null;
    const { id } = await runOnce<KeyId>(context, 'issueKey', input, async () => {
      await requireFuture(context.sql, 'input.expiresAt', input.expiresAt);
      const issued = await keys.insertKey(context.sql, input.appId, input);
      secret = issued.key;
      return issued.keyId;
    });
    context.touched([id]);
    return { key: await getChangedKey(context, id), secret };
  },

  revokeKey: async ({ id }, context) =>
    await changeKey(context, id, 'active key', () => keys.revokeKey(context.sql, id)),

  changeKey: async ({ id, label }, context) =>
    await changeKey(context, id, 'key', () => keys.updateKeyLabel(context.sql, id, label)),

  addTenant: async ({ appId, tenantKey }, context) => {
    await requireApp(context, appId);
    await insertTenant(context.sql, appId, tenantKey);
    return await getExisting('tenant', tenantKey, (key) => findTenant(context.sql, appId, key));
  },

  addReturnUrl: onApp(async ({ appId, url }, { config, sql }) => {
    requireHttpsInProduction(config.DEPLOYMENT, 'url', url);
    await insertReturnUrl(sql, appId, url);
  }),

  removeReturnUrl: onApp(async ({ appId, url }, { sql }) => {
    if (!(await deleteReturnUrl(sql, appId, url))) throw createNotFoundError('return URL');
  }),

  addLaunchOrigin: onApp(async ({ appId, origin }, { config, sql }) => {
    requireHttpsInProduction(config.DEPLOYMENT, 'origin', origin);
    await insertLaunchOrigin(sql, appId, origin);
  }),

  removeLaunchOrigin: onApp(async ({ appId, origin }, { sql }) => {
    if (!(await deleteLaunchOrigin(sql, appId, origin))) throw createNotFoundError('launch origin');
  }),

  setBranding: onApp(({ appId, color, language }, { sql }) =>
    updateApp(sql, appId, { pageColor: color, pageLanguage: language }),
  ),

  setLogo: onApp(({ appId, image }, { sql }) => updateLogo(sql, appId, image)),

  removeLogo: onApp(async ({ appId }, { sql }) => {
    if (!(await deleteLogo(sql, appId))) throw createNotFoundError('logo');
  }),

  setPolicy: onApp(({ appId, provider, ...policy }, { sql }) => updatePolicy(sql, appId, provider, policy)),

  setRefreshPolicy: onApp(async ({ appId, provider, ...refresh }, { sql }) => {
    const policy = {
      refreshMinutes: refresh.refreshMinutes,
      refreshDays: refresh.refreshDays,
      refreshPosts: refresh.refreshPosts,
    };
    if (!(await updateRefreshPolicy(sql, appId, provider, policy))) {
      throw badInput('provider', 'names a provider that the app may not use: set its policy first');
    }
  }),

  setIdentity: onApp(async ({ appId, issuerId, returnUrl, enabled }, context) => {
    requireHttpsInProduction(context.config.DEPLOYMENT, 'returnUrl', returnUrl);
    await getIssuer(context, issuerId);
    await updateIdentitySettings(context.sql, appId, issuerId, returnUrl);
    if (!enabled) await updateIdentityEnabled(context.sql, appId, false);
  }),
} satisfies Partial<Mutations>;
