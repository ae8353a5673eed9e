import { type AdminRole, LEAST_ROLES } from '../generated/operations.ts';

export type Operation = keyof typeof LEAST_ROLES;

const ROLES: readonly AdminRole[] = ['VIEWER', 'OPERATOR', 'ADMIN'];

/** Why a role may not do something, in words; undefined where it may. The api decides; this only says so beforehand. */
export function hindranceOf(role: AdminRole, operation: Operation): string | undefined {
  const least = LEAST_ROLES[operation];
  if (ROLES.indexOf(role) >= ROLES.indexOf(least)) return undefined;
  return `This takes the role ${least}; you are signed in as ${role}.`;
}
