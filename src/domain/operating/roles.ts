import type { MutationResolvers, QueryResolvers } from '../../generated/admin-schema.ts';

/** The roles of admin tokens. Each role includes the ones before it. */
export const ADMIN_ROLES = ['VIEWER', 'OPERATOR', 'ADMIN'] as const;
export type AdminRole = (typeof ADMIN_ROLES)[number];

export type Operation = keyof QueryResolvers | keyof MutationResolvers;

/** The lowest role that may run each operation. A missing operation does not compile. */
export const ROLES: Readonly<Record<Operation, AdminRole>> = {
  me: 'VIEWER',
  service: 'VIEWER',
  overview: 'VIEWER',
  endedWork: 'VIEWER',
  apps: 'VIEWER',
  app: 'VIEWER',
  tenants: 'VIEWER',
  registrations: 'VIEWER',
  registration: 'VIEWER',
  identityIssuers: 'VIEWER',
  connections: 'VIEWER',
  connection: 'VIEWER',
  attempts: 'VIEWER',
  attempt: 'VIEWER',
  jobs: 'VIEWER',
  stuckWork: 'VIEWER',
  job: 'VIEWER',
  liveState: 'VIEWER',
  bulkDisconnect: 'VIEWER',
  bulkDisconnects: 'VIEWER',
  erasure: 'VIEWER',
  webhookEventTypes: 'VIEWER',
  webhookEndpoints: 'VIEWER',
  troubledWebhookEndpoints: 'VIEWER',
  webhookEndpoint: 'VIEWER',
  webhookDeliveries: 'VIEWER',
  webhookDelivery: 'VIEWER',
  erasures: 'VIEWER',
  find: 'VIEWER',
  proofOfDeletion: 'VIEWER',
  verifyProofOfDeletion: 'VIEWER',
  expiringCredentials: 'VIEWER',
  auditLog: 'VIEWER',
  auditChoices: 'VIEWER',
  adminTokens: 'ADMIN',

  disableApp: 'OPERATOR',
  enableApp: 'OPERATOR',
  revokeKey: 'OPERATOR',
  pauseRegistration: 'OPERATOR',
  resumeRegistration: 'OPERATOR',
  retryRegistration: 'OPERATOR',
  clearSpentQuota: 'OPERATOR',
  retryJob: 'OPERATOR',
  retryJobs: 'OPERATOR',
  cancelAttempt: 'OPERATOR',
  disconnectConnection: 'OPERATOR',
  eraseSubject: 'OPERATOR',
  disableWebhookEndpoint: 'OPERATOR',
  enableWebhookEndpoint: 'OPERATOR',
  sendTestWebhook: 'OPERATOR',
  redeliverWebhook: 'OPERATOR',
  redeliverWebhooks: 'OPERATOR',

  createApp: 'ADMIN',
  changeApp: 'ADMIN',
  issueKey: 'ADMIN',
  changeKey: 'ADMIN',
  addTenant: 'ADMIN',
  removeTenant: 'ADMIN',
  addReturnUrl: 'ADMIN',
  removeReturnUrl: 'ADMIN',
  addLaunchOrigin: 'ADMIN',
  removeLaunchOrigin: 'ADMIN',
  setBranding: 'ADMIN',
  setLogo: 'ADMIN',
  removeLogo: 'ADMIN',
  setPolicy: 'ADMIN',
  setRefreshPolicy: 'ADMIN',
  setRefreshShare: 'ADMIN',
  setDailyQuota: 'ADMIN',
  setIdentity: 'ADMIN',
  createRegistration: 'ADMIN',
  rotateRegistrationSecret: 'ADMIN',
  addCallbackSecret: 'ADMIN',
  removeCallbackSecret: 'ADMIN',
  serveApp: 'ADMIN',
  stopServingApp: 'ADMIN',
  createIdentityIssuer: 'ADMIN',
  rotateIdentityIssuerSecret: 'ADMIN',
  disconnectAll: 'ADMIN',
  createWebhookEndpoint: 'ADMIN',
  changeWebhookEndpoint: 'ADMIN',
  removeWebhookEndpoint: 'ADMIN',
  rotateWebhookSecret: 'ADMIN',
  retireWebhookSecret: 'ADMIN',
  exportSubject: 'ADMIN',
  revokeAdminToken: 'ADMIN',
};

/**
 * Irreversible operations, and those that show a new secret or personal data.
 * A session may run them only within minutes of a sign-in.
 */
const FRESH: readonly Operation[] = [
  'eraseSubject',
  'exportSubject',
  'disconnectAll',
  'removeTenant',
  'issueKey',
  'createWebhookEndpoint',
  'rotateWebhookSecret',
];

/** Dry runs and the removal of a tenant that keeps its connections are reversible. @param args of the operation. */
export const needsFreshSignIn = (operation: Operation, args: Readonly<Record<string, unknown>>): boolean =>
  FRESH.includes(operation) && args.dryRun !== true && args.connections !== 'KEEP';

export const isPermitted = (role: AdminRole, operation: Operation): boolean =>
  ADMIN_ROLES.indexOf(role) >= ADMIN_ROLES.indexOf(ROLES[operation]);
