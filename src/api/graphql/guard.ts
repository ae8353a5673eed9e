import type { GraphQLResolveInfo, GraphQLSchema } from 'graphql';
import { initializeOperationCounters, timeOperation } from '../../telemetry/instruments.ts';
import { runInSpan } from '../../telemetry/tracing.ts';
import type { PublicContext } from '../context.ts';
import type { Exchange } from '../http/exchange.ts';
import type { Caller } from './caller.ts';
import type { Document } from './document.ts';
import type { Sequence } from './sequence.ts';

/** The GraphQL context before the guard has replaced it by a resolver's own context. */
export interface Unguarded {
  readonly exchange: Exchange;
  readonly open: PublicContext;
  readonly caller: Caller;
  readonly sequence: Sequence;
  /** The document to run, once it is admitted. */
  document: Document | undefined;
}

/**
 * Authenticates the caller before every root field except the `open` ones, so that no resolver can forget it. Also
 * records which fields run: for the request's log line, for the counters, and in a span.
 */
export function guard(schema: GraphQLSchema, endpoint: string, open: readonly string[]): void {
  for (const root of [schema.getQueryType(), schema.getMutationType()]) {
    const fields = root?.getFields() ?? {};
    initializeOperationCounters(endpoint, Object.keys(fields));
    for (const field of Object.values(fields)) {
      const { resolve } = field;
      if (resolve === undefined) throw new Error(`${root?.name}.${field.name} has no resolver.`);
      const run = async (source: unknown, args: unknown, context: Unguarded, info: GraphQLResolveInfo) => {
        const startedAtMs = performance.now();
        try {
          return await runInSpan(`${info.operation.operation} ${field.name}`, {}, async () =>
            resolve(source, args, open.includes(field.name) ? context.open : await context.caller.authorize(), info),
          );
        } finally {
          timeOperation({ endpoint, operation: field.name }, (performance.now() - startedAtMs) / 1000);
        }
      };
      field.resolve = (source, args, context: Unguarded, info) => {
        context.exchange.operations.set(String(info.path.key), field.name);
        return context.sequence.run(() => run(source, args, context, info));
      };
    }
  }
}
