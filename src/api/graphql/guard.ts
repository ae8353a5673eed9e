import type { GraphQLSchema } from 'graphql';
import { announceOperations, timeOperation } from '../../telemetry/instruments.ts';
import { inSpan } from '../../telemetry/tracing.ts';
import type { PublicContext } from '../context.ts';
import type { Exchange } from '../http/exchange.ts';

/** What GraphQL hands to resolvers before the guard has looked at it. */
export interface Unguarded {
  readonly exchange: Exchange;
  readonly open: PublicContext;
  /** Asks who is calling, once a request. */
  readonly authorized: () => Promise<PublicContext>;
  /** Runs the request's root fields one after another: whatever a request asks for, it has one turn at the database. */
  readonly oneByOne: <T>(work: () => Promise<T>) => Promise<T>;
}

/**
 * Puts authentication before every root field but the `open` ones, so that no resolver can forget it, and notes which
 * fields run: for the request's log line and counts, and in a span.
 */
export function guard(schema: GraphQLSchema, endpoint: string, open: readonly string[]): GraphQLSchema {
  for (const root of [schema.getQueryType(), schema.getMutationType()]) {
    const fields = root?.getFields() ?? {};
    announceOperations(endpoint, Object.keys(fields));
    for (const field of Object.values(fields)) {
      const { resolve } = field;
      if (resolve === undefined) throw new Error(`${root?.name}.${field.name} has no resolver.`);
      field.resolve = async (
        source,
        args,
        { exchange, open: publicContext, authorized, oneByOne }: Unguarded,
        info,
      ) => {
        exchange.operations.set(String(info.path.key), field.name);
        return await oneByOne(async () => {
          const startedAtMs = performance.now();
          try {
            return await inSpan(`${info.operation.operation} ${field.name}`, {}, async () =>
              resolve(source, args, open.includes(field.name) ? publicContext : await authorized(), info),
            );
          } finally {
            timeOperation({ endpoint, operation: field.name }, (performance.now() - startedAtMs) / 1000);
          }
        });
      };
    }
  }
  return schema;
}
