import { z } from 'zod';
import { CAPABILITIES } from '../basics/codes.ts';
import { ServiceError } from '../basics/errors.ts';
import {
  type AppId,
  type CallbackSecretId,
  type IssuerId,
  type KeyId,
  newId,
  type RegistrationId,
} from '../basics/ids.ts';
import * as rules from '../domain/rules/input-rules.ts';
import { capabilityList } from '../domain/rules/input-rules.ts';
import { MAX_LOGO_BYTES } from '../domain/rules/read-logo.ts';
import { choosePermissions } from '../providers/facts.ts';
import { insertLaunchOrigin, insertReturnUrl } from '../store/apps/addresses.ts';
import { insertApp } from '../store/apps/apps.ts';
import { deleteLogo, updateBranding, updateLogo } from '../store/apps/branding.ts';
import { issueKey, revokeKey } from '../store/apps/keys.ts';
import { updatePolicy } from '../store/apps/policies.ts';
import { insertTenant } from '../store/apps/tenants.ts';
import { updateRefreshPercent, updateRefreshPolicy } from '../store/connections/automatic-refresh.ts';
import { believePlatform } from '../store/connections/downgrades.ts';
import { deleteCallbackSecret, insertCallbackSecret } from '../store/erasures/platform-callbacks.ts';
import { updateIdentitySettings } from '../store/issuers/identity-settings.ts';
import { insertIssuer } from '../store/issuers/issuers.ts';
import {
  deleteQuotaSpent,
  deleteRejection,
  findProviderOfRegistration,
  insertRegistration,
  insertRegistrationApp,
  updateDailyQuota,
} from '../store/registrations/registrations.ts';
import { updatePermissions } from '../store/setup.ts';
import { associatedData } from '../vault/associated-data.ts';
import { type CliCommand, command, future, id, provider, type Row } from './command.ts';
import { readSmallFile } from './read-small-file.ts';

export type Command = CliCommand<Row>;

/** A number, or the word `default`, which means null. */
const orStandard = (number: z.ZodType<number, number>) =>
  z
    .string()
    .transform((text) => (text === 'default' ? null : Number(text)))
    .pipe(number.nullable());

/** The rule, or the word `default`, which means null. */
const orDefault = <Value>(rule: z.ZodType<Value, string>) =>
  z
    .string()
    .transform((text) => (text === 'default' ? null : text))
    .pipe(rule.nullable());

/** The commands with which an operator sets up the service; the admin API offers the same. */
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
    'Register a URL that browsers return to',
    { app: id<AppId>(), url: rules.returnUrl },
    async ({ app, url }, { deployment, sql }) => {
      rules.requireHttpsInProduction(deployment, '--url', url);
      await insertReturnUrl(sql, app, url);
      return { returnUrl: url };
    },
  ),
  'launch-origin add': command(
    'launch-origin add --app APP_ID --origin ORIGIN',
    'Register an origin, besides those of the return URLs, whose pages may post a launch token',
    { app: id<AppId>(), origin: rules.launchOrigin },
    async ({ app, origin }, { deployment, sql }) => {
      rules.requireHttpsInProduction(deployment, '--origin', origin);
      await insertLaunchOrigin(sql, app, origin);
      return { origin };
    },
  ),
  'branding set': command(
    'branding set --app APP_ID [--color #RRGGBB|default] [--language en|de|fr|es|pt-BR|default]',
    "Set the color and the language of an app's pages; by default they have the service's color and the browser's language",
    {
      app: id<AppId>(),
      color: orDefault(rules.pageColor).optional(),
      language: orDefault(rules.pageLanguage).optional(),
    },
    async ({ app, ...branding }, { sql }) => {
      const updated = await updateBranding(sql, app, branding);
      if (updated === undefined) throw new ServiceError('NOT_FOUND', 'There is no such app.');
      return { appId: app, ...updated };
    },
  ),
  'logo set': command(
    'logo set --app APP_ID --file FILE',
    "Set the logo on an app's pages: a PNG or WebP of at most 32 KiB, 16 to 1024 pixels wide and high",
    { app: id<AppId>(), file: z.string() },
    async ({ app, file }, { sql }) => {
      const { data: logo, error } = rules.logo.safeParse(await readSmallFile('file', file, MAX_LOGO_BYTES));
      if (logo === undefined) throw new ServiceError('BAD_USER_INPUT', `--file ${error?.issues[0]?.message}.`);
      await updateLogo(sql, app, logo);
      return { appId: app, mediaType: logo.mediaType, width: logo.width, height: logo.height };
    },
  ),
  'logo remove': command(
    'logo remove --app APP_ID',
    "Remove the logo from an app's pages",
    { app: id<AppId>() },
    async ({ app }, { sql }) => {
      if (!(await deleteLogo(sql, app))) throw new ServiceError('NOT_FOUND', 'The app has no logo.');
      return { appId: app };
    },
  ),
  'policy set': command(
    'policy set --app APP_ID --provider PROVIDER [--capability CAPABILITY …] [--quota-percent PERCENT|default]',
    'Set the capabilities an app may request at a provider, and its share of the daily quota; without a capability the app may not use the provider',
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
  'policy refresh': command(
    'policy refresh --app APP_ID --provider PROVIDER --minutes MINUTES|off [--days DAYS] [--posts POSTS]',
    "Refresh the posts and metrics of an app's connections at an interval in minutes, at least 15: the newest posts of the last days",
    {
      app: id<AppId>(),
      provider,
      minutes: z
        .string()
        .transform((text) => (text === 'off' ? null : Number(text)))
        .pipe(rules.refreshMinutes.nullable()),
      days: z.coerce.number().pipe(rules.refreshDays).default(7),
      posts: z.coerce.number().pipe(rules.refreshPosts).default(100),
    },
    async ({ app, provider, minutes, days, posts }, { sql }) => {
      const policy = { everyMinutes: minutes, windowDays: days, newestPosts: posts };
      if (!(await updateRefreshPolicy(sql, app, provider, policy))) {
        throw new ServiceError('NOT_FOUND', 'The app may not use the provider: set its policy first.');
      }
      return { provider, minutes, days, posts };
    },
  ),
  'registration refresh-share': command(
    'registration refresh-share --registration REGISTRATION_ID --percent PERCENT',
    "Set the largest part of a registration's daily quota and rate limit that automatic refreshes may use",
    { registration: id<RegistrationId>(), percent: z.coerce.number().pipe(rules.quotaPercent) },
    async ({ registration, percent }, { sql }) => {
      if (!(await updateRefreshPercent(sql, registration, percent))) {
        throw new ServiceError('NOT_FOUND', 'There is no such registration.');
      }
      return { registrationId: registration, percent };
    },
  ),
  'registration quota': command(
    'registration quota --registration REGISTRATION_ID --units UNITS|default',
    "Set the daily quota that the provider has granted the client; apps' shares are percentages of it",
    { registration: id<RegistrationId>(), units: orStandard(rules.dailyQuota) },
    async ({ registration, units }, { sql, facts }) => {
      const asked = await findProviderOfRegistration(sql, registration);
      if (asked === undefined) throw new ServiceError('NOT_FOUND', 'There is no such registration.');
      rules.requireDailyQuota('--units', facts[asked]);
      await updateDailyQuota(sql, registration, units);
      return { registrationId: registration, units };
    },
  ),
  'registration permissions': command(
    'registration permissions --registration REGISTRATION_ID [--permission NAME …]',
    'Set the permissions that the client asks people for, in the words of its provider; without any, all that the service uses',
    { registration: id<RegistrationId>(), permission: rules.permissionList.optional() },
    async ({ registration, permission = null }, { sql, facts }) => {
      const asked = await findProviderOfRegistration(sql, registration);
      if (asked === undefined) throw new ServiceError('NOT_FOUND', 'There is no such registration.');
      if (permission !== null) rules.requirePermissions('--permission', facts[asked], permission);
      await updatePermissions(sql, registration, permission);
      const permissions = choosePermissions(facts[asked], CAPABILITIES, permission);
      const capabilities = CAPABILITIES.filter((capability) => facts[asked].isGranted(capability, permissions));
      return { registrationId: registration, permissions, capabilities };
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
    'Assign a registration to an app',
    { registration: id<RegistrationId>(), app: id<AppId>() },
    async ({ registration, app }, { sql }) => {
      await insertRegistrationApp(sql, registration, app);
      return { registrationId: registration, appId: app };
    },
  ),
  'registration retry': command(
    'registration retry --registration REGISTRATION_ID',
    'Retry a registration that its provider refused, after you have fixed the cause, or whose platform refused many accounts',
    { registration: id<RegistrationId>() },
    async ({ registration }, { sql }) => {
      const ended = await Promise.all([deleteRejection(sql, registration), believePlatform(sql, registration)]);
      if (!ended.includes(true)) {
        throw new ServiceError(
          'NOT_FOUND',
          'There is no such registration whose client or accounts its provider refuses.',
        );
      }
      return { registrationId: registration };
    },
  ),
  'registration clear-quota': command(
    'registration clear-quota --registration REGISTRATION_ID',
    'Use a registration again before its quota resets, after the provider has raised the quota',
    { registration: id<RegistrationId>() },
    async ({ registration }, { sql }) => {
      if (!(await deleteQuotaSpent(sql, registration))) {
        throw new ServiceError('NOT_FOUND', 'There is no such registration with a used-up quota.');
      }
      return { registrationId: registration };
    },
  ),
  'callback-secret add': command(
    'callback-secret add --registration REGISTRATION_ID   (secret on standard input)',
    'Store a secret with which the platform signs its callbacks',
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
    'Remove a secret of the platform’s callbacks; it stops working at once',
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
    'Set the issuer at which an app signs people in',
    { app: id<AppId>(), issuer: id<IssuerId>(), 'return-url': rules.returnUrl },
    async (options, { deployment, sql }) => {
      rules.requireHttpsInProduction(deployment, '--return-url', options['return-url']);
      await updateIdentitySettings(sql, options.app, options.issuer, options['return-url']);
      return { issuerId: options.issuer };
    },
  ),
  'key issue': command(
    'key issue --app APP_ID [--label TEXT] [--expires ISO_8601]',
    'Issue a key; this shows it once',
    { app: id<AppId>(), label: rules.keyLabel.optional(), expires: future.optional() },
    async ({ app, label, expires }, { sql }) => {
      const issued = await issueKey(sql, app, expires ?? null, label ?? null);
      return { keyId: issued.keyId, key: issued.key };
    },
  ),
  'key revoke': command(
    'key revoke --key KEY_ID',
    'Revoke a key at once',
    { key: id<KeyId>() },
    async ({ key }, { sql }) => {
      if (!(await revokeKey(sql, key))) throw new ServiceError('NOT_FOUND', 'There is no such active key.');
      return { keyId: key };
    },
  ),
};
