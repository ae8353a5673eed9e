import { type DocumentNode, getOperationAST, Kind, OperationTypeNode, type SelectionSetNode } from 'graphql';
import type { Plugin } from 'graphql-yoga';
import { type Limits, parseWithinLimits } from './limits.ts';

/** The part of a request's context that admission needs. */
export interface Admitting {
  /** Authenticates the caller, once per request. @throws ServiceError `UNAUTHENTICATED`, `FORBIDDEN` or `RATE_LIMITED` */
  readonly authorized: () => Promise<object>;
  /** Resolves when the caller has been checked. @throws as `authorized` does */
  readonly checked: () => Promise<unknown>;
}

interface Admitted extends Admitting {
  document?: DocumentNode;
}

/** The longest document that the service validates without a key. The open fields need ten tokens. */
const OPEN_TOKENS = 100;

/**
 * Authenticates the caller before it validates a document, because validation takes far longer than parsing. If no root
 * field is open, it authenticates before parsing too. It validates only documents within the limits.
 */
export function createAdmission(open: readonly string[], limits: Limits): Plugin<Admitted, Admitting> {
  const cache = createDocumentCache();

  async function admit(text: string, { authorized, checked }: Admitting): Promise<DocumentNode> {
    if (open.length === 0) await checked();
    const known = cache.get(text);
    const document = known ?? parseWithinLimits(text, limits);
    if (known === undefined && isOpen(document, open)) return document;
    await authorized();
    // A query that has been validated may run while its caller is checked. Its answer waits for that.
    if (known === undefined || !isQuery(document)) await checked();
    if (known === undefined) cache.set(text, document); // Only authenticated callers fill the cache.
    return document;
  }

  return {
    onParams: ({ paramsHandler, setParamsHandler }) =>
      setParamsHandler(async (input) => {
        // Yoga has checked that the query is a string.
        Object.assign(input.context, { document: await admit(input.params.query ?? '', input.context) });
        return await paramsHandler(input);
      }),
    onParse: ({ context, setParsedDocument }) => {
      if (context.document === undefined) throw new Error('A document was not admitted.');
      setParsedDocument(context.document);
    },
  };
}

const isQuery = (document: DocumentNode) => getOperationAST(document)?.operation === OperationTypeNode.QUERY;

/** @returns true if the document selects only open fields and is short enough to validate without a key. */
function isOpen(document: DocumentNode, open: readonly string[]): boolean {
  if ((document.tokenCount ?? Number.POSITIVE_INFINITY) > OPEN_TOKENS) return false;
  return document.definitions.every(
    (definition) => definition.kind === Kind.OPERATION_DEFINITION && hasOnly(definition.selectionSet, open),
  );
}

const hasOnly = ({ selections }: SelectionSetNode, open: readonly string[]): boolean =>
  selections.every(
    (selection) =>
      selection.kind === Kind.FIELD && (selection.name.value === '__typename' || open.includes(selection.name.value)),
  );

/** Callers send the same few documents again and again. Two length limits bound the memory that the cache takes. */
function createDocumentCache() {
  const MAX_LENGTH = 4_096;
  const MAX_LENGTH_OF_ALL = 200_000;
  const documents = new Map<string, DocumentNode>();
  let lengthOfAll = 0;
  return {
    get: (text: string) => documents.get(text),
    set(text: string, document: DocumentNode) {
      if (text.length > MAX_LENGTH) return;
      if (lengthOfAll + text.length > MAX_LENGTH_OF_ALL) {
        documents.clear();
        lengthOfAll = 0;
      }
      documents.set(text, document);
      lengthOfAll += text.length;
    },
  };
}
