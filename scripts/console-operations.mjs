// Derives what the console's operations would repeat of admin.graphql.
import { buildSchema, getNamedType, isLeafType, isObjectType, Kind, parse, visit } from 'graphql';

const toPascal = (name) => name.charAt(0).toUpperCase() + name.slice(1);

/** `fragment AppFields on App`: the fields of a type that have no fields and no arguments. */
function deriveFields(schema, name) {
  const type = schema.getType(name.replace(/Fields$/, ''));
  if (!isObjectType(type)) throw new Error(`admin.graphql has no type for the fragment ${name}.`);
  const fields = Object.values(type.getFields()).filter(
    (one) => isLeafType(getNamedType(one.type)) && !one.args.length,
  );
  return `fragment ${name} on ${type.name} { ${fields.map((one) => one.name).join(' ')} }`;
}

/**
 * A mutation with all its arguments. Undefined if its answer has fields and no fragment with the name of its type says which.
 * @param {import('graphql').GraphQLField<unknown, unknown>} mutation @param {readonly string[]} fragments
 */
function deriveMutation({ name, args, type }, fragments) {
  const answer = getNamedType(type);
  const details = `${answer.name}Details`;
  if (!isLeafType(answer) && !fragments.includes(details)) return undefined;
  const list = (write) => (args.length === 0 ? '' : `(${args.map(write).join(', ')})`);
  const selection = isLeafType(answer) ? '' : ` { ...${details} }`;
  return `mutation ${toPascal(name)}${list((one) => `$${one.name}: ${one.type}`)} { ${name}${list((one) => `${one.name}: $${one.name}`)}${selection} }`;
}

/**
 * The documents that the written ones leave out: the fragments of all plain fields that they name (`...AppFields`), and the
 * mutations that answer with a `...Details` fragment or a plain value.
 * @param {string} text of admin.graphql @param {readonly any[]} written
 */
export function deriveOperations(text, written) {
  const schema = buildSchema(text);
  const definitions = written.flatMap((document) => document.definitions);
  const namesOf = (kind) => definitions.filter((one) => one.kind === kind).map((one) => one.name.value);
  const fragments = namesOf(Kind.FRAGMENT_DEFINITION);
  const operations = namesOf(Kind.OPERATION_DEFINITION);
  const spreads = new Set();
  for (const document of written) visit(document, { FragmentSpread: ({ name }) => void spreads.add(name.value) });
  const fields = [...spreads].filter((name) => name.endsWith('Fields') && !fragments.includes(name));
  const mutations = Object.values(schema.getMutationType()?.getFields() ?? {})
    .filter(({ name }) => !operations.includes(toPascal(name)))
    .flatMap((mutation) => deriveMutation(mutation, fragments) ?? []);
  return parse([...fields.map((name) => deriveFields(schema, name)), ...mutations].join('\n'));
}
