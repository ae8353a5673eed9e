import { type GraphQLError, type GraphQLSchema, getVariableValues, type OperationDefinitionNode } from 'graphql';
import { badInput } from '../../basics/errors.ts';

/** Several times the need of any operation. A body within its limit may hold thousands. */
const MAX_VALUES = 250;
const MAX_ELEMENTS = 100;
const MAX_DEPTH = 8;

/**
 * Refuses variables that are too many, before anything else looks at them. Members that no operation knows count too.
 * @throws ServiceError `BAD_USER_INPUT`
 */
export function boundVariables(variables: object): void {
  let count = 0;
  const visit = (value: unknown, name: string, depth: number): void => {
    count += 1;
    if (count > MAX_VALUES) throw badInput('variables', `must hold at most ${MAX_VALUES} values`);
    if (typeof value !== 'object' || value === null) return;
    if (depth > MAX_DEPTH) throw badInput(name, `must be nested at most ${MAX_DEPTH} deep`);
    if (!Array.isArray(value)) visitMembers(value, name, depth);
    else if (value.length <= MAX_ELEMENTS) for (const one of value) visit(one, name, depth + 1);
    else throw badInput(name, `must have at most ${MAX_ELEMENTS} elements`);
  };
  const visitMembers = (members: object, name: string, depth: number): void => {
    for (const key in members) visit(members[key as keyof object], `${name}.${key}`, depth + 1);
  };
  visitMembers(variables, 'variables', 0);
}

export type Coerced = { readonly values: Readonly<Record<string, unknown>> } | { readonly error: GraphQLError };

/** Coerces the variables of an operation by its definitions. The first error ends it: each one costs a search for similar names. */
export function coerceVariables(
  schema: GraphQLSchema,
  operation: OperationDefinitionNode | undefined,
  variables: Readonly<Record<string, unknown>>,
): Coerced {
  const definitions = operation?.variableDefinitions ?? [];
  const { coerced, errors } = getVariableValues(schema, definitions, variables, { maxErrors: 1 });
  return coerced === undefined ? { error: errors[0] as GraphQLError } : { values: coerced };
}
