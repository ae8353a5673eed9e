import {
  type DocumentNode,
  type ExecutionArgs,
  type ExecutionResult,
  type GraphQLSchema,
  getOperationAST,
  getVariableValues,
  Kind,
  OperationTypeNode,
  parse,
  print,
  visit,
} from 'graphql';
import { type CompiledQuery, compileQuery, isCompiledQuery } from 'graphql-jit';
import type { Plugin } from 'graphql-yoga';
import type { Unguarded } from './guard.ts';

/** A document's use at which it is compiled. Compiling takes some milliseconds, so one that is used once is interpreted. */
const COMPILED_AT_USE = 3;
/** A compiled document takes up to a few hundred kilobytes. The one unused for longest goes first. */
const MAX_COMPILED = 200;

type Compiled = CompiledQuery['query'];

/**
 * Compiles a document that is used repeatedly to a function, and executes that function instead of interpreting the
 * document. Only documents that admission keeps are recognized, so only authenticated apps cause compilation.
 *
 * The answer is always the interpreter's, to the letter: graphql-js coerces variables and arguments, and if the function
 * meets any error, the interpreter executes the document again with the same outcomes of its root fields.
 */
export function createCompilation(): Plugin<Unguarded> {
  const uses = new WeakMap<DocumentNode, number>();
  const compiled = new Map<DocumentNode, Compiled>();

  function findCompiled(schema: GraphQLSchema, document: DocumentNode): Compiled | undefined {
    const use = (uses.get(document) ?? 0) + 1;
    uses.set(document, use);
    const query = compiled.get(document) ?? (use === COMPILED_AT_USE ? compile(schema, document) : undefined);
    if (query !== undefined) keep(document, query);
    return query;
  }

  function keep(document: DocumentNode, query: Compiled): void {
    // Deleted and set again, the map keeps its keys in the order of their last use.
    compiled.delete(document);
    compiled.set(document, query);
    const [oldest] = compiled.size > MAX_COMPILED ? compiled.keys() : [];
    if (oldest === undefined) return;
    compiled.delete(oldest);
    uses.delete(oldest);
  }

  return {
    onExecute({ args, executeFn, setExecuteFn }) {
      const query = findCompiled(args.schema, args.document);
      if (query !== undefined) setExecuteFn((given) => executeCompiled(query, given, () => executeFn(given)));
    },
  };
}

/** @returns undefined for a document that stays interpreted. */
function compile(schema: GraphQLSchema, document: DocumentNode): Compiled | undefined {
  if (!isCompilable(document)) return undefined;
  // A copy, because the compiler writes into the nodes. Its errors and their places are never shown.
  const compiled = compileQuery(schema, parse(print(document)), undefined, { disablingCapturingStackErrors: true });
  return isCompiledQuery(compiled) ? compiled.query : undefined;
}

/**
 * Queries without directives and introspection. The compiler has known faults with `@skip` and `@include` in fragments
 * (zalando-incubator/graphql-jit, issues 111 and 166), and a mutation gains little: its transaction takes far longer.
 */
function isCompilable(document: DocumentNode): boolean {
  let isPlain = getOperationAST(document)?.operation === OperationTypeNode.QUERY;
  visit(document, {
    enter(node) {
      const isMeta = node.kind === Kind.FIELD && node.name.value.startsWith('__') && node.name.value !== '__typename';
      if (isMeta || node.kind === Kind.DIRECTIVE) isPlain = false;
    },
  });
  return isPlain;
}

async function executeCompiled(
  query: Compiled,
  { schema, document, contextValue, variableValues }: ExecutionArgs,
  interpret: () => unknown,
): Promise<unknown> {
  const definitions = getOperationAST(document)?.variableDefinitions ?? [];
  const { coerced } = getVariableValues(schema, definitions, variableValues ?? {});
  if (coerced === undefined) return await interpret();
  const context: Unguarded = { ...(contextValue as Unguarded), coerced };
  const result: ExecutionResult = await query(undefined, context, variableValues ?? {});
  return result.errors === undefined ? result : await interpret();
}
