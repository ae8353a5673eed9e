import { ServiceError } from '../../../errors.ts';
import type { App, AppKey, IdentityIssuer, Registration } from '../../../generated/admin-schema.ts';
import type { AppId, IssuerId, KeyId, RegistrationId } from '../../../ids.ts';
import { listDailyQuotas } from '../../../providers/facts.ts';
import { findKey, findRegisteredApp, type RegisteredApp } from '../../../store/admin/apps.ts';
import { findKnownIssuer, listIssuers, listRegistrations } from '../../../store/admin/registrations.ts';
import { listRegistrationUsage } from '../../../store/registration-usage.ts';
import type { AnyContext } from '../context.ts';
import { showApp, showIssuer, showKey, showRegistration } from '../show.ts';

export const notFound = (what: string) => new ServiceError('NOT_FOUND', `There is no such ${what}.`);

/** What was found, or NOT_FOUND; an id that cannot be one is not looked for. */
export async function get<Id extends string, T>(
  what: string,
  id: Id | undefined,
  find: (id: Id) => Promise<T | undefined>,
): Promise<T> {
  const found = id === undefined ? undefined : await find(id);
  if (found === undefined) throw notFound(what);
  return found;
}

export async function readRegistrations(context: AnyContext, ids?: readonly RegistrationId[]): Promise<Registration[]> {
  const { config, facts, sql } = context;
  const [registrations, usage] = await Promise.all([
    listRegistrations(sql, ids),
    listRegistrationUsage(sql, listDailyQuotas(facts)),
  ]);
  return registrations.map((registration) => {
    const used = usage.get(registration.registrationId);
    if (used === undefined) throw new Error('A registration was made while its usage was counted.');
    return showRegistration(config.CONNECT_URL, registration, facts[registration.provider], used);
  });
}

export const getRegistration = (context: AnyContext, id: RegistrationId | undefined): Promise<Registration> =>
  get('registration', id, async (known) => (await readRegistrations(context, [known]))[0]);

export async function showApps(context: AnyContext, apps: readonly RegisteredApp[]): Promise<App[]> {
  const ids = [...new Set(apps.flatMap(({ registrationIds }) => registrationIds))];
  const [registrations, issuers] = await Promise.all([readRegistrations(context, ids), listIssuers(context.sql)]);
  const shownIssuers = issuers.map((issuer) => showIssuer(context.config.CONNECT_URL, issuer));
  return apps.map((app) => showApp(app, registrations, shownIssuers));
}

export const getApp = (context: AnyContext, id: AppId | undefined): Promise<App> =>
  get('app', id, async (appId) => {
    const app = await findRegisteredApp(context.sql, appId);
    return app && (await showApps(context, [app]))[0];
  });

/** The id of an app that exists. */
export async function requireApp({ sql }: AnyContext, id: AppId | undefined): Promise<AppId> {
  return (await get('app', id, (appId) => findRegisteredApp(sql, appId))).appId;
}

export const getIssuer = ({ config, sql }: AnyContext, id: IssuerId | undefined): Promise<IdentityIssuer> =>
  get('issuer', id, async (issuerId) => {
    const issuer = await findKnownIssuer(sql, issuerId);
    return issuer && showIssuer(config.CONNECT_URL, issuer);
  });

export const getKey = ({ sql }: AnyContext, id: KeyId | undefined): Promise<AppKey> =>
  get('key', id, async (keyId) => {
    const key = await findKey(sql, keyId);
    if (key === undefined) return undefined;
    const { appId: _, ...rest } = key;
    return showKey(rest);
  });
