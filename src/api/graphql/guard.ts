import { setImmediate as nextTurn } from 'node:timers/promises';
import { type GraphQLResolveInfo, type GraphQLSchema, getArgumentValues } from 'graphql';
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
  readonly line: Sequence;
  /** The document to run, once it is admitted. */
  document: Document | undefined;
  /** The results of the root fields, by their key in the answer: none runs twice, even if the document is executed again. */
  readonly outcomes: Map<string, Promise<unknown>>;
  /** The variables of a compiled document. Its arguments are made from them, instead of by the compiler. */
  coerced?: Readonly<Record<string, unknown>> | undefined;
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
      field.resolve = (source, given, context: Unguarded, info) => {
        const { coerced, exchange, line, outcomes } = context;
        const key = String(info.path.key);
        const known = outcomes.get(key);
        // One turn apart, as when the fields ran: a failure that empties the answer ends it before the next field.
        if (known !== undefined) return line.run(() => nextTurn().then(() => known));
        const [node] = info.fieldNodes;
        const args = coerced === undefined || !node ? given : getArgumentValues(field, node, coerced);
        exchange.operations.set(key, field.name);
        const outcome = line.run(() => run(source, args, context, info));
        outcomes.set(key, outcome);
        return outcome;
      };
    }
  }
  return schema;
}
