import { SETTERS } from '../../../generated/admin-operations.ts';
import type { MutationContext } from '../context.ts';
import type { Mutations } from '../contract.ts';
import { changeApp } from './apps.ts';
import { changeRegistration } from './registrations.ts';

type Change = (context: MutationContext, id: never, changes: object) => Promise<unknown>;
const CHANGES: Readonly<Record<(typeof SETTERS)[keyof typeof SETTERS], Change>> = {
  App: changeApp,
  Registration: changeRegistration,
};

/** The mutations with @sets. `npm run codegen` has checked that their arguments are settings. */
export const Mutation = Object.fromEntries(
  Object.entries(SETTERS).map(([name, type]) => [
    name,
    ({ id, ...changes }: { readonly id: never }, context: MutationContext) => CHANGES[type](context, id, changes),
  ]),
) as unknown as Pick<Mutations, keyof typeof SETTERS>;
