import type { MutationResolvers, QueryResolvers } from '../../generated/admin-schema.ts';

/** What a token may do; each may do what the ones before it may. */
export const ADMIN_ROLES = ['VIEWER', 'OPERATOR', 'ADMIN'] as const;
export type AdminRole = (typeof ADMIN_ROLES)[number];

export type Operation = keyof QueryResolvers | keyof MutationResolvers;

/** The least role that each operation takes. One that is missing here does not compile. */
export const ROLES: Readonly<Record<Operation, AdminRole>> = {
  me: 'VIEWER',
  service: 'VIEWER',
  overview: 'VIEWER',
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
  bulkDisconnect: 'VIEWER',
  bulkDisconnects: 'VIEWER',
  erasure: 'VIEWER',
  proofOfDeletion: 'VIEWER',
  verifyProofOfDeletion: 'VIEWER',
  expiringCredentials: 'VIEWER',
  auditLog: 'VIEWER',
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

  createApp: 'ADMIN',
  changeApp: 'ADMIN',
  issueKey: 'ADMIN',
  addTenant: 'ADMIN',
  removeTenant: 'ADMIN',
  addReturnUrl: 'ADMIN',
  removeReturnUrl: 'ADMIN',
  addLaunchOrigin: 'ADMIN',
  removeLaunchOrigin: 'ADMIN',
  setPolicy: 'ADMIN',
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
  revokeAdminToken: 'ADMIN',
};

/** What a session may do only within minutes of its operator's having proven who they are: it cannot be taken back. */
const FRESH: readonly Operation[] = ['eraseSubject', 'disconnectAll', 'removeTenant', 'issueKey'];

/** @param args of the operation. What is only counted, and a tenant whose connections stay, can be taken back. */
export const needsFreshSignIn = (operation: Operation, args: Readonly<Record<string, unknown>>): boolean =>
  FRESH.includes(operation) && args.dryRun !== true && args.connections !== 'KEEP';

export const isPermitted = (role: AdminRole, operation: Operation): boolean =>
  ADMIN_ROLES.indexOf(role) >= ADMIN_ROLES.indexOf(ROLES[operation]);
