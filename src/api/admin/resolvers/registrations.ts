import { ServiceError } from '../../../basics/errors.ts';
import type { AppId, RegistrationId } from '../../../basics/ids.ts';
import { retryJobsOfClient } from '../../../domain/disconnecting/start-retries.ts';
import {
  requireDailyQuota,
  requireDisconnectAfter,
  requireHttpsInProduction,
  requirePermissions,
} from '../../../domain/rules/input-rules.ts';
import { requireFuture } from '../../../domain/rules/require-future.ts';
import type { Registration } from '../../../generated/admin-schema.ts';
import { believePlatform } from '../../../store/connections/refusals.ts';
import { getBusinessTime } from '../../../store/driver/sql.ts';
import { insertIssuer } from '../../../store/issuers/issuers.ts';
import { deleteUnusedIssuer, listIssuers, updateIssuerSecret } from '../../../store/issuers/known-issuers.ts';
import { insertDispatch } from '../../../store/outbox.ts';
import * as store from '../../../store/registrations/known-registrations.ts';
import {
  deleteQuotaSpent,
  deleteRejection,
  deleteUnusedRegistration,
  insertRegistration,
  insertRegistrationApp,
  releaseProbe,
  updateRegistration,
} from '../../../store/registrations/registrations.ts';
import { associatedData } from '../../../vault/associated-data.ts';
import { buildDispatch } from '../../../workflows/dispatches.ts';
import { readRegistrationSettings } from '../audit-changes.ts';
import type { MutationContext } from '../context.ts';
import type { Mutations, Queries } from '../contract.ts';
import { runOnce } from '../idempotency.ts';
import { toIdentityIssuer } from '../to-graphql.ts';
import { createNotFoundError, getIssuer, getRegistration, readRegistrations, requireApp } from './lookups.ts';

const TOKEN_AUTH_METHODS = {
  CLIENT_SECRET_POST: 'client_secret_post',
  CLIENT_SECRET_BASIC: 'client_secret_basic',
} as const;

/** Changes a registration, and writes the old and new values to the audit log. */
async function showChange(
  context: MutationContext,
  id: RegistrationId,
  act: (before: Registration) => Promise<unknown>,
): Promise<Registration> {
  const before = await getRegistration(context, id);
  await act(before);
  const after = await getRegistration(context, id);
  context.changed(readRegistrationSettings(before), readRegistrationSettings(after));
  return after;
}

/** Changes settings of a registration. */
export const changeRegistration = (
  context: MutationContext,
  id: RegistrationId,
  changes: Parameters<typeof updateRegistration>[2],
) => showChange(context, id, () => updateRegistration(context.sql, id, changes));

/** A mutation of a registration, which answers with it. */
const onRegistration =
  <Given extends { readonly id: RegistrationId }>(
    act: (given: Given, context: MutationContext, registration: Registration) => Promise<unknown>,
  ) =>
  async (given: Given, context: MutationContext) => {
    return await showChange(context, given.id, (registration) => act(given, context, registration));
  };

function describeTest({ testedAt, testAnsweredAt, rejectedAt, accepted }: Registration): string {
  if (testedAt === null || testAnsweredAt === null || testAnsweredAt < testedAt) return 'has not answered yet';
  if (rejectedAt !== null) return 'refused the client';
  return accepted ? 'accepted the client' : 'did not say whether it accepts the client';
}

/** Tells the answer to the last test as what it is: an older one. */
function createTooSoonError(
  registration: Registration,
  { secondsAgo, nextAt, waitSeconds }: { secondsAgo: number; nextAt: Date; waitSeconds: number },
): ServiceError {
  const nextMs = Math.ceil(nextAt.getTime() / 1_000) * 1_000;
  const next = new Date(nextMs).toISOString().slice(11, 19);
  return new ServiceError(
    'RATE_LIMITED',
    `The provider was asked ${secondsAgo} s ago, and ${describeTest(registration)}. Ask again after ${next} UTC.`,
    { retryAfterSeconds: waitSeconds },
  );
}

/** Counts the affected connections, and changes them unless it is a dry run. */
async function touching(
  context: MutationContext,
  { id, appId, dryRun }: { id: RegistrationId; appId: AppId | null; dryRun: boolean },
  act: () => Promise<unknown>,
) {
  const touched = await store.countAffected(context.sql, id, appId);
  const registration = await showChange(context, id, async () => (dryRun ? undefined : await act()));
  return { dryRun, registration, ...touched };
}

export const Query = {
  registrations: async (_args, context) => await readRegistrations(context),

  registration: async ({ id }, context) => await getRegistration(context, id),

  identityIssuers: async (_args, { config, sql }) =>
    (await listIssuers(sql)).map((issuer) => toIdentityIssuer(config.CONNECT_URL, issuer)),

  identityIssuerTest: async ({ id }, context) => {
    const { issuer } = await getIssuer(context, id);
    return { problem: (await context.testIssuer(issuer)) ?? null };
  },
} satisfies Partial<Queries>;

export const Mutation = {
  createRegistration: async ({ input }, context) => {
    const { id } = await runOnce(context, 'createRegistration', input, async () => {
      await requireFuture(context.sql, 'input.secretExpiresAt', input.secretExpiresAt);
      const registrationId = await insertRegistration(context.sql, input, (id) =>
        context.sealInbox(input.clientSecret, associatedData.clientSecret(id)),
      );
      await updateRegistration(context.sql, registrationId, { secretExpiresAt: input.secretExpiresAt });
      return registrationId;
    });
    context.about(id);
    return await getRegistration(context, id);
  },

  rotateRegistrationSecret: onRegistration(async ({ id, clientSecret, secretExpiresAt }, context, { provider }) => {
    const { sql, sealInbox, correlationId } = context;
    await requireFuture(sql, 'secretExpiresAt', secretExpiresAt);
    const sealed = await sealInbox(clientSecret, associatedData.clientSecret(id));
    await store.updateRegistrationSecret(sql, id, { sealed, expiresAt: secretExpiresAt });
    // Not only after the test: the answers of some platforms to it prove nothing.
    await retryJobsOfClient(sql, id, await getBusinessTime(sql));
    await insertDispatch(sql, buildDispatch('clientProbe', { registrationId: id, provider, correlationId }));
  }),

  deleteRegistration: async ({ id }, context) => {
    const { label } = await getRegistration(context, id);
    if (!(await deleteUnusedRegistration(context.sql, id))) {
      throw new ServiceError(
        'BAD_USER_INPUT',
        'This registration serves an app, or people have connected through it: pause it. Only an unused one can be deleted.',
      );
    }
    context.changed({ label }, {});
    return true;
  },

  pauseRegistration: async ({ id, dryRun }, context) => {
    await getRegistration(context, id);
    return await touching(context, { id, appId: null, dryRun }, () => store.updatePaused(context.sql, id, true));
  },

  resumeRegistration: onRegistration(({ id }, { sql }) => store.updatePaused(sql, id, false)),

  testRegistration: onRegistration(async ({ id: registrationId }, { sql, correlationId }, registration) => {
    const recent = await releaseProbe(sql, registrationId);
    if (recent !== undefined) throw createTooSoonError(registration, recent);
    const { provider } = registration;
    await insertDispatch(sql, buildDispatch('clientProbe', { registrationId, provider, correlationId }));
  }),

  retryRegistration: onRegistration(async ({ id }, { sql }) => {
    await believePlatform(sql, id);
    if (await deleteRejection(sql, id)) await retryJobsOfClient(sql, id, await getBusinessTime(sql));
  }),

  clearSpentQuota: onRegistration(({ id }, { sql }) => deleteQuotaSpent(sql, id)),

  setDailyQuota: onRegistration(async ({ id, units }, { facts, sql }, { provider }) => {
    requireDailyQuota('units', facts[provider]);
    await updateRegistration(sql, id, { dailyQuota: units });
  }),

  setDisconnectAfter: onRegistration(async ({ id, days }, { facts, sql }, { provider }) => {
    requireDisconnectAfter('days', facts[provider], days);
    await updateRegistration(sql, id, { disconnectAfterDays: days });
  }),

  setRegistrationPermissions: onRegistration(async ({ id, permissions }, { facts, sql }, { provider }) => {
    if (permissions !== null) requirePermissions('permissions', facts[provider], permissions);
    await updateRegistration(sql, id, { permissions });
  }),

  serveApp: async ({ registrationId, appId }, context) => {
    await requireApp(context, appId);
    return await showChange(context, registrationId, () => insertRegistrationApp(context.sql, registrationId, appId));
  },

  stopServingApp: async ({ registrationId: id, appId, dryRun }, context) => {
    await getRegistration(context, id);
    await requireApp(context, appId);
    return await touching(context, { id, appId, dryRun }, async () => {
      if (!(await store.deleteRegistrationApp(context.sql, id, appId)))
        throw createNotFoundError('service of this app');
    });
  },

  createIdentityIssuer: async ({ input }, context) => {
    requireHttpsInProduction(context.config.DEPLOYMENT, 'input.issuer', input.issuer);
    const { id } = await runOnce(context, 'createIdentityIssuer', input, async () => {
      await requireFuture(context.sql, 'input.secretExpiresAt', input.secretExpiresAt);
      const tokenAuthMethod = TOKEN_AUTH_METHODS[input.tokenAuthMethod];
      return await insertIssuer(context.sql, { ...input, tokenAuthMethod }, (id) =>
        context.sealInbox(input.clientSecret, associatedData.issuerSecret(id)),
      );
    });
    context.about(id);
    return await getIssuer(context, id);
  },

  deleteIdentityIssuer: async ({ id }, context) => {
    const { issuer } = await getIssuer(context, id);
    if (!(await deleteUnusedIssuer(context.sql, id))) {
      throw new ServiceError(
        'BAD_USER_INPUT',
        'An app uses this issuer, or people signed in with it within the last minutes. Only an unused one can be deleted.',
      );
    }
    context.changed({ issuer }, {});
    return true;
  },

  rotateIdentityIssuerSecret: async ({ id, clientSecret, secretExpiresAt }, context) => {
    await getIssuer(context, id);
    await requireFuture(context.sql, 'secretExpiresAt', secretExpiresAt);
    const sealed = await context.sealInbox(clientSecret, associatedData.issuerSecret(id));
    await updateIssuerSecret(context.sql, id, { sealed, expiresAt: secretExpiresAt });
    return await getIssuer(context, id);
  },
} satisfies Partial<Mutations>;
