import { parse, print } from 'graphql';
import { expect, test } from 'vitest';
import { listOperations, renderSettings } from '../../scripts/admin-operations.mjs';
import { deriveOperations } from '../../scripts/console-operations.mjs';

const SCHEMA = `
directive @setting on FIELD_DEFINITION
enum Mood { GOOD BAD }
type App { id: ID! @setting name: String @setting moods: [Mood!]! keys: [Key!]! count(since: Int): Int! }
type Key { id: ID! endsAt: DateTime! @setting uses: Int @setting moods: [Mood!] }
scalar DateTime
type Query { app: App! }
type Mutation {
  renameApp(id: ID!, name: String, first: Int = 5): App!
  shownElsewhere(id: ID!): Key!
  removeApp(id: ID!): Boolean!
  writtenByHand(id: ID!): App!
}`;

const derive = (...documents: string[]) =>
  deriveOperations(
    SCHEMA,
    documents.map((text) => parse(text)),
  ).definitions.map((one) => print(one).replaceAll(/\s+/g, ' '));

test("the console's operations need no text for a plain field, nor for a mutation that answers with known details", () => {
  const written = 'mutation WrittenByHand($id: ID!) { writtenByHand(id: $id) { id } }';
  expect(derive('fragment AppDetails on App { ...AppFields keys { ...KeyFields } }', written)).toEqual([
    'fragment AppFields on App { id name moods }',
    'fragment KeyFields on Key { id endsAt uses moods }',
    'mutation RenameApp($id: ID!, $name: String, $first: Int) { renameApp(id: $id, name: $name, first: $first) { ...AppDetails } }',
    'mutation RemoveApp($id: ID!) { removeApp(id: $id) }',
  ]);
});

test('a fragment of plain fields needs a type, and may be written by hand', () => {
  expect(() => derive('query Look { app { ...PierFields } }')).toThrow(
    'admin.graphql has no type for the fragment PierFields.',
  );
  expect(derive('query Look { app { ...AppFields } } fragment AppFields on App { id }')).toEqual([
    'mutation RemoveApp($id: ID!) { removeApp(id: $id) }',
  ]);
});

test('the columns of settings have the types of their fields; a list or an id is no column', () => {
  expect(renderSettings(SCHEMA.replace('ID! @setting', 'ID!'))).toContain(
    [
      '  App: z.object({ name: z.string().nullable() }),',
      '  Key: z.object({ endsAt: z.date(), uses: z.number().nullable() }),',
    ].join('\n'),
  );
  expect(() => renderSettings(SCHEMA)).toThrow('id in admin.graphql cannot be a @setting.');
  const listed = SCHEMA.replace('ID! @setting', 'ID!').replace('moods: [Mood!] }', 'names: [String!] @setting }');
  expect(() => renderSettings(listed)).toThrow('names in admin.graphql cannot be a @setting.');
});

/** A schema with one mutation that sets what it is given. */
const withSetter = (args: string) => `
directive @operation(role: String!, effect: String! = "READ") on FIELD_DEFINITION
directive @command(name: String!) on FIELD_DEFINITION
directive @repeatable on FIELD_DEFINITION
directive @sets on FIELD_DEFINITION
directive @setting on FIELD_DEFINITION
directive @keeps(clears: Boolean! = true) on ARGUMENT_DEFINITION
type App { id: ID! name: String! @setting note: String @setting limit: Int @setting keys: Int! }
type Query { "Shows." app: App! @operation(role: "ADMIN") @command(name: "app show") }
type Mutation { "Sets." change(id: ID!, ${args}): App! @operation(role: "ADMIN", effect: "CHANGE") @sets @command(name: "app change") }`;

test.each([
  'note: String',
  'note: String!',
  'name: String!',
  'name: String @keeps(clears: false)',
  'limit: Int @keeps',
])('a mutation may set %s', (arg) => {
  expect(listOperations(withSetter(arg))).toMatchObject([
    { name: 'app', sets: undefined },
    { name: 'change', sets: 'App' },
  ]);
});

test.each([
  ['keys: Int!', 'keys'],
  ['other: String', 'other'],
  ['note: Int', 'note'],
  ['name: String', 'name'],
  ['note: String, name: String @keeps', 'name'],
])('a mutation cannot set %s', (args, wrong) => {
  expect(() => listOperations(withSetter(args))).toThrow(
    `change in admin.graphql cannot store ${wrong}: it needs a @setting of this type.`,
  );
});
