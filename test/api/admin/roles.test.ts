import { randomUUID } from 'node:crypto';
import {
  buildSchema,
  type GraphQLField,
  type GraphQLInputType,
  getNamedType,
  isInputObjectType,
  isLeafType,
  isRequiredInputField,
} from 'graphql';
import { describe, expect } from 'vitest';
import { ADMIN_ROLES, type AdminRole, mayDo, type Operation, ROLES } from '../../../src/api/admin/roles.ts';
import { schemaText } from '../../../src/generated/admin-schema.ts';
import { test } from '../../kit/postgres.ts';
import { createTestAdmin, Refusal, type TestAdmin } from './operator.ts';

const schema = buildSchema(schemaText);
const roots = [
  { kind: 'query', fields: schema.getQueryType()?.getFields() ?? {} },
  { kind: 'mutation', fields: schema.getMutationType()?.getFields() ?? {} },
];

/** A value that GraphQL takes for a type; ids are of nothing there is. */
function sampleOf(type: GraphQLInputType): unknown {
  const named = getNamedType(type);
  if (isInputObjectType(named)) {
    const fields = Object.values(named.getFields()).filter(isRequiredInputField);
    return Object.fromEntries(fields.map((field) => [field.name, sampleOf(field.type)]));
  }
  if (String(type).includes('[')) return [];
  switch (named.name) {
    case 'SocialProvider':
      return 'PROVIDER_A';
    case 'TenantConnections':
      return 'KEEP';
    default:
      return randomUUID();
  }
}

function documentOf(kind: string, field: GraphQLField<unknown, unknown>) {
  const required = field.args.filter((arg) => String(arg.type).endsWith('!'));
  const declared = required.map(({ name, type }) => `$${name}: ${type}`).join(', ');
  const passed = required.map(({ name }) => `${name}: $${name}`).join(', ');
  const selection = isLeafType(getNamedType(field.type)) ? '' : '{ __typename }';
  return {
    text: `${kind} ${declared && `(${declared})`} { ${field.name} ${passed && `(${passed})`} ${selection} }`,
    variables: Object.fromEntries(required.map(({ name, type }) => [name, sampleOf(type)])),
  };
}

const operations = roots.flatMap(({ kind, fields }) =>
  Object.values(fields).map((field) => ({ name: field.name as Operation, kind, field })),
);
const CASES = operations.flatMap((operation) => ADMIN_ROLES.map((role) => ({ ...operation, role })));

let admin: TestAdmin;
test.beforeEach(async ({ database }) => {
  admin ??= await createTestAdmin(database.sql);
});

describe('what a role may do', () => {
  test('is written down for every operation of the schema, and in its description', () => {
    expect(operations.map(({ name }) => name).sort()).toEqual(Object.keys(ROLES).sort());
    for (const { name, field } of operations) {
      expect(field.description?.startsWith(`${ROLES[name]}. `), name).toBe(true);
    }
  });

  test.for(CASES)('$name as $role', async ({ name, kind, field, role }, { database }) => {
    const { text, variables } = documentOf(kind, field);
    const outcome = await admin
      .as(role)(text, variables)
      .then(
        () => 'DONE',
        (error: unknown) => (error instanceof Refusal ? error.code : Promise.reject(error)),
      );
    if (mayDo(role, name)) expect(['DONE', 'NOT_FOUND', 'BAD_USER_INPUT']).toContain(outcome);
    else expect(outcome).toBe('FORBIDDEN');
    const [entry] = await database.sql`select action, outcome from audit_log order by audit_id desc limit 1`;
    if (kind === 'mutation' || outcome === 'FORBIDDEN') expect(entry).toEqual({ action: name, outcome });
  });

  test('leaves nothing done where it was refused', async ({ database }) => {
    const before = await database.sql`select count(*)::int as count from app`;
    const creating = admin.as('OPERATOR')('mutation { createApp(input: { name: "No" }) { id } }');
    await expect(creating).rejects.toThrow('FORBIDDEN: createApp takes the role ADMIN; this token is a OPERATOR.');
    expect(await database.sql`select count(*)::int as count from app`).toEqual(before);
  });

  test('grows from role to role', () => {
    const count = (role: AdminRole) => operations.filter(({ name }) => mayDo(role, name)).length;
    expect(count('VIEWER')).toBeLessThan(count('OPERATOR'));
    expect(count('OPERATOR')).toBeLessThan(count('ADMIN'));
    expect(count('ADMIN')).toBe(operations.length);
  });
});
