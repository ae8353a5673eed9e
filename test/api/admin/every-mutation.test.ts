import { describe, expect } from 'vitest';
import { OPERATIONS, requestOf } from '../../kit/every-operation.ts';
import { useAdmin } from '../../kit/operator.ts';
import { type Database, test } from '../../kit/postgres.ts';
import { actOf, buildWorld, MUTATIONS, type MutationName, type World } from './every-mutation.ts';

const { admin } = useAdmin();

/** Runs in an old session. A mutation that opens something or ends many things needs a fresh sign-in; `roles.test.ts` lists which do. */
const isFree = ({ effect }: (typeof MUTATIONS)[number]) => ['CHANGE', 'STOP', 'END_ONE'].includes(effect);

/** Sends a mutation of `ACTS`. @returns its answer, or the code of its refusal. */
async function run(name: MutationName, world: World, headers: Readonly<Record<string, string>>) {
  const operation = OPERATIONS.find((one) => one.name === name);
  if (operation === undefined) throw new Error(`The schema has no ${name}.`);
  const { args, fields, names } = await actOf(name, world, admin);
  const { text, variables } = requestOf(operation, args, fields);
  const { data, errors } = await admin.ask(text, variables, headers);
  return { answer: data?.[name], code: errors?.[0].extensions.code ?? null, names };
}

interface Entry {
  readonly actor: string;
  readonly action: string;
  readonly target: string | null;
  readonly related: readonly string[];
  readonly outcome: string;
}

async function lastEntry(sql: Database): Promise<Entry> {
  const [row] = await sql`
    select actor, action, target, related, outcome from audit_log order by audit_id desc limit 1
  `;
  return row as unknown as Entry;
}

const plain = (name: string) => name.replace(/^(tenant|subject):[\w-]{43}$/, '$1:<hash>');
const namesIn = ({ target, related }: Entry) => [target, ...related.map(plain).sort()];

/** For a refused mutation, which changes nothing. */
let untouched: World;

describe.for(MUTATIONS)('$name', (mutation) => {
  const { name, role, ids } = mutation;

  test('leaves an entry with its object and all it concerned, and no one else', async ({ sql }) => {
    const world = await buildWorld(sql, admin);
    const { tokenId, token } = await admin.newToken('ADMIN');
    const headers = isFree(mutation)
      ? { cookie: await admin.oldSession('ADMIN') }
      : { authorization: `Bearer ${token}` };
    const { answer, code, names } = await run(name, world, headers);
    expect(code).toBeNull();
    const entry = await lastEntry(sql);
    expect(entry).toMatchObject({ action: name, outcome: 'DONE' });
    if (!isFree(mutation)) expect(entry.actor).toBe(`token:${tokenId}`);
    const [object, ...others] = names(answer);
    expect(namesIn(entry)).toEqual([object, ...others.sort()]);
    expect(JSON.stringify(entry)).not.toContain('hush');
  });

  test('leaves an entry that names its object if it is refused, and changes nothing', async ({ sql }) => {
    untouched ??= await buildWorld(sql, admin);
    const { args } = await actOf(name, untouched, admin);
    // An operation without an argument that is an id creates something that does not exist yet.
    const [first] = ids;
    const given = { ...args, ...(args.input as object), ...(args.filter as object) } as Record<string, unknown>;
    const target = first === undefined ? null : (given[first] ?? null);
    const { token } = await admin.newToken(role === 'ADMIN' ? 'OPERATOR' : 'VIEWER');
    const refusals: [string, Record<string, string>][] = [['FORBIDDEN', { authorization: `Bearer ${token}` }]];
    if (!isFree(mutation)) refusals.push(['FRESH_SIGN_IN_REQUIRED', { cookie: await admin.oldSession('ADMIN') }]);
    for (const [outcome, headers] of refusals) {
      expect((await run(name, untouched, headers)).code).toBe(outcome);
      expect(await lastEntry(sql)).toMatchObject({ action: name, target, outcome });
    }
  });
});

describe.for(MUTATIONS.filter(({ isRepeatable }) => isRepeatable))('$name', ({ name }) => {
  test('does nothing twice if it is sent again', async ({ sql }) => {
    const world = await buildWorld(sql, admin);
    const { args, fields } = await actOf(name, world, admin);
    const operation = OPERATIONS.find((one) => one.name === name) ?? expect.fail(name);
    const send = async () => {
      const { text, variables } = requestOf(operation, args, fields);
      return (await admin.ask(text, variables, { authorization: `Bearer ${(await admin.newToken('ADMIN')).token}` }))
        .errors;
    };
    const countDispatches = async () => (await sql`select distinct workflow_id from outbox`).length;
    expect(await send()).toBeUndefined();
    const dispatched = await countDispatches();
    // What has ended meanwhile is refused, and stays as it is.
    expect([undefined, 'BAD_USER_INPUT']).toContain((await send())?.[0].extensions.code);
    expect(await countDispatches()).toBe(dispatched);
  });
});
