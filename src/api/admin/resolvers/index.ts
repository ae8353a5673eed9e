import type { MutationResolvers, QueryResolvers } from '../../../generated/admin-schema.ts';
import type { AdminContext, MutationContext } from '../context.ts';
import * as apps from './apps.ts';
import * as callbackSecrets from './callback-secrets.ts';
import * as connections from './connections.ts';
import * as many from './disconnect-many.ts';
import * as erasures from './erasures.ts';
import { exportSubject } from './export-subject.ts';
import { find } from './find.ts';
import * as jobs from './jobs.ts';
import { liveState } from './live-state.ts';
import * as operators from './operators.ts';
import * as overview from './overview.ts';
import * as registrations from './registrations.ts';
import * as answers from './unknown-answers.ts';
import * as webhooks from './webhooks.ts';

/** Every root field of the operators' schema. */
export const Query: QueryResolvers<AdminContext> = {
  me: operators.me,
  service: overview.service,
  overview: overview.overview,
  endedWork: overview.endedWork,
  apps: apps.apps,
  app: apps.app,
  tenants: apps.tenants,
  registrations: registrations.registrations,
  registration: registrations.registration,
  unknownAnswers: answers.unknownAnswers,
  identityIssuers: registrations.identityIssuers,
  connections: connections.connections,
  connection: connections.connection,
  attempts: connections.attempts,
  attempt: connections.attempt,
  jobs: jobs.jobs,
  stuckWork: jobs.stuckWork,
  job: jobs.job,
  liveState,
  bulkDisconnect: many.bulkDisconnect,
  bulkDisconnects: many.bulkDisconnects,
  erasure: erasures.erasure,
  webhookEventTypes: webhooks.webhookEventTypes,
  webhookEndpoints: webhooks.webhookEndpoints,
  troubledWebhookEndpoints: webhooks.troubledWebhookEndpoints,
  webhookEndpoint: webhooks.webhookEndpoint,
  webhookDeliveries: webhooks.webhookDeliveries,
  webhookDelivery: webhooks.webhookDelivery,
  erasures: erasures.erasures,
  find,
  proofOfDeletion: erasures.proofOfDeletion,
  verifyProofOfDeletion: erasures.verifyProofOfDeletion,
  expiringCredentials: overview.expiringCredentials,
  auditLog: operators.auditLog,
  auditChoices: operators.auditChoices,
  adminTokens: operators.adminTokens,
};

export const Mutation: MutationResolvers<MutationContext> = {
  createApp: apps.createApp,
  changeApp: apps.changeApp,
  disableApp: apps.disableApp,
  enableApp: apps.enableApp,
  issueKey: apps.issueKey,
  changeKey: apps.changeKey,
  revokeKey: apps.revokeKey,
  addTenant: apps.addTenant,
  removeTenant: many.removeTenant,
  addReturnUrl: apps.addReturnUrl,
  removeReturnUrl: apps.removeReturnUrl,
  addLaunchOrigin: apps.addLaunchOrigin,
  removeLaunchOrigin: apps.removeLaunchOrigin,
  setBranding: apps.setBranding,
  setLogo: apps.setLogo,
  removeLogo: apps.removeLogo,
  setPolicy: apps.setPolicy,
  setRefreshPolicy: apps.setRefreshPolicy,
  setRefreshShare: registrations.setRefreshShare,
  setIdentity: apps.setIdentity,
  createRegistration: registrations.createRegistration,
  rotateRegistrationSecret: registrations.rotateRegistrationSecret,
  addCallbackSecret: callbackSecrets.addCallbackSecret,
  removeCallbackSecret: callbackSecrets.removeCallbackSecret,
  pauseRegistration: registrations.pauseRegistration,
  resumeRegistration: registrations.resumeRegistration,
  retryRegistration: registrations.retryRegistration,
  clearSpentQuota: registrations.clearSpentQuota,
  setDailyQuota: registrations.setDailyQuota,
  setRegistrationPermissions: registrations.setRegistrationPermissions,
  dismissUnknownAnswer: answers.dismissUnknownAnswer,
  serveApp: registrations.serveApp,
  stopServingApp: registrations.stopServingApp,
  createIdentityIssuer: registrations.createIdentityIssuer,
  rotateIdentityIssuerSecret: registrations.rotateIdentityIssuerSecret,
  createWebhookEndpoint: webhooks.createWebhookEndpoint,
  changeWebhookEndpoint: webhooks.changeWebhookEndpoint,
  disableWebhookEndpoint: webhooks.disableWebhookEndpoint,
  enableWebhookEndpoint: webhooks.enableWebhookEndpoint,
  removeWebhookEndpoint: webhooks.removeWebhookEndpoint,
  rotateWebhookSecret: webhooks.rotateWebhookSecret,
  retireWebhookSecret: webhooks.retireWebhookSecret,
  sendTestWebhook: webhooks.sendTestWebhook,
  redeliverWebhook: webhooks.redeliverWebhook,
  redeliverWebhooks: webhooks.redeliverWebhooks,
  retryJob: jobs.retryJob,
  retryJobs: jobs.retryJobs,
  cancelAttempt: connections.cancelAttempt,
  disconnectConnection: connections.disconnectConnection,
  disconnectAll: many.disconnectAll,
  eraseSubject: erasures.eraseSubject,
  exportSubject,
  revokeAdminToken: operators.revokeAdminToken,
};
