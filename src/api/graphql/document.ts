import {
  type DocumentNode,
  type GraphQLError,
  getOperationAST,
  type OperationDefinitionNode,
  OperationTypeNode,
} from 'graphql';
import type { CompiledQuery } from 'graphql-jit';

/** A document's use at which it is compiled. Compiling takes some milliseconds, so one that is used once is interpreted. */
const COMPILED_AT_USE = 3;

export type Compiled = CompiledQuery['query'];

const INTROSPECTION = /__(schema|type)\b/;

/** A parsed document within the limits. Each fact about it is computed once. */
export class Document {
  readonly node: DocumentNode;
  readonly operation: OperationDefinitionNode | undefined;
  /** The errors of validation. Undefined until then. */
  errors: readonly GraphQLError[] | undefined;
  /** True if it asks for the schema. Such an answer takes some milliseconds each time, and waits for nothing. */
  readonly isIntrospection: boolean;
  #uses = 0;
  #compiled: Compiled | undefined;

  constructor(text: string, node: DocumentNode) {
    this.node = node;
    this.operation = getOperationAST(node) ?? undefined;
    this.isIntrospection = INTROSPECTION.test(text);
  }

  get isQuery(): boolean {
    return this.operation?.operation === OperationTypeNode.QUERY;
  }

  /** Counts a use. @returns the compiled document, from its third use on, or later if it may not be compiled at that. */
  use(mayCompile: boolean, compileNode: (node: DocumentNode) => Compiled | undefined): Compiled | undefined {
    if (this.#uses < COMPILED_AT_USE - 1 || mayCompile) this.#uses += 1;
    if (this.#uses === COMPILED_AT_USE) this.#compiled = compileNode(this.node);
    return this.#compiled;
  }

  /** It stays interpreted until its third use from now. */
  forgetCompiled(): void {
    this.#compiled = undefined;
    this.#uses = 0;
  }
}
