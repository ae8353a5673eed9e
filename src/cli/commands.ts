import { z } from 'zod';
import * as rules from '../domain/operating/input-rules.ts';
import { capabilityList } from '../domain/operating/input-rules.ts';
import { ServiceError } from '../errors.ts';
import { type AppId, type CallbackSecretId, type IssuerId, type KeyId, newId, type RegistrationId } from '../ids.ts';
import { deleteCallbackSecret, insertCallbackSecret } from '../store/platform-callbacks.ts';
import { deleteQuotaSpent, deleteRejection } from '../store/registrations.ts';
import {
  findProviderOfRegistration,
  insertApp,
  insertIssuer,
  insertLaunchOrigin,
  insertRegistration,
  insertRegistrationApp,
  insertReturnUrl,
  insertTenant,
  issueKey,
  revokeKey,
  updateDailyQuota,
  updateIdentitySettings,
  updatePolicy,
} from '../store/setup.ts';
import { associatedData } from '../vault/associated-data.ts';
import { type CliCommand, command, future, id, provider, type Row } from './command.ts';

export type Command = CliCommand<Row>;

/** A number, or the word `default`, which is null. */
const orStandard = (number: z.ZodType<number, number>) =>
  z
    .string()
    .transform((text) => (text === 'default' ? null : Number(text)))
    .pipe(number.nullable());

/** Everything an operator sets up from the shell; the admin API does the same. */
export const COMMANDS: Readonly<Record<string, Command>> = {
  'app create': command(
    'app create --name NAME',
    'Register a customer application',
    { name: rules.appName },
    async ({ name }, { sql }) => ({
      appId: await insertApp(sql, name),
    }),
  ),
  'tenant add': command(
    'tenant add --app APP_ID --key TENANT_KEY',
    'Register a tenant of an app',
    { app: id<AppId>(), key: rules.tenantKey },
    async ({ app, key }, { sql }) => {
      await insertTenant(sql, app, key);
      return { tenantKey: key };
    },
  ),
  'return-url add': command(
    'return-url add --app APP_ID --url URL',
    'Register where browsers go back to',
    { app: id<AppId>(), url: rules.returnUrl },
    async ({ app, url }, { deployment, sql }) => {
      rules.requireHttpsInProduction(deployment, '--url', url);
      await insertReturnUrl(sql, app, url);
      return { returnUrl: url };
    },
  ),
  'launch-origin add': command(
    'launch-origin add --app APP_ID --origin ORIGIN',
    'Register an origin, besides those of the return URLs, whose pages may launch',
    { app: id<AppId>(), origin: rules.launchOrigin },
    async ({ app, origin }, { deployment, sql }) => {
      rules.requireHttpsInProduction(deployment, '--origin', origin);
      await insertLaunchOrigin(sql, app, origin);
      return { origin };
    },
  ),
  'policy set': command(
    'policy set --app APP_ID --provider PROVIDER [--capability CAPABILITY …] [--quota-percent PERCENT|default]',
    'Say what an app may ask for at a provider, and the most of the daily quota that it may use; no capability forbids the provider',
    {
      app: id<AppId>(),
      provider,
      capability: capabilityList.default([]),
      'quota-percent': orStandard(rules.quotaPercent).optional(),
    },
    async (options, { sql }) => {
      const policy = { capabilities: options.capability, quotaPercent: options['quota-percent'] };
      await updatePolicy(sql, options.app, options.provider, policy);
      const { provider, capability: capabilities, 'quota-percent': quotaPercent } = options;
      return { provider, capabilities, ...(quotaPercent === undefined ? {} : { quotaPercent }) };
    },
  ),
  'registration quota': command(
    'registration quota --registration REGISTRATION_ID --calls UNITS|default',
    "Say how many units a day the provider has granted the client, which apps' shares are counted from",
    { registration: id<RegistrationId>(), calls: orStandard(rules.dailyQuota) },
    async ({ registration, calls }, { sql }) => {
      const asked = await findProviderOfRegistration(sql, registration);
      if (asked === undefined) throw new ServiceError('NOT_FOUND', 'There is no such registration.');
      rules.requireDailyQuota('--calls', asked);
      await updateDailyQuota(sql, registration, calls);
      return { registrationId: registration, calls };
    },
  ),
  'registration create': command(
    'registration create --provider PROVIDER --label LABEL --client-id ID   (secret on standard input)',
    'Store our OAuth client at a provider',
    { provider, label: rules.registrationLabel, 'client-id': rules.clientId },
    async (options, deps) => {
      const secret = await deps.readSecret('Client secret: ');
      const registration = { provider: options.provider, label: options.label, clientId: options['client-id'] };
      const registrationId = await insertRegistration(deps.sql, registration, (registrationId) =>
        deps.sealInbox(secret, associatedData.clientSecret(registrationId)),
      );
      return { registrationId };
    },
  ),
  'registration serve': command(
    'registration serve --registration REGISTRATION_ID --app APP_ID',
    'Let a registration serve an app',
    { registration: id<RegistrationId>(), app: id<AppId>() },
    async ({ registration, app }, { sql }) => {
      await insertRegistrationApp(sql, registration, app);
      return { registrationId: registration, appId: app };
    },
  ),
  'registration retry': command(
    'registration retry --registration REGISTRATION_ID',
    'Use a registration again that its provider has refused, once that has been mended',
    { registration: id<RegistrationId>() },
    async ({ registration }, { sql }) => {
      if (!(await deleteRejection(sql, registration))) {
        throw new ServiceError('NOT_FOUND', 'There is no such registration that has been refused.');
      }
      return { registrationId: registration };
    },
  ),
  'registration clear-quota': command(
    'registration clear-quota --registration REGISTRATION_ID',
    'Read with a registration again whose quota was used up, before it resets: it has been raised',
    { registration: id<RegistrationId>() },
    async ({ registration }, { sql }) => {
      if (!(await deleteQuotaSpent(sql, registration))) {
        throw new ServiceError('NOT_FOUND', 'There is no such registration whose quota is used up.');
      }
      return { registrationId: registration };
    },
  ),
  'callback-secret add': command(
    'callback-secret add --registration REGISTRATION_ID   (secret on standard input)',
    'Store a secret with which the platform signs what it tells us of its own accord',
    { registration: id<RegistrationId>() },
    async ({ registration }, { sql, sealEdge, readSecret }) => {
      if (!sealEdge) throw new ServiceError('BAD_USER_INPUT', 'VAULT_EDGE_KEYS is not set: it seals this secret.');
      const secretId = newId<CallbackSecretId>();
      const sealedSecret = await sealEdge(
        await readSecret('Callback secret: '),
        associatedData.callbackSecret(secretId),
      );
      if (!(await insertCallbackSecret(sql, { secretId, registrationId: registration, sealedSecret }))) {
        throw new ServiceError('NOT_FOUND', 'There is no such registration.');
      }
      return { callbackSecretId: secretId };
    },
  ),
  'callback-secret remove': command(
    'callback-secret remove --callback-secret CALLBACK_SECRET_ID',
    'Take a secret of the platform’s callbacks back, at once',
    { 'callback-secret': id<CallbackSecretId>() },
    async ({ 'callback-secret': secretId }, { sql }) => {
      if (!(await deleteCallbackSecret(sql, secretId))) {
        throw new ServiceError('NOT_FOUND', 'There is no such callback secret.');
      }
      return { callbackSecretId: secretId };
    },
  ),
  'issuer create': command(
    'issuer create --issuer URL --client-id ID [--auth client_secret_post|client_secret_basic]   (secret on standard input)',
    'Store our client at an OpenID provider',
    {
      issuer: rules.issuerUrl,
      'client-id': rules.clientId,
      auth: z.enum(['client_secret_post', 'client_secret_basic']).default('client_secret_basic'),
    },
    async (options, deps) => {
      rules.requireHttpsInProduction(deps.deployment, '--issuer', options.issuer);
      const secret = await deps.readSecret('Client secret: ');
      const issuer = { issuer: options.issuer, clientId: options['client-id'], tokenAuthMethod: options.auth };
      const issuerId = await insertIssuer(deps.sql, issuer, (issuerId) =>
        deps.sealInbox(secret, associatedData.issuerSecret(issuerId)),
      );
      return { issuerId };
    },
  ),
  'identity set': command(
    'identity set --app APP_ID --issuer ISSUER_ID --return-url URL',
    'Let an app sign people in',
    { app: id<AppId>(), issuer: id<IssuerId>(), 'return-url': rules.returnUrl },
    async (options, { deployment, sql }) => {
      rules.requireHttpsInProduction(deployment, '--return-url', options['return-url']);
      await updateIdentitySettings(sql, options.app, options.issuer, options['return-url']);
      return { issuerId: options.issuer };
    },
  ),
  'key issue': command(
    'key issue --app APP_ID [--expires ISO_8601]',
    'Issue a key; it is shown once',
    { app: id<AppId>(), expires: future.optional() },
    async ({ app, expires }, { sql }) => {
      const issued = await issueKey(sql, app, expires ?? null);
      return { keyId: issued.keyId, key: issued.key };
    },
  ),
  'key revoke': command(
    'key revoke --key KEY_ID',
    'End a key at once',
    { key: id<KeyId>() },
    async ({ key }, { sql }) => {
      if (!(await revokeKey(sql, key))) throw new ServiceError('NOT_FOUND', 'There is no such active key.');
      return { keyId: key };
    },
  ),
};
