import { setImmediate as nextTurn } from 'node:timers/promises';
import {
  type DocumentNode,
  type ExecutionArgs,
  type ExecutionResult,
  type GraphQLSchema,
  getArgumentValues,
  Kind,
  parse,
  print,
  visit,
} from 'graphql';
import { type CompiledQuery, compileQuery, isCompiledQuery } from 'graphql-jit';
import type { FastGraphql } from '../graphql/contract.ts';
import type { Document } from '../graphql/document.ts';
import type { Unguarded } from '../graphql/guard.ts';
import type { Preparation } from '../graphql/preparation.ts';
import { Shares } from './shares.ts';

/** A document's use at which it is compiled. Compiling takes some milliseconds, so one that is used once is interpreted. */
const COMPILED_AT_USE = 3;
/** Compiled documents of all callers, and of one. Each takes up to a few hundred kilobytes. */
const COMPILED = { each: 40, all: 200 };

type Compiled = CompiledQuery['query'];

/** The run of a compiled document. */
interface CompiledRun {
  /** What the root fields have come to, by their key in the answer: none runs twice, however often it is executed. */
  readonly outcomes: Map<string, Promise<unknown>>;
  /** The arguments of root fields are made from these variables, instead of by the compiler. Undefined for the interpreter. */
  coerced: Readonly<Record<string, unknown>> | undefined;
}

/** The context of a request, of which this file knows one member more. */
type Context = Unguarded & { compiledRun?: CompiledRun };

/**
 * Compiles documents from their third use on. The answer is the same with and without a compiled function, to the letter:
 * graphql-js coerces variables and arguments, and if the compiled function meets any error, the interpreter executes the
 * document again with the same outcomes of its root fields. The interpreter sees only variables that fit.
 */
export class Compiler implements Pick<FastGraphql, 'prepare' | 'run'> {
  readonly #preparation: Preparation;
  readonly #uses = new WeakMap<Document, { count: number; compiled: Compiled | undefined }>();
  readonly #kept = new Shares<Document>(COMPILED, (document) => void this.#uses.delete(document));

  constructor(preparation: Preparation) {
    this.#preparation = preparation;
  }

  /** Makes the root fields return the outcomes that they have already. */
  prepare(schema: GraphQLSchema): void {
    const roots = [schema.getQueryType(), schema.getMutationType()];
    for (const field of roots.flatMap((root) => Object.values(root?.getFields() ?? {}))) {
      const { resolve } = field;
      field.resolve = (source, given, context: Context, info) => {
        const { compiledRun, sequence } = context;
        if (compiledRun === undefined) return resolve?.(source, given, context, info);
        const { coerced, outcomes } = compiledRun;
        const key = String(info.path.key);
        const known = outcomes.get(key);
        // One turn apart, as when the fields ran: a failure that empties the answer ends it before the next field.
        if (known !== undefined) return sequence.run(() => nextTurn().then(() => known));
        const [node] = info.fieldNodes;
        const args = coerced === undefined || !node ? given : getArgumentValues(field, node, coerced);
        const outcome = resolve?.(source, args, context, info) as Promise<unknown>;
        outcomes.set(key, outcome);
        return outcome;
      };
    }
  }

  async run(
    document: Document,
    args: ExecutionArgs,
    coerced: Readonly<Record<string, unknown>>,
    interpret: (args: ExecutionArgs) => Promise<ExecutionResult>,
  ): Promise<ExecutionResult> {
    const context = args.contextValue as Context;
    const query = this.#use(document, args.schema, context.exchange.callerId ?? '');
    if (query === undefined) return await interpret(args);
    context.compiledRun = { outcomes: new Map(), coerced };
    const result: ExecutionResult = await query(undefined, context, args.variableValues ?? {});
    if (result.errors === undefined) return result;
    context.compiledRun.coerced = undefined;
    return await interpret(args);
  }

  /** Counts a use. @returns the compiled document, from its third use on, or later if the caller has no time left for it. */
  #use(document: Document, schema: GraphQLSchema, callerId: string): Compiled | undefined {
    let use = this.#uses.get(document);
    if (use === undefined) {
      use = { count: 0, compiled: undefined };
      this.#uses.set(document, use);
    }
    if (use.count < COMPILED_AT_USE - 1 || this.#preparation.hasTime(callerId)) use.count += 1;
    if (use.count === COMPILED_AT_USE)
      use.compiled = this.#preparation.spend(callerId, () => compile(schema, document));
    if (use.compiled !== undefined) this.#kept.use(callerId, document, 1);
    return use.compiled;
  }
}

/** @returns undefined for a document that stays interpreted. */
function compile(schema: GraphQLSchema, { node, isQuery }: Document): Compiled | undefined {
  if (!isQuery || !isCompilable(node)) return undefined;
  // A copy, because the compiler writes into the nodes. Its errors and their places are never shown.
  const compiled = compileQuery(schema, parse(print(node)), undefined, { disablingCapturingStackErrors: true });
  return isCompiledQuery(compiled) ? compiled.query : undefined;
}

/**
 * Documents without directives and introspection. The compiler has known faults with `@skip` and `@include` in fragments
 * (zalando-incubator/graphql-jit, issues 111 and 166). It writes the name `__proto__` into an object literal, where it sets the
 * prototype, and the value is missing from the answer. A mutation gains little: its transaction takes far longer.
 */
function isCompilable(document: DocumentNode): boolean {
  let isPlain = true;
  visit(document, {
    enter(node) {
      const isMeta = node.kind === Kind.FIELD && node.name.value.startsWith('__') && node.name.value !== '__typename';
      const isPrototype = node.kind === Kind.NAME && node.value === '__proto__';
      if (isMeta || isPrototype || node.kind === Kind.DIRECTIVE) isPlain = false;
    },
  });
  return isPlain;
}
