import {
  type DocumentNode,
  type GraphQLError,
  getOperationAST,
  type OperationDefinitionNode,
  OperationTypeNode,
} from 'graphql';

const INTROSPECTION = /__(schema|type)\b/;

/** A parsed document within the limits. */
export class Document {
  readonly node: DocumentNode;
  readonly operation: OperationDefinitionNode | undefined;
  /** The errors of validation. Undefined until then. */
  errors: readonly GraphQLError[] | undefined;
  /** True if it asks for the schema. Such an answer takes some milliseconds each time, and waits for nothing. */
  readonly isIntrospection: boolean;

  constructor(text: string, node: DocumentNode) {
    this.node = node;
    this.operation = getOperationAST(node) ?? undefined;
    this.isIntrospection = INTROSPECTION.test(text);
  }

  get isQuery(): boolean {
    return this.operation?.operation === OperationTypeNode.QUERY;
  }
}
