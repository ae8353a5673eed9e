import { ServiceError } from '../../../basics/errors.ts';
import type { AppId, IssuerId, RegistrationId } from '../../../basics/ids.ts';
import type { App, IdentityIssuer, Registration } from '../../../generated/admin-schema.ts';
import { listDailyQuotas } from '../../../providers/facts.ts';
import { findRegisteredApp, type RegisteredApp } from '../../../store/apps/registered-apps.ts';
import type { Sql } from '../../../store/driver/sql.ts';
import { findKnownIssuer, listIssuers } from '../../../store/issuers/known-issuers.ts';
import { describePerson } from '../../../store/people.ts';
import { listRegistrations } from '../../../store/registrations/known-registrations.ts';
import { listRegistrationUsage } from '../../../store/registrations/registration-usage.ts';
import type { AnyContext } from '../context.ts';
import { toApp, toIdentityIssuer, toRegistration } from '../to-graphql.ts';

export const createNotFoundError = (what: string) => new ServiceError('NOT_FOUND', `There is no such ${what}.`);

/** A wrong tenant is the usual cause, and proves nothing about the person. */
export async function createNothingHeldError(
  sql: Sql,
  person: Parameters<typeof describePerson>[1],
): Promise<ServiceError> {
  const { isTenant, otherTenants } = await describePerson(sql, person);
  const message = isTenant
    ? 'The service holds no data of this subject in this tenant.'
    : 'The app has no such tenant, so this proves nothing about the person.';
  const elsewhere = otherTenants.length === 0 ? '' : ` It holds the same subject in ${otherTenants.join(', ')}.`;
  return new ServiceError('NOT_FOUND', `${message}${elsewhere}`);
}

/** Finds a row by its id, if one is given. @throws ServiceError `NOT_FOUND` */
export async function getExisting<Id extends string, T>(
  what: string,
  id: Id | null,
  find: (id: Id) => Promise<T | undefined>,
): Promise<T> {
  const found = id === null ? undefined : await find(id);
  if (found === undefined) throw createNotFoundError(what);
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
    return toRegistration(config.CONNECT_URL, registration, facts[registration.provider], used);
  });
}

export const getRegistration = (context: AnyContext, id: RegistrationId): Promise<Registration> =>
  getExisting('registration', id, async (known) => (await readRegistrations(context, [known]))[0]);

export async function toApps(context: AnyContext, apps: readonly RegisteredApp[]): Promise<App[]> {
  const ids = [...new Set(apps.flatMap(({ registrationIds }) => registrationIds))];
  const [registrations, issuers] = await Promise.all([readRegistrations(context, ids), listIssuers(context.sql)]);
  const shownIssuers = issuers.map((issuer) => toIdentityIssuer(context.config.CONNECT_URL, issuer));
  return apps.map((app) => toApp(context.config.CONNECT_URL, app, { registrations, issuers: shownIssuers }));
}

export const getApp = (context: AnyContext, id: AppId): Promise<App> =>
  getExisting('app', id, async (appId) => {
    const app = await findRegisteredApp(context.sql, appId);
    return app && (await toApps(context, [app]))[0];
  });

/** The id of an app that exists. */
export async function requireApp({ sql }: AnyContext, id: AppId): Promise<AppId> {
  return (await getExisting('app', id, (appId) => findRegisteredApp(sql, appId))).appId;
}

export const getIssuer = ({ config, sql }: AnyContext, id: IssuerId): Promise<IdentityIssuer> =>
  getExisting('issuer', id, async (issuerId) => {
    const issuer = await findKnownIssuer(sql, issuerId);
    return issuer && toIdentityIssuer(config.CONNECT_URL, issuer);
  });
