import type { GraphQLSchema } from 'graphql';
import type { PublicContext } from '../context.ts';
import type { Exchange } from '../http/exchange.ts';

/** What GraphQL hands to resolvers before the guard has looked at it. */
export interface Unguarded {
  readonly exchange: Exchange;
  readonly open: PublicContext;
  /** Asks who is calling, once a request. */
  readonly authorized: () => Promise<PublicContext>;
}

/**
 * Puts authentication before every root field but the `open` ones, so that no resolver can forget it, and notes which
 * fields run.
 */
export function guard(schema: GraphQLSchema, open: readonly string[]): GraphQLSchema {
  for (const root of [schema.getQueryType(), schema.getMutationType()]) {
    for (const field of Object.values(root?.getFields() ?? {})) {
      const { resolve } = field;
      if (resolve === undefined) throw new Error(`${root?.name}.${field.name} has no resolver.`);
      field.resolve = async (source, args, { exchange, open: publicContext, authorized }: Unguarded, info) => {
        exchange.operations.push(field.name);
        return await resolve(source, args, open.includes(field.name) ? publicContext : await authorized(), info);
      };
    }
  }
  return schema;
}
