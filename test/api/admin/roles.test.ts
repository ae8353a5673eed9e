import { type GraphQLNamedType, getNamedType, isObjectType } from 'graphql';
import { describe, expect } from 'vitest';
import { ADMIN_ROLES, isPermitted } from '../../../src/domain/rules/roles.ts';
import { OPERATIONS as DECLARED } from '../../../src/generated/admin-operations.ts';
import { leavesOf, OPERATIONS, requestOf } from '../../kit/every-operation.ts';
import { Refusal, useAdmin } from '../../kit/operator.ts';
import { test } from '../../kit/postgres.ts';

const CASES = OPERATIONS.flatMap((operation) => ADMIN_ROLES.map((role) => ({ ...operation, role })));

/** Names of arguments that carry a secret, or a place to which data or browsers go. */
const OPENING = ['clientSecret', 'secret', 'url', 'origin', 'returnUrl', 'issuer'];

const { admin } = useAdmin();

describe('the permissions of a role', () => {
  test('are declared for every operation of the served schema, and begin its description', () => {
    expect(OPERATIONS.map(({ name }) => name).sort()).toEqual(Object.keys(DECLARED).sort());
    for (const { name, field } of OPERATIONS) {
      const { role, effect } = DECLARED[name];
      const begin = ['READ', 'READ_PERSON', 'CHANGE'].includes(effect) ? `${role}. ` : `${role}, ${effect}. `;
      expect(field.description?.startsWith(begin), name).toBe(true);
    }
  });

  // `docs/admin-operations.md` lists them all, and `npm run check` compares: a changed word in admin.graphql shows there.
  test('let a VIEWER change nothing, and only an ADMIN open or end what many use', () => {
    const mutations = OPERATIONS.filter(({ kind }) => kind === 'mutation').map(({ name }) => name);
    expect(mutations.filter((name) => DECLARED[name].role === 'VIEWER')).toEqual([]);
    const wide = mutations.filter((name) => ['OPEN', 'END_MANY'].includes(DECLARED[name].effect));
    // An operator must be able to stop a stolen key, and to answer a person who asks for erasure.
    expect(wide.filter((name) => DECLARED[name].role !== 'ADMIN').sort()).toEqual(['eraseSubject', 'revokeKey']);
  });

  test('need a fresh sign-in for what takes or shows a secret, or names a new place', () => {
    const shows = (type: GraphQLNamedType) => isObjectType(type) && 'secret' in type.getFields();
    const opening = OPERATIONS.filter(
      (operation) =>
        operation.kind === 'mutation' &&
        (shows(getNamedType(operation.field.type)) ||
          leavesOf(operation).some(({ path }) => OPENING.includes(path.replace(/.*\./, '')))),
    );
    expect(opening.length).toBeGreaterThan(10);
    const free = opening.filter(({ name }) => !['OPEN', 'END_MANY'].includes(DECLARED[name].effect));
    expect(free.map(({ name }) => name)).toEqual([]);
  });

  test.for(CASES)('$name as $role', async ({ role, ...operation }, { database }) => {
    const { name, kind } = operation;
    const { text, variables } = requestOf(operation);
    const outcome = await admin
      .as(role)(text, variables)
      .then(
        () => 'DONE',
        (error: unknown) => (error instanceof Refusal ? error.code : Promise.reject(error)),
      );
    if (isPermitted(role, name)) expect(['DONE', 'NOT_FOUND', 'BAD_USER_INPUT']).toContain(outcome);
    else expect(outcome).toBe('FORBIDDEN');
    const [entry] = await database.sql`select action, outcome from audit_log order by audit_id desc limit 1`;
    if (kind === 'mutation' || outcome === 'FORBIDDEN') expect(entry).toEqual({ action: name, outcome });
  });

  test('are checked before an operation changes anything', async ({ database }) => {
    const before = await database.sql`select count(*)::int as count from app`;
    const creating = admin.as('OPERATOR')('mutation { createApp(input: { name: "No" }) { id } }');
    await expect(creating).rejects.toThrow(
      'FORBIDDEN: createApp needs the role ADMIN; this token has the role OPERATOR.',
    );
    expect(await database.sql`select count(*)::int as count from app`).toEqual(before);
  });
});
