// Generated from admin.graphql by `npm run codegen`; do not edit.
import { z } from 'zod';
import * as part from '../api/admin/arguments.ts';
import type { Capability, ConnectSessionStatus, ConnectionStatus, JobKind, JobStatus, SocialProvider, TenantConnections, TokenAuthMethod, WebhookDeliveryStatus, WorkPeriod } from './admin-schema.ts';

const AppFilter = part.input('AppFilter', { search: part.optional('AppFilter.search', part.string) });
const ConnectionFilter = part.input('ConnectionFilter', { appId: part.optional('ConnectionFilter.appId', part.id('appId')), provider: part.optional('ConnectionFilter.provider', part.code<SocialProvider>()), registrationId: part.optional('ConnectionFilter.registrationId', part.id('registrationId')), statuses: part.optional('ConnectionFilter.statuses', part.list(part.code<ConnectionStatus>())), tenantKey: part.optional('ConnectionFilter.tenantKey', part.string), externalSubjectId: part.optional('ConnectionFilter.externalSubjectId', part.string) });
const AttemptFilter = part.input('AttemptFilter', { appId: part.optional('AttemptFilter.appId', part.id('appId')), provider: part.optional('AttemptFilter.provider', part.code<SocialProvider>()), registrationId: part.optional('AttemptFilter.registrationId', part.id('registrationId')), statuses: part.optional('AttemptFilter.statuses', part.list(part.code<ConnectSessionStatus>())), connectionId: part.optional('AttemptFilter.connectionId', part.id('connectionId')), resultCode: part.optional('AttemptFilter.resultCode', part.string), since: part.optional('AttemptFilter.since', part.date), before: part.optional('AttemptFilter.before', part.date) });
const JobFilter = part.input('JobFilter', { appId: part.optional('JobFilter.appId', part.id('appId')), provider: part.optional('JobFilter.provider', part.code<SocialProvider>()), connectionId: part.optional('JobFilter.connectionId', part.id('connectionId')), kinds: part.optional('JobFilter.kinds', part.list(part.code<JobKind>())), statuses: part.optional('JobFilter.statuses', part.list(part.code<JobStatus>())), lastFailure: part.optional('JobFilter.lastFailure', part.string), neverFailed: part.optional('JobFilter.neverFailed', part.boolean), stuck: part.optional('JobFilter.stuck', part.boolean), endedSince: part.optional('JobFilter.endedSince', part.date), endedBefore: part.optional('JobFilter.endedBefore', part.date) });
const AuditFilter = part.input('AuditFilter', { actor: part.optional('AuditFilter.actor', part.string), action: part.optional('AuditFilter.action', part.string), target: part.optional('AuditFilter.target', part.string), appId: part.optional('AuditFilter.appId', part.id('appId')), tenantKey: part.optional('AuditFilter.tenantKey', part.string), externalSubjectId: part.optional('AuditFilter.externalSubjectId', part.string), outcome: part.optional('AuditFilter.outcome', part.string), correlationId: part.optional('AuditFilter.correlationId', part.id('correlationId')) });
const CreateAppInput = part.input('CreateAppInput', { name: part.required('CreateAppInput.name', part.string), requestsPerSecond: part.withDefault('CreateAppInput.requestsPerSecond', part.int, 500), idempotencyKey: part.optional('CreateAppInput.idempotencyKey', part.string) });
const IssueKeyInput = part.input('IssueKeyInput', { appId: part.required('IssueKeyInput.appId', part.id('appId')), expiresAt: part.optional('IssueKeyInput.expiresAt', part.date), label: part.optional('IssueKeyInput.label', part.string), idempotencyKey: part.optional('IssueKeyInput.idempotencyKey', part.string) });
const CreateRegistrationInput = part.input('CreateRegistrationInput', { provider: part.required('CreateRegistrationInput.provider', part.code<SocialProvider>()), label: part.required('CreateRegistrationInput.label', part.string), clientId: part.required('CreateRegistrationInput.clientId', part.string), clientSecret: part.required('CreateRegistrationInput.clientSecret', part.string), secretExpiresAt: part.optional('CreateRegistrationInput.secretExpiresAt', part.date), idempotencyKey: part.optional('CreateRegistrationInput.idempotencyKey', part.string) });
const CreateIdentityIssuerInput = part.input('CreateIdentityIssuerInput', { issuer: part.required('CreateIdentityIssuerInput.issuer', part.string), clientId: part.required('CreateIdentityIssuerInput.clientId', part.string), clientSecret: part.required('CreateIdentityIssuerInput.clientSecret', part.string), tokenAuthMethod: part.withDefault('CreateIdentityIssuerInput.tokenAuthMethod', part.code<TokenAuthMethod>(), 'CLIENT_SECRET_BASIC' as const), secretExpiresAt: part.optional('CreateIdentityIssuerInput.secretExpiresAt', part.date), idempotencyKey: part.optional('CreateIdentityIssuerInput.idempotencyKey', part.string) });
const CreateWebhookEndpointInput = part.input('CreateWebhookEndpointInput', { appId: part.required('CreateWebhookEndpointInput.appId', part.id('appId')), url: part.required('CreateWebhookEndpointInput.url', part.string), eventTypes: part.optional('CreateWebhookEndpointInput.eventTypes', part.list(part.string)), idempotencyKey: part.optional('CreateWebhookEndpointInput.idempotencyKey', part.string) });
const WebhookDeliveryFilter = part.input('WebhookDeliveryFilter', { appId: part.optional('WebhookDeliveryFilter.appId', part.id('appId')), endpointId: part.optional('WebhookDeliveryFilter.endpointId', part.id('endpointId')), status: part.optional('WebhookDeliveryFilter.status', part.code<WebhookDeliveryStatus>()), eventType: part.optional('WebhookDeliveryFilter.eventType', part.string), connectionId: part.optional('WebhookDeliveryFilter.connectionId', part.id('connectionId')), since: part.optional('WebhookDeliveryFilter.since', part.date), before: part.optional('WebhookDeliveryFilter.before', part.date), lastFailure: part.optional('WebhookDeliveryFilter.lastFailure', part.string) });
const DisconnectAllInput = part.input('DisconnectAllInput', { appId: part.optional('DisconnectAllInput.appId', part.id('appId')), tenantKey: part.optional('DisconnectAllInput.tenantKey', part.string), registrationId: part.optional('DisconnectAllInput.registrationId', part.id('registrationId')) });
const ExportSubjectInput = part.input('ExportSubjectInput', { appId: part.required('ExportSubjectInput.appId', part.id('appId')), tenantKey: part.required('ExportSubjectInput.tenantKey', part.string), externalSubjectId: part.required('ExportSubjectInput.externalSubjectId', part.string) });
const EraseSubjectInput = part.input('EraseSubjectInput', { appId: part.required('EraseSubjectInput.appId', part.id('appId')), tenantKey: part.required('EraseSubjectInput.tenantKey', part.string), externalSubjectId: part.required('EraseSubjectInput.externalSubjectId', part.string) });

/** Every operation's arguments, checked and completed. */
export const ARGUMENTS = {
  me: z.object({  }),
  service: z.object({  }),
  overview: z.object({  }),
  endedWork: z.object({ period: part.required('endedWork.period', part.code<WorkPeriod>()), appId: part.optional('endedWork.appId', part.id('appId')), provider: part.optional('endedWork.provider', part.code<SocialProvider>()) }),
  apps: z.object({ filter: part.filter(AppFilter), first: part.withDefault('apps.first', part.int, 20), after: part.optional('apps.after', part.string) }),
  app: z.object({ id: part.required('app.id', part.id('id')) }),
  tenants: z.object({ appId: part.required('tenants.appId', part.id('appId')), first: part.withDefault('tenants.first', part.int, 50), after: part.optional('tenants.after', part.string) }),
  registrations: z.object({  }),
  registration: z.object({ id: part.required('registration.id', part.id('id')) }),
  unknownAnswers: z.object({ provider: part.optional('unknownAnswers.provider', part.code<SocialProvider>()), first: part.withDefault('unknownAnswers.first', part.int, 20), after: part.optional('unknownAnswers.after', part.string) }),
  identityIssuers: z.object({  }),
  connections: z.object({ filter: part.filter(ConnectionFilter), first: part.withDefault('connections.first', part.int, 20), after: part.optional('connections.after', part.string) }),
  connection: z.object({ id: part.required('connection.id', part.id('id')) }),
  attempts: z.object({ filter: part.filter(AttemptFilter), first: part.withDefault('attempts.first', part.int, 20), after: part.optional('attempts.after', part.string) }),
  attempt: z.object({ id: part.required('attempt.id', part.id('id')) }),
  jobs: z.object({ filter: part.filter(JobFilter), first: part.withDefault('jobs.first', part.int, 20), after: part.optional('jobs.after', part.string) }),
  stuckWork: z.object({ filter: part.filter(JobFilter), first: part.withDefault('stuckWork.first', part.int, 20) }),
  job: z.object({ id: part.required('job.id', part.id('id')) }),
  liveState: z.object({ id: part.required('liveState.id', part.id('id')) }),
  bulkDisconnect: z.object({ id: part.required('bulkDisconnect.id', part.id('id')) }),
  bulkDisconnects: z.object({  }),
  erasure: z.object({ id: part.required('erasure.id', part.id('id')) }),
  webhookEventTypes: z.object({  }),
  webhookEndpoints: z.object({ appId: part.required('webhookEndpoints.appId', part.id('appId')) }),
  troubledWebhookEndpoints: z.object({ first: part.withDefault('troubledWebhookEndpoints.first', part.int, 20), after: part.optional('troubledWebhookEndpoints.after', part.string) }),
  webhookEndpoint: z.object({ id: part.required('webhookEndpoint.id', part.id('id')) }),
  webhookDeliveries: z.object({ filter: part.filter(WebhookDeliveryFilter), first: part.withDefault('webhookDeliveries.first', part.int, 20), after: part.optional('webhookDeliveries.after', part.string) }),
  webhookDelivery: z.object({ id: part.required('webhookDelivery.id', part.id('id')) }),
  erasures: z.object({ first: part.withDefault('erasures.first', part.int, 20), after: part.optional('erasures.after', part.string) }),
  find: z.object({ text: part.required('find.text', part.string) }),
  proofOfDeletion: z.object({ connectionId: part.required('proofOfDeletion.connectionId', part.id('connectionId')) }),
  verifyProofOfDeletion: z.object({ document: part.required('verifyProofOfDeletion.document', part.string), signature: part.required('verifyProofOfDeletion.signature', part.string) }),
  expiringCredentials: z.object({ withinDays: part.withDefault('expiringCredentials.withinDays', part.int, 30) }),
  auditLog: z.object({ filter: part.filter(AuditFilter), first: part.withDefault('auditLog.first', part.int, 50), after: part.optional('auditLog.after', part.string) }),
  auditChoices: z.object({  }),
  adminTokens: z.object({  }),
  createApp: z.object({ input: part.required('createApp.input', CreateAppInput) }),
  changeApp: z.object({ id: part.required('changeApp.id', part.id('id')), name: part.optional('changeApp.name', part.string), requestsPerSecond: part.optional('changeApp.requestsPerSecond', part.int) }),
  disableApp: z.object({ id: part.required('disableApp.id', part.id('id')) }),
  enableApp: z.object({ id: part.required('enableApp.id', part.id('id')) }),
  issueKey: z.object({ input: part.required('issueKey.input', IssueKeyInput) }),
  changeKey: z.object({ id: part.required('changeKey.id', part.id('id')), label: part.optional('changeKey.label', part.string) }),
  revokeKey: z.object({ id: part.required('revokeKey.id', part.id('id')) }),
  addTenant: z.object({ appId: part.required('addTenant.appId', part.id('appId')), tenantKey: part.required('addTenant.tenantKey', part.string) }),
  removeTenant: z.object({ appId: part.required('removeTenant.appId', part.id('appId')), tenantKey: part.required('removeTenant.tenantKey', part.string), connections: part.required('removeTenant.connections', part.code<TenantConnections>()), dryRun: part.withDefault('removeTenant.dryRun', part.boolean, false) }),
  addReturnUrl: z.object({ appId: part.required('addReturnUrl.appId', part.id('appId')), url: part.required('addReturnUrl.url', part.string) }),
  removeReturnUrl: z.object({ appId: part.required('removeReturnUrl.appId', part.id('appId')), url: part.required('removeReturnUrl.url', part.string) }),
  addLaunchOrigin: z.object({ appId: part.required('addLaunchOrigin.appId', part.id('appId')), origin: part.required('addLaunchOrigin.origin', part.string) }),
  removeLaunchOrigin: z.object({ appId: part.required('removeLaunchOrigin.appId', part.id('appId')), origin: part.required('removeLaunchOrigin.origin', part.string) }),
  setBranding: z.object({ appId: part.required('setBranding.appId', part.id('appId')), color: part.optional('setBranding.color', part.string), language: part.optional('setBranding.language', part.string) }),
  setLogo: z.object({ appId: part.required('setLogo.appId', part.id('appId')), image: part.required('setLogo.image', part.string) }),
  removeLogo: z.object({ appId: part.required('removeLogo.appId', part.id('appId')) }),
  setPolicy: z.object({ appId: part.required('setPolicy.appId', part.id('appId')), provider: part.required('setPolicy.provider', part.code<SocialProvider>()), capabilities: part.required('setPolicy.capabilities', part.list(part.code<Capability>())), quotaPercent: part.optional('setPolicy.quotaPercent', part.int) }),
  setIdentity: z.object({ appId: part.required('setIdentity.appId', part.id('appId')), issuerId: part.required('setIdentity.issuerId', part.id('issuerId')), returnUrl: part.required('setIdentity.returnUrl', part.string), enabled: part.withDefault('setIdentity.enabled', part.boolean, true) }),
  createRegistration: z.object({ input: part.required('createRegistration.input', CreateRegistrationInput) }),
  rotateRegistrationSecret: z.object({ id: part.required('rotateRegistrationSecret.id', part.id('id')), clientSecret: part.required('rotateRegistrationSecret.clientSecret', part.string), secretExpiresAt: part.optional('rotateRegistrationSecret.secretExpiresAt', part.date) }),
  pauseRegistration: z.object({ id: part.required('pauseRegistration.id', part.id('id')), dryRun: part.withDefault('pauseRegistration.dryRun', part.boolean, false) }),
  resumeRegistration: z.object({ id: part.required('resumeRegistration.id', part.id('id')) }),
  retryRegistration: z.object({ id: part.required('retryRegistration.id', part.id('id')) }),
  clearSpentQuota: z.object({ id: part.required('clearSpentQuota.id', part.id('id')) }),
  setDailyQuota: z.object({ id: part.required('setDailyQuota.id', part.id('id')), units: part.optional('setDailyQuota.units', part.int) }),
  setRegistrationPermissions: z.object({ id: part.required('setRegistrationPermissions.id', part.id('id')), permissions: part.optional('setRegistrationPermissions.permissions', part.list(part.string)) }),
  dismissUnknownAnswer: z.object({ id: part.required('dismissUnknownAnswer.id', part.id('id')) }),
  addCallbackSecret: z.object({ registrationId: part.required('addCallbackSecret.registrationId', part.id('registrationId')), secret: part.required('addCallbackSecret.secret', part.string), idempotencyKey: part.optional('addCallbackSecret.idempotencyKey', part.string) }),
  removeCallbackSecret: z.object({ id: part.required('removeCallbackSecret.id', part.id('id')) }),
  serveApp: z.object({ registrationId: part.required('serveApp.registrationId', part.id('registrationId')), appId: part.required('serveApp.appId', part.id('appId')) }),
  stopServingApp: z.object({ registrationId: part.required('stopServingApp.registrationId', part.id('registrationId')), appId: part.required('stopServingApp.appId', part.id('appId')), dryRun: part.withDefault('stopServingApp.dryRun', part.boolean, false) }),
  createIdentityIssuer: z.object({ input: part.required('createIdentityIssuer.input', CreateIdentityIssuerInput) }),
  rotateIdentityIssuerSecret: z.object({ id: part.required('rotateIdentityIssuerSecret.id', part.id('id')), clientSecret: part.required('rotateIdentityIssuerSecret.clientSecret', part.string), secretExpiresAt: part.optional('rotateIdentityIssuerSecret.secretExpiresAt', part.date) }),
  createWebhookEndpoint: z.object({ input: part.required('createWebhookEndpoint.input', CreateWebhookEndpointInput) }),
  changeWebhookEndpoint: z.object({ id: part.required('changeWebhookEndpoint.id', part.id('id')), url: part.optional('changeWebhookEndpoint.url', part.string), eventTypes: part.optional('changeWebhookEndpoint.eventTypes', part.list(part.string)) }),
  disableWebhookEndpoint: z.object({ id: part.required('disableWebhookEndpoint.id', part.id('id')) }),
  enableWebhookEndpoint: z.object({ id: part.required('enableWebhookEndpoint.id', part.id('id')) }),
  removeWebhookEndpoint: z.object({ id: part.required('removeWebhookEndpoint.id', part.id('id')) }),
  rotateWebhookSecret: z.object({ id: part.required('rotateWebhookSecret.id', part.id('id')), idempotencyKey: part.optional('rotateWebhookSecret.idempotencyKey', part.string) }),
  retireWebhookSecret: z.object({ id: part.required('retireWebhookSecret.id', part.id('id')), secretId: part.required('retireWebhookSecret.secretId', part.id('secretId')), afterHours: part.withDefault('retireWebhookSecret.afterHours', part.int, 0) }),
  sendTestWebhook: z.object({ id: part.required('sendTestWebhook.id', part.id('id')) }),
  redeliverWebhook: z.object({ id: part.required('redeliverWebhook.id', part.id('id')) }),
  redeliverWebhooks: z.object({ id: part.required('redeliverWebhooks.id', part.id('id')), since: part.required('redeliverWebhooks.since', part.date), failedOnly: part.withDefault('redeliverWebhooks.failedOnly', part.boolean, true) }),
  retryJob: z.object({ id: part.required('retryJob.id', part.id('id')) }),
  retryJobs: z.object({ filter: part.required('retryJobs.filter', JobFilter), dryRun: part.withDefault('retryJobs.dryRun', part.boolean, false) }),
  cancelAttempt: z.object({ id: part.required('cancelAttempt.id', part.id('id')) }),
  disconnectConnection: z.object({ id: part.required('disconnectConnection.id', part.id('id')) }),
  disconnectAll: z.object({ input: part.required('disconnectAll.input', DisconnectAllInput), dryRun: part.withDefault('disconnectAll.dryRun', part.boolean, false) }),
  eraseSubject: z.object({ input: part.required('eraseSubject.input', EraseSubjectInput), dryRun: part.withDefault('eraseSubject.dryRun', part.boolean, false) }),
  exportSubject: z.object({ input: part.required('exportSubject.input', ExportSubjectInput), after: part.optional('exportSubject.after', part.string) }),
  setRefreshPolicy: z.object({ appId: part.required('setRefreshPolicy.appId', part.id('appId')), provider: part.required('setRefreshPolicy.provider', part.code<SocialProvider>()), refreshMinutes: part.optional('setRefreshPolicy.refreshMinutes', part.int), refreshDays: part.withDefault('setRefreshPolicy.refreshDays', part.int, 7), refreshPosts: part.withDefault('setRefreshPolicy.refreshPosts', part.int, 100) }),
  setRefreshShare: z.object({ registrationId: part.required('setRefreshShare.registrationId', part.id('registrationId')), percent: part.required('setRefreshShare.percent', part.int) }),
  revokeAdminToken: z.object({ id: part.required('revokeAdminToken.id', part.id('id')) }),
};
