import { type DocumentNode, Kind, type SelectionSetNode } from 'graphql';
import type { Plugin } from 'graphql-yoga';
import { type Limits, parseWithinLimits } from './limits.ts';

/** What a request is admitted by. */
export interface Admitting {
  /** Asks who is calling, once a request. @throws ServiceError `UNAUTHENTICATED`, `FORBIDDEN` or `RATE_LIMITED` */
  readonly authorized: () => Promise<object>;
}

interface Admitted extends Admitting {
  document?: DocumentNode;
}

/** Of a document that is validated for anybody: the open fields need ten. */
const OPEN_TOKENS = 100;

/**
 * Asks who is calling before a document is validated, since the rules take far longer than reading it does. Where no
 * field is open to everybody it asks before the document is so much as read. Only what the limits pass is validated.
 */
export function admission(open: readonly string[], limits: Limits): Plugin<Admitted, Admitting> {
  const cache = createDocumentCache();

  async function admit(text: string, { authorized }: Admitting): Promise<DocumentNode> {
    if (open.length === 0) await authorized();
    const known = cache.get(text);
    const document = known ?? parseWithinLimits(text, limits);
    if (isOpen(document, open)) return document;
    await authorized();
    if (known === undefined) cache.set(text, document); // Strangers do not fill it.
    return document;
  }

  return {
    onParams: ({ paramsHandler, setParamsHandler }) =>
      setParamsHandler(async (input) => {
        // Checked by now: it is a string.
        Object.assign(input.context, { document: await admit(input.params.query ?? '', input.context) });
        return await paramsHandler(input);
      }),
    onParse: ({ context, setParsedDocument }) => {
      if (context.document === undefined) throw new Error('A document was not admitted.');
      setParsedDocument(context.document);
    },
  };
}

/** Whether a document asks for nothing but open fields, and is so short that anybody may have it validated. */
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

/** Callers send the same few documents over and over. What somebody would send to fill our memory is not kept. */
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
