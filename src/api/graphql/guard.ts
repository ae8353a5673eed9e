import type { GraphQLSchema } from 'graphql';
import { initializeOperationCounters, timeOperation } from '../../telemetry/instruments.ts';
import { runInSpan } from '../../telemetry/tracing.ts';
import type { PublicContext } from '../context.ts';
import type { Exchange } from '../http/exchange.ts';

/** The GraphQL context before the guard has replaced it by a resolver's own context. */
export interface Unguarded {
  readonly exchange: Exchange;
  readonly open: PublicContext;
  /** Authenticates the caller, once per request. */
  readonly authorized: () => Promise<PublicContext>;
  /** Runs the request's root fields one after another, so that each request uses one database connection at a time. */
  readonly oneByOne: <T>(work: () => Promise<T>) => Promise<T>;
}

/**
 * Authenticates the caller before every root field except the `open` ones, so that no resolver can forget it. Also
 * records which fields run: for the request's log line, for the counters, and in a span.
 */
export function guard(schema: GraphQLSchema, endpoint: string, open: readonly string[]): GraphQLSchema {
  for (const root of [schema.getQueryType(), schema.getMutationType()]) {
    const fields = root?.getFields() ?? {};
    initializeOperationCounters(endpoint, Object.keys(fields));
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
            return await runInSpan(`${info.operation.operation} ${field.name}`, {}, async () =>
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
