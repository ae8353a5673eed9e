import {
  type DocumentNode,
  type ExecutionArgs,
  type ExecutionResult,
  type GraphQLError,
  type GraphQLSchema,
  getOperationAST,
  getVariableValues,
  Kind,
  type OperationDefinitionNode,
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
/** Validation stops after this many errors. For each error GraphQL searches for similar names, which takes time. */
const MAX_ERRORS = 5;

type Compiled = CompiledQuery['query'];

/** A compiled document takes up to a few hundred kilobytes. The one unused for longest goes first. */
const MAX_COMPILED = 200;
/** Callers send the same few documents again and again. Two length limits bound the memory that they take. */
const MAX_LENGTH = 4_096;
const MAX_LENGTH_OF_ALL = 200_000;

/** The documents of authenticated callers, by their text. */
export class Documents {
  readonly #known = new Map<string, Document>();
  #lengthOfAll = 0;
  /** In the order of their last use. */
  readonly #compiled = new Set<Document>();

  find(text: string): Document | undefined {
    return this.#known.get(text);
  }

  add(text: string, document: Document): void {
    if (text.length > MAX_LENGTH) return;
    if (this.#lengthOfAll + text.length > MAX_LENGTH_OF_ALL) {
      this.#known.clear();
      this.#lengthOfAll = 0;
    }
    this.#known.set(text, document);
    this.#lengthOfAll += text.length;
  }

  /**
   * Takes over three steps of Yoga's for the document that admission has put into the context: it is parsed already, validated once,
   * and from its third use on run as a compiled function.
   */
  createPlugin(): Plugin<Unguarded> {
    return {
      onParse: ({ context, setParsedDocument }) => setParsedDocument(findDocument(context).node),
      onValidate({ context, setResult, setValidationFn, validateFn }) {
        const document = findDocument(context);
        if (document.errors !== undefined) return setResult([...document.errors]);
        setValidationFn((schema, node, rules) => {
          document.errors = validateFn(schema, node, rules, { maxErrors: MAX_ERRORS });
          return document.errors;
        });
      },
      onExecute: ({ args, executeFn, setExecuteFn }) => {
        const document = findDocument(args.contextValue);
        const query = document.use(args.schema);
        if (query === undefined) return;
        this.#keep(document);
        setExecuteFn((given) => runCompiled(query, document, given, executeFn));
      },
    };
  }

  #keep(document: Document): void {
    // Deleted and added again, the set keeps the order of the last use.
    this.#compiled.delete(document);
    this.#compiled.add(document);
    const [oldest] = this.#compiled.size > MAX_COMPILED ? this.#compiled : [];
    if (oldest === undefined) return;
    this.#compiled.delete(oldest);
    oldest.forgetCompiled();
  }
}

/** A parsed document within the limits. What is found out about it, is found out once. */
export class Document {
  readonly node: DocumentNode;
  readonly operation: OperationDefinitionNode | undefined;
  /** What validation has found. Undefined until then. */
  errors: readonly GraphQLError[] | undefined;
  #uses = 0;
  #compiled: Compiled | undefined;

  constructor(node: DocumentNode) {
    this.node = node;
    this.operation = getOperationAST(node) ?? undefined;
  }

  get isQuery(): boolean {
    return this.operation?.operation === OperationTypeNode.QUERY;
  }

  /** Counts a use. @returns the compiled document, from its third use on. */
  use(schema: GraphQLSchema): Compiled | undefined {
    this.#uses += 1;
    if (this.#uses === COMPILED_AT_USE) this.#compiled = compile(schema, this.node);
    return this.#compiled;
  }

  /** It stays interpreted until its third use from now. */
  forgetCompiled(): void {
    this.#compiled = undefined;
    this.#uses = 0;
  }
}

function findDocument(context: unknown): Document {
  const { document } = context as Unguarded;
  if (document === undefined) throw new Error('A document was not admitted.');
  return document;
}

/**
 * The answer is always the interpreter's, to the letter: graphql-js coerces variables and arguments, and if the compiled
 * function meets any error, the interpreter executes the document again with the same outcomes of its root fields.
 */
async function runCompiled(
  query: Compiled,
  { operation }: Document,
  args: ExecutionArgs,
  interpret: (args: ExecutionArgs) => unknown,
): Promise<unknown> {
  const { schema, contextValue, operationName } = args;
  const context = contextValue as Unguarded;
  const variables = args.variableValues ?? {};
  // The interpreter reports a name that the operation does not have.
  const isNamed = (operationName ?? undefined) !== undefined && operationName !== operation?.name?.value;
  const { coerced } = getVariableValues(schema, operation?.variableDefinitions ?? [], variables);
  if (coerced === undefined || isNamed) return await interpret(args);
  context.coerced = coerced;
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
