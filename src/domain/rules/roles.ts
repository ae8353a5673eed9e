import { OPERATIONS } from '../../generated/admin-operations.ts';

/** The roles of admin tokens. Each role includes the ones before it. */
export const ADMIN_ROLES = ['VIEWER', 'OPERATOR', 'ADMIN'] as const;
export type AdminRole = (typeof ADMIN_ROLES)[number];

export type Operation = keyof typeof OPERATIONS;

export const isPermitted = (role: AdminRole, operation: Operation): boolean =>
  ADMIN_ROLES.indexOf(role) >= ADMIN_ROLES.indexOf(OPERATIONS[operation].role);
