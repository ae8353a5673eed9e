import { type AdminRole, LEAST_ROLES } from '../generated/operations.ts';

export type Operation = keyof typeof LEAST_ROLES;

const ROLES: readonly AdminRole[] = ['VIEWER', 'OPERATOR', 'ADMIN'];

/** Explains why a role may not run an operation; undefined if it may. The api decides; the console only warns in advance. */
export function explainMissingRole(role: AdminRole, operation: Operation): string | undefined {
  const least = LEAST_ROLES[operation];
  if (ROLES.indexOf(role) >= ROLES.indexOf(least)) return undefined;
  return `Requires the role ${least}. You are signed in as ${role}.`;
}

/** The root field of a mutation's document. @throws Error for a document of anything else */
export function readOperation(document: string): Operation {
  const [, name = ''] = /\bmutation\b[^{]*\{\s*(\w+)/.exec(document) ?? [];
  if (!Object.hasOwn(LEAST_ROLES, name)) throw new Error(`The document runs no known mutation: ${name}.`);
  return name as Operation;
}
