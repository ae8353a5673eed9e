import {
  type DocumentNode,
  type FragmentDefinitionNode,
  GraphQLError,
  Kind,
  type OperationDefinitionNode,
  parse,
  type SelectionSetNode,
} from 'graphql';
import { ServiceError } from '../../errors.ts';

/** What one request may hold. */
export interface Limits {
  readonly operations: number;
  readonly aliases: number;
  /** Of fields; a root field is at depth 1. */
  readonly depth: number;
  readonly cost: number;
  /** Several times what a large document within the other limits needs; it bounds the work of refusing the rest. */
  readonly tokens: number;
  /** Of the text. An error says its line, for which the text before it is searched for line breaks. */
  readonly lines: number;
}

/** Of the callers' schema. */
export const LIMITS = {
  operations: 1,
  aliases: 8,
  depth: 8,
  cost: 100,
  tokens: 1_000,
  lines: 1_000,
} as const satisfies Limits;

const ROOT_FIELD_COST = 10;
const NESTED_FIELD_COST = 1;

/** What a selection set comes to with all its fragments spread. */
interface Size {
  /** Fields directly in the set. */
  readonly here: number;
  /** Fields further down. */
  readonly below: number;
  readonly depth: number;
  readonly aliases: number;
}

const EMPTY: Size = { here: 0, below: 0, depth: 0, aliases: 0 };

const costAtRoot = ({ here, below }: Size) => here * ROOT_FIELD_COST + below * NESTED_FIELD_COST;

const LINE_BREAK = /\r\n|[\n\r]/g;

/**
 * Parses a request's document and holds it to the limits.
 * @throws GraphQLError for a syntax error, AggregateError of one GraphQLError for each limit that the first definition
 * to break one breaks, ServiceError `BAD_USER_INPUT` when it has too many lines, or brackets nested beyond what can be
 * read.
 */
export function parseWithinLimits(source: string, limits: Limits = LIMITS): DocumentNode {
  if ((source.match(LINE_BREAK)?.length ?? 0) >= limits.lines) {
    throw new ServiceError('BAD_USER_INPUT', `The request exceeds the limit of ${limits.lines} lines.`);
  }
  const document = parseBounded(source, limits);
  const broken = limitsBroken(document, limits);
  if (broken.length > 0) throw new AggregateError(broken);
  return document;
}

function parseBounded(source: string, { tokens }: Limits): DocumentNode {
  try {
    return parse(source, { maxTokens: tokens });
  } catch (error) {
    // The parser recurses: thousands of brackets exhaust the stack before they exhaust the tokens.
    if (error instanceof RangeError) throw new ServiceError('BAD_USER_INPUT', 'The document is nested too deeply.');
    throw error;
  }
}

/**
 * The limits a document breaks, in words, or none. They hold whatever its variables are: `@skip` and `@include` count
 * for nothing, and introspection counts like everything else.
 */
function limitsBroken(document: DocumentNode, limits: Limits): GraphQLError[] {
  const operations: OperationDefinitionNode[] = [];
  const fragments = new Map<string, FragmentDefinitionNode>();
  for (const definition of document.definitions) {
    if (definition.kind === Kind.OPERATION_DEFINITION) operations.push(definition);
    if (definition.kind === Kind.FRAGMENT_DEFINITION) fragments.set(definition.name.value, definition);
  }
  if (operations.length !== limits.operations) {
    return [new GraphQLError('A request holds exactly one operation.')];
  }

  const sizeOf = measuring(fragments);
  // Fragments are held to the limits also by themselves: the rules that run next read those nobody spreads, too.
  for (const definition of [...operations, ...fragments.values()]) {
    const faults = faultsOf(definition, sizeOf(definition.selectionSet), limits);
    if (faults.length > 0) return faults.map((fault) => new GraphQLError(fault));
  }
  return [];
}

function faultsOf(definition: OperationDefinitionNode | FragmentDefinitionNode, size: Size, limits: Limits): string[] {
  const cost = definition.kind === Kind.OPERATION_DEFINITION ? costAtRoot(size) : size.here + size.below;
  const faults = [
    size.aliases > limits.aliases && `The request exceeds the alias limit of ${limits.aliases}.`,
    size.depth > limits.depth && `The request exceeds the depth limit of ${limits.depth}.`,
    cost > limits.cost &&
      `The request exceeds the cost limit of ${limits.cost}: each root field costs ${ROOT_FIELD_COST}, each nested field ${NESTED_FIELD_COST}.`,
  ];
  return faults.filter((fault) => fault !== false);
}

/** Counts a fragment at each of its spreads, but looks into it once: a bomb of spreads takes time by its text only. */
function measuring(fragments: ReadonlyMap<string, FragmentDefinitionNode>): (set: SelectionSetNode) => Size {
  const known = new Map<string, Size>();
  const sizeOfFragment = (name: string): Size => {
    const fragment = fragments.get(name);
    const size = known.get(name);
    if (size !== undefined || fragment === undefined) return size ?? EMPTY;
    known.set(name, EMPTY); // What a fragment that spreads itself finds; validation refuses it later.
    const measured = sizeOf(fragment.selectionSet);
    known.set(name, measured);
    return measured;
  };
  const sizeOf = (set: SelectionSetNode): Size =>
    set.selections.reduce<Size>((sum, selection) => {
      if (selection.kind === Kind.INLINE_FRAGMENT) return beside(sum, sizeOf(selection.selectionSet));
      if (selection.kind === Kind.FRAGMENT_SPREAD) return beside(sum, sizeOfFragment(selection.name.value));
      const inner = selection.selectionSet === undefined ? EMPTY : sizeOf(selection.selectionSet);
      return beside(sum, {
        here: 1,
        below: inner.here + inner.below,
        depth: 1 + inner.depth,
        aliases: (selection.alias === undefined ? 0 : 1) + inner.aliases,
      });
    }, EMPTY);
  return sizeOf;
}

const beside = (a: Size, b: Size): Size => ({
  here: a.here + b.here,
  below: a.below + b.below,
  depth: Math.max(a.depth, b.depth),
  aliases: a.aliases + b.aliases,
});
