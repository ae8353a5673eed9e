import { type DocumentNode, Kind, type SelectionSetNode } from 'graphql';
import { Document } from './document.ts';
import type { Documents } from './documents.ts';
import type { Unguarded } from './guard.ts';
import { type Limits, parseWithinLimits } from './limits.ts';
import { measure, type Preparation } from './preparation.ts';

/** The longest document that the service validates without a key. The open fields need ten tokens. */
const OPEN_TOKENS = 100;

/**
 * Creates the function that gives a request its document, parsed. It authenticates the caller before the document is
 * validated, because validation takes far longer than parsing. If no root field is open, it authenticates before parsing
 * too. It returns only documents within the limits, and keeps only those of authenticated callers.
 */
export function createAdmission(
  documents: Documents,
  preparation: Preparation,
  { open, limits }: { open: readonly string[]; limits: Limits },
) {
  return async (text: string, { caller, exchange }: Pick<Unguarded, 'caller' | 'exchange'>): Promise<Document> => {
    if (open.length === 0) await caller.check();
    const known = documents.find(text);
    const { result: document, ms } = known
      ? { result: known, ms: 0 }
      : measure(() => new Document(text, parseWithinLimits(text, limits)));
    if (known === undefined && isOpen(document.node, open)) return document;
    if (document.isQuery) caller.willQuery();
    await caller.authorize();
    // A query that has been validated may run while its caller is checked. Its answer waits for that.
    if (known === undefined || !document.isQuery) await caller.check();
    if (known === undefined || document.isIntrospection) {
      preparation.charge(exchange.callerId, ms);
      preparation.require(exchange.callerId);
    }
    documents.keep(exchange.callerId ?? '', text, document);
    return document;
  };
}

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
