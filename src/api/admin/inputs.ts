import { z } from 'zod';
import { DELIVERY_STATUSES, PROVIDER_NAMES, SENT_EVENT_TYPES, WEBHOOK_EVENT_TYPES } from '../../basics/codes.ts';
import {
  type AdminTokenId,
  type AppId,
  type AttemptId,
  asId,
  type BulkDisconnectId,
  type CallbackSecretId,
  type ConnectionId,
  type CorrelationId,
  type ErasureId,
  type IssuerId,
  type JobId,
  type KeyId,
  type RegistrationId,
  type UnknownAnswerId,
  type WebhookDeliveryId,
  type WebhookEndpointId,
  type WebhookSecretId,
} from '../../basics/ids.ts';
import * as rules from '../../domain/rules/input-rules.ts';
import { capabilityList, text, textOf } from '../../domain/rules/input-rules.ts';
import { orDefault, orNull } from '../inputs.ts';

/** A string that is not a UUID becomes undefined, and is answered like an unknown id. */
const id = <T extends string>() => z.string().transform((value) => asId(value) as T | undefined);
/** A filter by a string that is not a UUID matches no row. */
const filterId = <T extends string>() =>
  orNull(z.string()).transform((value) => (value === null ? null : (asId(value) ?? NOTHING)) as T | null);
const NOTHING = '00000000-0000-0000-0000-000000000000';

const first = (value: number) => orDefault(z.int().min(1, 'must be 1 to 100').max(100, 'must be 1 to 100'), value);
const after = orNull(text);
const dryRun = z
  .boolean()
  .nullish()
  .transform((value) => value ?? false);
const provider = z.enum(PROVIDER_NAMES);
const rate = z.int().min(1, 'must be 1 to 100000').max(100_000, 'must be 1 to 100000');
const secretExpiresAt = orNull(rules.future);
const idempotencyKey = orNull(textOf(100));

export const AppArgs = z.object({ id: id<AppId>() });
export const TenantsArgs = z.object({ appId: id<AppId>(), first: first(50), after });
export const RegistrationArgs = z.object({ id: id<RegistrationId>() });
export const ConnectionArgs = z.object({ id: id<ConnectionId>() });
export const AttemptArgs = z.object({ id: id<AttemptId>() });
export const JobArgs = z.object({ id: id<JobId>() });
export const KeyArgs = z.object({ id: id<KeyId>() });
export const TokenArgs = z.object({ id: id<AdminTokenId>() });
export const FindArgs = z.object({ text: textOf(500) });
export const ErasuresArgs = z.object({ first: first(20), after });
export const LiveStateArgs = z.object({ id: id<string>() });
export const BulkDisconnectArgs = z.object({ id: id<BulkDisconnectId>() });
export const ErasureArgs = z.object({ id: id<ErasureId>() });
export const ProofArgs = z.object({ connectionId: id<ConnectionId>() });
export const VerifyProofArgs = z.object({ document: text.max(10_000), signature: text.max(200) });
export const PermissionsArgs = z.object({ id: id<RegistrationId>(), permissions: orNull(rules.permissionList) });
export const UnknownAnswersArgs = z.object({ provider: orNull(provider), first: first(20), after });
export const UnknownAnswerArgs = z.object({ id: id<UnknownAnswerId>() });
export const ExpiringArgs = z.object({
  withinDays: orDefault(z.int().min(1, 'must be 1 to 365').max(365, 'must be 1 to 365'), 30),
});

/** An app, a tenant of it, and a subject of that. Use it with `nestPeople`. */
const people = { appId: filterId<AppId>(), tenantKey: orNull(text), externalSubjectId: orNull(text) };
type People = Readonly<Record<keyof typeof people, string | null>>;

function nestPeople({ appId, tenantKey, externalSubjectId }: People, check: z.RefinementCtx): void {
  const report = (name: keyof People, outer: keyof People) =>
    check.addIssue({ code: 'custom', message: `must come with ${outer}`, path: [name] });
  if (tenantKey !== null && appId === null) report('tenantKey', 'appId');
  if (externalSubjectId !== null && tenantKey === null) report('externalSubjectId', 'tenantKey');
}

const connectionFilter = z
  .object({
    ...people,
    provider: orNull(provider),
    registrationId: filterId<RegistrationId>(),
    statuses: orNull(z.array(z.enum(['CONNECTED', 'SUSPENDED', 'RECONNECT_REQUIRED', 'DISCONNECTED', 'DELETING']))),
  })
  .superRefine(nestPeople);
const attemptFilter = z.object({
  appId: filterId<AppId>(),
  provider: orNull(provider),
  registrationId: filterId<RegistrationId>(),
  statuses: orNull(
    z.array(z.enum(['CREATED', 'AUTHORIZING', 'EXCHANGING', 'COMPLETED', 'DENIED', 'FAILED', 'EXPIRED', 'CANCELED'])),
  ),
  connectionId: filterId<ConnectionId>(),
  resultCode: orNull(text),
  since: orNull(z.date()),
  before: orNull(z.date()),
});
const jobFilter = z.object({
  appId: filterId<AppId>(),
  provider: orNull(provider),
  connectionId: filterId<ConnectionId>(),
  kinds: orNull(z.array(z.enum(['SCAN', 'METRICS', 'LOOKUP', 'REVOKE', 'ERASE', 'COMPENSATION']))),
  statuses: orNull(z.array(z.enum(['QUEUED', 'RUNNING', 'SUCCEEDED', 'FAILED', 'CANCELED']))),
  lastFailure: orNull(text),
  neverFailed: orNull(z.boolean()),
  stuck: orNull(z.boolean()),
  endedSince: orNull(z.date()),
  endedBefore: orNull(z.date()),
});
const deliveryFilter = z.object({
  appId: filterId<AppId>(),
  endpointId: filterId<WebhookEndpointId>(),
  status: orNull(z.enum(DELIVERY_STATUSES)),
  eventType: orNull(z.enum(SENT_EVENT_TYPES, 'must be a type of event')),
  connectionId: filterId<ConnectionId>(),
  since: orNull(z.date()),
  before: orNull(z.date()),
  lastFailure: orNull(text),
});
const appFilter = z.object({ search: orNull(textOf(200)) });
const auditFilter = z
  .object({
    ...people,
    actor: orNull(text),
    action: orNull(text),
    target: orNull(text),
    outcome: orNull(text),
    correlationId: filterId<CorrelationId>(),
  })
  .superRefine(nestPeople)
  .refine(({ appId, target }) => appId === null || target === null, {
    message: 'must not come with target',
    path: ['appId'],
  });

/** A filter left out is one that leaves all in. */
const orEmpty = <Schema extends z.ZodType>(schema: Schema) =>
  schema.nullish().transform((given) => given ?? schema.parse({}));

export const AppsArgs = z.object({ filter: orEmpty(appFilter), first: first(20), after });
export const ConnectionsArgs = z.object({ filter: orEmpty(connectionFilter), first: first(20), after });
export const AttemptsArgs = z.object({ filter: orEmpty(attemptFilter), first: first(20), after });
export const JobsArgs = z.object({ filter: orEmpty(jobFilter), first: first(20), after });
export const WebhookDeliveriesArgs = z.object({ filter: orEmpty(deliveryFilter), first: first(20), after });
export const StuckWorkArgs = z.object({ filter: orEmpty(jobFilter), first: first(20) });
export const EndedWorkArgs = z.object({
  period: z.enum(['DAY', 'MONTH']),
  appId: filterId<AppId>(),
  provider: orNull(provider),
});
export const AuditArgs = z.object({ filter: orEmpty(auditFilter), first: first(50), after });

export const CreateAppArgs = z.object({
  input: z.object({ name: rules.appName, requestsPerSecond: orDefault(rate, 500), idempotencyKey }),
});
export const ChangeAppArgs = z.object({
  id: id<AppId>(),
  name: orNull(rules.appName),
  requestsPerSecond: orNull(rate),
});
export const BrandingArgs = z.object({
  appId: id<AppId>(),
  color: rules.pageColor.nullish(),
  language: rules.pageLanguage.nullish(),
});
export const LogoArgs = z.object({ appId: id<AppId>(), image: rules.logoInBase64 });
export const RemoveLogoArgs = z.object({ appId: id<AppId>() });
export const IssueKeyArgs = z.object({
  input: z.object({
    appId: id<AppId>(),
    expiresAt: orNull(rules.future),
    label: orNull(rules.keyLabel),
    idempotencyKey,
  }),
});
export const ChangeKeyArgs = z.object({ id: id<KeyId>(), label: orNull(rules.keyLabel) });
export const TenantArgs = z.object({ appId: id<AppId>(), tenantKey: rules.tenantKey });
export const RemoveTenantArgs = z.object({
  appId: id<AppId>(),
  tenantKey: text,
  connections: z.enum(['KEEP', 'DISCONNECT_ALL']),
  dryRun,
});
export const AddReturnUrlArgs = z.object({ appId: id<AppId>(), url: rules.returnUrl });
export const RemoveReturnUrlArgs = z.object({ appId: id<AppId>(), url: text });
export const AddLaunchOriginArgs = z.object({ appId: id<AppId>(), origin: rules.launchOrigin });
export const RemoveLaunchOriginArgs = z.object({ appId: id<AppId>(), origin: text });
export const PolicyArgs = z.object({
  appId: id<AppId>(),
  provider,
  capabilities: capabilityList,
  quotaPercent: rules.quotaPercent.nullable().optional(),
});
export const RefreshPolicyArgs = z.object({
  appId: id<AppId>(),
  provider,
  refreshMinutes: orNull(rules.refreshMinutes),
  refreshDays: orDefault(rules.refreshDays, 7),
  refreshPosts: orDefault(rules.refreshPosts, 100),
});
export const RefreshShareArgs = z.object({ registrationId: id<RegistrationId>(), percent: rules.quotaPercent });
export const DailyQuotaArgs = z.object({ id: id<RegistrationId>(), units: orNull(rules.dailyQuota) });
export const IdentityArgs = z.object({
  appId: id<AppId>(),
  issuerId: id<IssuerId>(),
  returnUrl: rules.returnUrl,
  enabled: z
    .boolean()
    .nullish()
    .transform((value) => value ?? true),
});
export const CreateRegistrationArgs = z.object({
  input: z.object({
    provider,
    label: rules.registrationLabel,
    clientId: rules.clientId,
    clientSecret: rules.secret,
    secretExpiresAt,
    idempotencyKey,
  }),
});
export const RotateRegistrationArgs = z.object({
  id: id<RegistrationId>(),
  clientSecret: rules.secret,
  secretExpiresAt,
});
export const AddCallbackSecretArgs = z.object({
  registrationId: id<RegistrationId>(),
  secret: rules.secret,
  idempotencyKey,
});
export const CallbackSecretArgs = z.object({ id: id<CallbackSecretId>() });
export const PauseArgs = z.object({ id: id<RegistrationId>(), dryRun });
export const ServeArgs = z.object({ registrationId: id<RegistrationId>(), appId: id<AppId>() });
export const StopServingArgs = ServeArgs.extend({ dryRun });
export const CreateIssuerArgs = z.object({
  input: z.object({
    issuer: rules.issuerUrl,
    clientId: rules.clientId,
    clientSecret: rules.secret,
    tokenAuthMethod: z
      .enum(['CLIENT_SECRET_POST', 'CLIENT_SECRET_BASIC'])
      .nullish()
      .transform((method) => (method === 'CLIENT_SECRET_POST' ? 'client_secret_post' : 'client_secret_basic')),
    secretExpiresAt,
    idempotencyKey,
  }),
});
export const RotateIssuerArgs = z.object({ id: id<IssuerId>(), clientSecret: rules.secret, secretExpiresAt });
export const WebhookEndpointsArgs = z.object({ appId: id<AppId>() });
export const TroubledWebhookEndpointsArgs = z.object({ first: first(20), after });
export const WebhookEndpointArgs = z.object({ id: id<WebhookEndpointId>() });
export const WebhookDeliveryArgs = z.object({ id: id<WebhookDeliveryId>() });
export const CreateWebhookEndpointArgs = z.object({
  input: z.object({
    appId: id<AppId>(),
    url: text,
    eventTypes: rules.webhookEventTypes.nullish().transform((types) => types ?? WEBHOOK_EVENT_TYPES),
    idempotencyKey,
  }),
});
export const ChangeWebhookEndpointArgs = z.object({
  id: id<WebhookEndpointId>(),
  url: orNull(text),
  eventTypes: orNull(rules.webhookEventTypes),
});
export const RotateWebhookSecretArgs = z.object({ id: id<WebhookEndpointId>(), idempotencyKey });
export const RetireWebhookSecretArgs = z.object({
  id: id<WebhookEndpointId>(),
  secretId: id<WebhookSecretId>(),
  afterHours: orDefault(rules.retireAfterHours, 0),
});
export const RedeliverWebhooksArgs = z.object({
  id: id<WebhookEndpointId>(),
  since: z.date(),
  failedOnly: z
    .boolean()
    .nullish()
    .transform((value) => value ?? true),
});
export const RetryJobsArgs = z.object({ filter: jobFilter, dryRun });
export const DisconnectAllArgs = z.object({
  input: z
    .object({ appId: orNull(z.string()), tenantKey: orNull(text), registrationId: orNull(z.string()) })
    .refine(
      ({ appId, tenantKey, registrationId }) =>
        registrationId === null ? appId !== null && tenantKey !== null : appId === null && tenantKey === null,
      { message: 'must name either appId and tenantKey, or registrationId' },
    ),
  dryRun,
});
const subject = z.object({ appId: id<AppId>(), tenantKey: text, externalSubjectId: text });
export const ExportSubjectArgs = z.object({ input: subject, after });
export const EraseSubjectArgs = z.object({
  input: subject,
  dryRun,
});
