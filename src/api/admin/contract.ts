import type { z } from 'zod';
import type { Operation } from '../../domain/rules/roles.ts';
import type { ARGUMENTS } from '../../generated/admin-arguments.ts';
import type { MutationResolvers, QueryResolvers } from '../../generated/admin-schema.ts';
import type { MutationContext, QueryContext } from './context.ts';

/** The arguments of an operation, checked and completed. */
export type Args<Name extends Operation> = z.output<(typeof ARGUMENTS)[Name]>;

type Answer<Resolver> = ReturnType<Extract<Resolver, (...args: never) => unknown>>;

/** The queries, as the files of `resolvers` write them. `guardOperations` makes GraphQL's of them. */
export type Queries = {
  readonly [Name in keyof QueryResolvers]: (args: Args<Name>, context: QueryContext) => Answer<QueryResolvers[Name]>;
};

/** The mutations. */
export type Mutations = {
  readonly [Name in keyof MutationResolvers]: (
    args: Args<Name>,
    context: MutationContext,
  ) => Answer<MutationResolvers[Name]>;
};
