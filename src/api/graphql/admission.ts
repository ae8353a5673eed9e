import {
  type DefinitionNode,
  type DocumentNode,
  Kind,
  type OperationDefinitionNode,
  OperationTypeNode,
  type SelectionSetNode,
} from 'graphql';
import type { FastGraphql } from './contract.ts';
import { Document } from './document.ts';
import type { Unguarded } from './guard.ts';
import { type Limits, parseWithinLimits } from './limits.ts';
import { measure, type Preparation } from './preparation.ts';

/** The longest document that the service validates without a key. The open fields need ten tokens. */
const OPEN_TOKENS = 100;

/**
 * Creates the function that gives a request its document, parsed. It authenticates the caller before the document is
 * validated, because validation takes far longer than parsing. If no root field is open, it authenticates before parsing
 * too. It returns only documents within the limits, and `fast` keeps only those of authenticated callers.
 */
export function createAdmission(
  preparation: Preparation,
  { open, limits }: { open: readonly string[]; limits: Limits },
  fast: Pick<FastGraphql, 'find' | 'keep'> | undefined,
) {
  return async (text: string, { caller, exchange }: Pick<Unguarded, 'caller' | 'exchange'>): Promise<Document> => {
    if (open.length === 0) await caller.check();
    const known = fast?.find(text);
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
    fast?.keep(exchange.callerId ?? '', text, document);
    return document;
  };
}

/** @returns true if the document queries only open fields, in any spelling, and is short enough to validate without a key. */
function isOpen({ definitions, tokenCount }: DocumentNode, open: readonly string[]): boolean {
  if ((tokenCount ?? Number.POSITIVE_INFINITY) > OPEN_TOKENS) return false;
  const seen = new Set<string>();
  const hasOnly = ({ selections }: SelectionSetNode): boolean =>
    selections.every((selection) => {
      if (selection.kind === Kind.FIELD)
        return selection.name.value === '__typename' || open.includes(selection.name.value);
      if (selection.kind === Kind.INLINE_FRAGMENT) return hasOnly(selection.selectionSet);
      const name = selection.name.value;
      if (seen.has(name)) return true; // Judged already, or one that spreads itself: validation refuses that.
      seen.add(name);
      return definitions.every((one) => !isFragment(one) || one.name.value !== name || hasOnly(one.selectionSet));
    });
  return definitions.every(
    (one) => isFragment(one) || (one.kind === Kind.OPERATION_DEFINITION && isQuery(one) && hasOnly(one.selectionSet)),
  );
}

const isFragment = (one: DefinitionNode) => one.kind === Kind.FRAGMENT_DEFINITION;
const isQuery = ({ operation }: OperationDefinitionNode) => operation === OperationTypeNode.QUERY;
