import {
  type DocumentNode,
  type ExecutionArgs,
  type ExecutionResult,
  execute,
  type GraphQLSchema,
  getOperationAST,
  Kind,
  OperationTypeNode,
  parse,
  print,
  visit,
} from 'graphql';
import { compileQuery, isCompiledQuery } from 'graphql-jit';
import type { Plugin } from 'graphql-yoga';
import type { Compiled, Document } from './document.ts';
import type { Unguarded } from './guard.ts';
import type { Preparation } from './preparation.ts';
import { Shares } from './shares.ts';
import { coerceVariables } from './variables.ts';

/** Validation stops after this many errors. For each error GraphQL searches for similar names, which takes time. */
const MAX_ERRORS = 5;

/** Callers send the same few documents again and again. A longer one is prepared each time. */
const MAX_LENGTH = 16_384;
/** Characters of all documents, and of those of one caller. They bound the memory that parsed documents take. */
const KNOWN = { each: 40_000, all: 200_000 };
/** A compiled document takes up to a few hundred kilobytes. */
const COMPILED = { each: 40, all: 200 };

/** The documents of authenticated callers, by their text. Callers share them, but none pushes out those of another. */
export class Documents {
  readonly #known = new Map<string, Document>();
  readonly #texts = new Shares<string>(KNOWN, (text) => void this.#known.delete(text));
  readonly #compiled = new Shares<Document>(COMPILED, (document) => document.forgetCompiled());
  readonly #preparation: Preparation;

  constructor(preparation: Preparation) {
    this.#preparation = preparation;
  }

  find(text: string): Document | undefined {
    return this.#known.get(text);
  }

  /** Notes that a caller uses a document. */
  keep(callerId: string, text: string, document: Document): void {
    if (text.length > MAX_LENGTH) return;
    this.#known.set(text, document);
    this.#texts.use(callerId, text, text.length);
  }

  /**
   * Takes over three steps of Yoga's for the document that admission has put into the context: it is parsed already, validated once,
   * and run only with variables that fit it, from its third use on as a compiled function. Until then graphql-js runs it: Yoga's own
   * interpreter takes a list's item with the alias `then` for a promise, and fails.
   */
  createPlugin(): Plugin<Unguarded> {
    return {
      onParse: ({ context, setParsedDocument }) => setParsedDocument(findDocument(context).node),
      onValidate: ({ context, setResult, setValidationFn, validateFn }) => {
        const document = findDocument(context);
        if (document.errors !== undefined) return setResult([...document.errors]);
        setValidationFn((schema, node, rules) => {
          const errors = this.#preparation.spend(context.exchange.callerId, () =>
            validateFn(schema, node, rules, { maxErrors: MAX_ERRORS }),
          );
          document.errors = errors;
          return errors;
        });
      },
      onExecute: ({ args, setExecuteFn }) => {
        const document = findDocument(args.contextValue);
        const { callerId = '' } = (args.contextValue as Unguarded).exchange;
        const mayCompile = this.#preparation.hasTime(callerId);
        const query = document.use(mayCompile, (node) =>
          this.#preparation.spend(callerId, () => compile(args.schema, node)),
        );
        if (query !== undefined) this.#compiled.use(callerId, document, 1);
        const interpret = document.isIntrospection
          ? (given: ExecutionArgs) => this.#preparation.spend(callerId, () => execute(given))
          : execute;
        setExecuteFn((given) => run(query, document, given, interpret));
      },
    };
  }
}

function findDocument(context: unknown): Document {
  const { document } = context as Unguarded;
  if (document === undefined) throw new Error('A document was not admitted.');
  return document;
}

/**
 * The answer is the same with and without a compiled function, to the letter: graphql-js coerces variables and arguments, and
 * if the compiled function meets any error, the interpreter executes the document again with the same outcomes of its root
 * fields. The interpreter sees only variables that fit.
 */
async function run(
  query: Compiled | undefined,
  { operation }: Document,
  args: ExecutionArgs,
  interpret: (args: ExecutionArgs) => unknown,
): Promise<unknown> {
  const { schema, contextValue, operationName } = args;
  const context = contextValue as Unguarded;
  const variables = args.variableValues ?? {};
  // The interpreter reports a name that the operation does not have.
  const isNamed = (operationName ?? undefined) !== undefined && operationName !== operation?.name?.value;
  if (isNamed) return await interpret(args);
  const coerced = coerceVariables(schema, operation, variables);
  if ('error' in coerced) return { errors: [coerced.error] };
  if (query === undefined) return await interpret(args);
  context.coerced = coerced.values;
  const result: ExecutionResult = await query(undefined, context, variables);
  if (result.errors === undefined) return result;
  context.coerced = undefined;
  return await interpret(args);
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
 * (zalando-incubator/graphql-jit, issues 111 and 166), and a mutation gains little: its transaction takes far longer. It writes
 * the name `__proto__` into an object literal, where it sets the prototype, and the value is missing from the answer.
 */
function isCompilable(document: DocumentNode): boolean {
  let isPlain = getOperationAST(document)?.operation === OperationTypeNode.QUERY;
  visit(document, {
    enter(node) {
      const isMeta = node.kind === Kind.FIELD && node.name.value.startsWith('__') && node.name.value !== '__typename';
      const isPrototype = node.kind === Kind.NAME && node.value === '__proto__';
      if (isMeta || isPrototype || node.kind === Kind.DIRECTIVE) isPlain = false;
    },
  });
  return isPlain;
}
