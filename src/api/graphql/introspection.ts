import { type DocumentNode, type FragmentDefinitionNode, Kind, type SelectionSetNode } from 'graphql';

/** A reference to a type: how deep `ofType` may nest. Tools ask for nine at most. */
const MAX_OF_TYPE = 10;

type Shape = { readonly [field: string]: Shape | null };

const NAMED: Shape = { kind: null, name: null };
const REFERENCE: Shape = nest(MAX_OF_TYPE);
const DEPRECATION: Shape = { isDeprecated: null, deprecationReason: null };
const INPUT: Shape = { name: null, description: null, type: REFERENCE, defaultValue: null, ...DEPRECATION };
const TYPE: Shape = {
  ...NAMED,
  description: null,
  specifiedByURL: null,
  isOneOf: null,
  fields: { name: null, description: null, args: INPUT, type: REFERENCE, ...DEPRECATION },
  inputFields: INPUT,
  interfaces: REFERENCE,
  enumValues: { name: null, description: null, ...DEPRECATION },
  possibleTypes: REFERENCE,
};
const SCHEMA: Shape = {
  __schema: {
    description: null,
    queryType: NAMED,
    mutationType: NAMED,
    subscriptionType: NAMED,
    types: TYPE,
    directives: { name: null, description: null, isRepeatable: null, locations: null, args: INPUT },
  },
};

function nest(levels: number): Shape {
  return levels === 0 ? NAMED : { ...NAMED, ofType: nest(levels - 1) };
}

/**
 * Whether a document is the introspection query that tools send: it names each list of the schema once, so that its answer is at
 * most as long as the schema. Its fields may come in any order, and some may be missing, as versions of the tools differ.
 */
export function isStandardIntrospection({ definitions }: DocumentNode): boolean {
  const fragments = new Map<string, FragmentDefinitionNode>();
  let query: SelectionSetNode | undefined;
  for (const definition of definitions) {
    if (definition.kind === Kind.FRAGMENT_DEFINITION) fragments.set(definition.name.value, definition);
    else if (definition.kind === Kind.OPERATION_DEFINITION && query === undefined) query = definition.selectionSet;
    else return false;
  }
  if (query === undefined) return false;
  const used = new Set<string>();
  // Each field of a shape once: that ends also a fragment that spreads itself.
  const fits = (set: SelectionSetNode | undefined, shape: Shape | null, seen: Set<string>): boolean => {
    if (set === undefined || shape === null) return set === undefined && shape === null;
    return set.selections.every((selection) => {
      if (selection.directives?.length) return false;
      if (selection.kind === Kind.INLINE_FRAGMENT) return false;
      if (selection.kind === Kind.FRAGMENT_SPREAD) {
        const { value: name } = selection.name;
        const spread = fragments.get(name);
        if (spread === undefined || seen.has(`...${name}`)) return false;
        seen.add(`...${name}`);
        used.add(name);
        return fits(spread.selectionSet, shape, seen);
      }
      const name = selection.name.value;
      const inner = name === '__typename' ? null : Object.hasOwn(shape, name) ? shape[name] : undefined;
      if (inner === undefined || seen.has(name) || selection.alias !== undefined) return false;
      seen.add(name);
      const hasOnlyDeprecated = selection.arguments?.every(
        ({ name: argument, value }) => argument.value === 'includeDeprecated' && value.kind === Kind.BOOLEAN,
      );
      return hasOnlyDeprecated !== false && fits(selection.selectionSet, inner, new Set());
    });
  };
  return fits(query, SCHEMA, new Set()) && used.size === fragments.size;
}
