import {
  type DocumentNode,
  type FragmentDefinitionNode,
  GraphQLError,
  Kind,
  type OperationDefinitionNode,
  parse,
  type SelectionSetNode,
} from 'graphql';
import { ServiceError } from '../../basics/errors.ts';
import { isStandardIntrospection } from './introspection.ts';

/** The limits of one request. */
export interface Limits {
  readonly operations: number;
  readonly aliases: number;
  /** Characters of an alias. The answer repeats it for each item of a list. */
  readonly aliasLength: number;
  /** How deep fields may nest. A root field is at depth 1. */
  readonly depth: number;
  readonly cost: number;
  /** Several times the need of a large document within the other limits. Bounds the work to refuse a larger one. */
  readonly tokens: number;
  /** Definitions of fragments. Validation compares each with each. */
  readonly fragments: number;
  /** Lines of text. To report the line of an error, GraphQL searches all text before it for line breaks. */
  readonly lines: number;
}

/** The limits of the callers' schema. */
export const LIMITS = {
  operations: 1,
  aliases: 8,
  aliasLength: 64,
  depth: 8,
  cost: 100,
  tokens: 1_000,
  fragments: 50,
  lines: 1_000,
} as const satisfies Limits;

const INTROSPECTION = ['__schema', '__type'];
/** Introspection uses none. Each could repeat the whole schema in the answer. */
const SCHEMA_ALIASES = 2;

const ROOT_FIELD_COST = 10;
const NESTED_FIELD_COST = 1;

/** The size of a selection set with all its fragments spread. */
interface Size {
  /** Fields directly in the set. */
  readonly here: number;
  /** Fields further down. */
  readonly below: number;
  readonly depth: number;
  readonly aliases: number;
  readonly longestAlias: number;
  /** Those below `__schema` and `__type`. */
  readonly schemaAliases: number;
}

const EMPTY: Size = { here: 0, below: 0, depth: 0, aliases: 0, longestAlias: 0, schemaAliases: 0 };

const countCost = ({ here, below }: Size) => here * ROOT_FIELD_COST + below * NESTED_FIELD_COST;

const LINE_BREAK = /\r\n|[\n\r]/g;

/**
 * Parses a request's document and checks it against the limits.
 * @throws GraphQLError for a syntax error; ServiceError `BAD_USER_INPUT` for too many lines or brackets nested too
 * deeply to parse; AggregateError with a GraphQLError for each limit that the first offending definition exceeds.
 */
export function parseWithinLimits(source: string, limits: Limits = LIMITS): DocumentNode {
  if ((source.match(LINE_BREAK)?.length ?? 0) >= limits.lines) {
    throw new ServiceError('BAD_USER_INPUT', `The request exceeds the limit of ${limits.lines} lines.`);
  }
  const document = parseBounded(source, limits);
  const errors = findExceeded(document, limits);
  if (errors.length > 0) throw new AggregateError(errors);
  return document;
}

function parseBounded(source: string, { tokens }: Limits): DocumentNode {
  try {
    return parse(source, { maxLexicalTokens: tokens });
  } catch (error) {
    // The parser recurses, so thousands of brackets exhaust the stack before they exceed the token limit.
    if (error instanceof RangeError) throw new ServiceError('BAD_USER_INPUT', 'The document is nested too deeply.');
    throw error;
  }
}

/**
 * Variables make no difference: fields under `@skip` and `@include` always count. Introspection counts like any field, except in
 * the query that tools send.
 * @returns an error for each limit that the document exceeds.
 */
function findExceeded(document: DocumentNode, limits: Limits): GraphQLError[] {
  const operations: OperationDefinitionNode[] = [];
  const fragments = new Map<string, FragmentDefinitionNode>();
  let fragmentCount = 0; // Also of those with the name of another.
  for (const definition of document.definitions) {
    if (definition.kind === Kind.OPERATION_DEFINITION) operations.push(definition);
    if (definition.kind !== Kind.FRAGMENT_DEFINITION) continue;
    fragments.set(definition.name.value, definition);
    fragmentCount += 1;
  }
  if (operations.length !== limits.operations) {
    return [new GraphQLError('A request holds exactly one operation.')];
  }
  if (fragmentCount > limits.fragments) {
    return [new GraphQLError(`The request exceeds the limit of ${limits.fragments} fragments.`)];
  }
  if (isStandardIntrospection(document)) return []; // Tools send it. The caller's share of processor time bounds it.

  const measure = createMeasure(fragments);
  // Each fragment is also checked alone, because the validation rules read unused fragments too.
  for (const definition of [...operations, ...fragments.values()]) {
    const faults = findFaults(definition, measure(definition.selectionSet), limits);
    if (faults.length > 0) return faults.map((fault) => new GraphQLError(fault));
  }
  return [];
}

function findFaults(
  definition: OperationDefinitionNode | FragmentDefinitionNode,
  size: Size,
  limits: Limits,
): string[] {
  const cost = definition.kind === Kind.OPERATION_DEFINITION ? countCost(size) : size.here + size.below;
  const faults = [
    size.aliases > limits.aliases && `The request exceeds the alias limit of ${limits.aliases}.`,
    size.longestAlias > limits.aliasLength &&
      `The request exceeds the limit of ${limits.aliasLength} characters of an alias.`,
    size.schemaAliases > SCHEMA_ALIASES &&
      `The request exceeds the limit of ${SCHEMA_ALIASES} aliases below __schema and __type.`,
    size.depth > limits.depth && `The request exceeds the depth limit of ${limits.depth}.`,
    cost > limits.cost &&
      `The request exceeds the cost limit of ${limits.cost}: each root field costs ${ROOT_FIELD_COST}, each nested field ${NESTED_FIELD_COST}.`,
  ];
  return faults.filter((fault) => fault !== false);
}

/** Counts a fragment at each spread but measures it once, so nested spreads take time only in proportion to the text. */
function createMeasure(fragments: ReadonlyMap<string, FragmentDefinitionNode>): (set: SelectionSetNode) => Size {
  const known = new Map<string, Size>();
  const measureFragment = (name: string): Size => {
    const fragment = fragments.get(name);
    const size = known.get(name);
    if (size !== undefined || fragment === undefined) return size ?? EMPTY;
    known.set(name, EMPTY); // Ends the recursion if a fragment spreads itself. Validation refuses it later.
    const measured = measure(fragment.selectionSet);
    known.set(name, measured);
    return measured;
  };
  const measure = (set: SelectionSetNode): Size =>
    set.selections.reduce<Size>((sum, selection) => {
      if (selection.kind === Kind.INLINE_FRAGMENT) return add(sum, measure(selection.selectionSet));
      if (selection.kind === Kind.FRAGMENT_SPREAD) return add(sum, measureFragment(selection.name.value));
      const inner = selection.selectionSet === undefined ? EMPTY : measure(selection.selectionSet);
      return add(sum, {
        here: 1,
        below: inner.here + inner.below,
        depth: 1 + inner.depth,
        aliases: (selection.alias === undefined ? 0 : 1) + inner.aliases,
        longestAlias: Math.max(selection.alias?.value.length ?? 0, inner.longestAlias),
        schemaAliases: INTROSPECTION.includes(selection.name.value) ? inner.aliases : inner.schemaAliases,
      });
    }, EMPTY);
  return measure;
}

const add = (a: Size, b: Size): Size => ({
  here: a.here + b.here,
  below: a.below + b.below,
  depth: Math.max(a.depth, b.depth),
  aliases: a.aliases + b.aliases,
  longestAlias: Math.max(a.longestAlias, b.longestAlias),
  schemaAliases: a.schemaAliases + b.schemaAliases,
});
