// Writes src/generated/webhook-events.ts: the type of each webhook event, from the published JSON Schema. `npm run codegen` in
// the root of the repository runs it.
import path from 'node:path';

export const SCHEMA = path.join(import.meta.dirname, 'webhook-events.schema.json');
export const OUTPUT = path.join(import.meta.dirname, 'src', 'generated', 'webhook-events.ts');

/** The type of a part of the schema. Throws for anything that the schema of events has not used so far. */
function typeOf(schema) {
  if (schema.anyOf !== undefined) return schema.anyOf.map(typeOf).join(' | ');
  if (schema.const !== undefined) return quote(schema.const);
  if (schema.enum !== undefined) return schema.enum.map(quote).join(' | ');
  if (schema.type === 'object') return `{ ${listFields(schema).join(' ')} }`;
  const simple = { string: 'string', integer: 'number', null: 'null' }[schema.type];
  if (simple === undefined) throw new Error(`No type is known for ${JSON.stringify(schema)}.`);
  return simple;
}

const quote = (text) => `'${text}'`;

const listFields = ({ properties, required }) =>
  Object.entries(properties).map(
    ([name, schema]) => `readonly ${name}${required.includes(name) ? '' : '?'}: ${typeOf(schema)};`,
  );

/** `job.finished` becomes `JobFinishedEvent`. */
const nameOf = (type) => `${type.replace(/(?:^|[._])([a-z])/g, (_, letter) => letter.toUpperCase())}Event`;

/** The generated module, from the schema's text. */
export function generateEvents(schemaText) {
  const events = JSON.parse(schemaText).anyOf;
  const names = events.map(({ properties }) => nameOf(properties.type.const));
  const interfaces = events.map((event, index) =>
    [
      `/** The event \`${event.properties.type.const}\`. */`,
      `export interface ${names[index]} {`,
      ...listFields(event).map((field) => `  ${field}`),
      '}',
    ].join('\n'),
  );
  const parts = [
    '// Generated from webhook-events.schema.json by `npm run codegen`; do not edit.',
    ...interfaces,
    [
      '/** Every event, by its `type`. Newer services may send more types: let a `default` pass them over. */',
      'export type WebhookEvent =',
      `${names.map((name) => `  | ${name}`).join('\n')};`,
    ].join('\n'),
    "export type WebhookEventType = WebhookEvent['type'];",
  ];
  return `${parts.join('\n\n')}\n`;
}
