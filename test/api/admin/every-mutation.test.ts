import { describe, expect } from 'vitest';
import type { Database } from '../../../src/store/driver/sql.ts';
import { OPERATIONS, requestOf } from '../../kit/every-operation.ts';
import { type Answer, createTestAdmin, type TestAdmin } from '../../kit/operator.ts';
import { test } from '../../kit/postgres.ts';
import { seedConnection } from '../../kit/seed.ts';
import { ACTS, buildWorld, MUTATIONS, type MutationName, type World } from './every-mutation.ts';

let admin: TestAdmin;
test.beforeEach(async ({ database }) => {
  admin ??= await createTestAdmin(database.sql);
});

/** The mutations that run in an old session. Every other one needs a fresh sign-in at once. */
const FREE: readonly MutationName[] = [
  ...([
    'createApp',
    'changeApp',
    'enableApp',
    'changeKey',
    'addTenant',
    'setBranding',
    'setLogo',
    'removeLogo',
    'setRegistrationPermissions',
    'dismissUnknownAnswer',
  ] as const),
  ...(['setRefreshPolicy', 'setRefreshShare', 'retryJob', 'retryJobs', 'sendTestWebhook', 'redeliverWebhook'] as const),
  ...([
    'redeliverWebhooks',
    'enableWebhookEndpoint',
    'resumeRegistration',
    'testRegistration',
    'retryRegistration',
    'clearSpentQuota',
  ] as const),
  // Some of these within an hour; see below.
  ...(['disableApp', 'pauseRegistration', 'setDailyQuota', 'disableWebhookEndpoint'] as const),
  ...(['disconnectConnection', 'cancelAttempt', 'revokeAdminToken'] as const),
  ...(['deleteApp', 'deleteRegistration'] as const),
];

/** Sends a mutation of `ACTS`. @returns its answer, or the code of its refusal. */
async function run(name: MutationName, world: World, headers: Readonly<Record<string, string>>) {
  const operation = OPERATIONS.find((one) => one.name === name);
  if (operation === undefined) throw new Error(`The schema has no ${name}.`);
  const { args, fields, names } = await ACTS[name](world, admin);
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

describe.for(MUTATIONS)('$name', ({ name, role, ids }) => {
  test('leaves an entry that names its object and all it concerned, and nobody else', async ({ sql }) => {
    const world = await buildWorld(sql, admin);
    const { tokenId, token } = await admin.newToken('ADMIN');
    const { answer, code, names } = await run(name, world, { authorization: `Bearer ${token}` });
    expect(code).toBeNull();
    const entry = await lastEntry(sql);
    expect(entry).toMatchObject({ actor: `token:${tokenId}`, action: name, outcome: 'DONE' });
    const [object, ...others] = names(answer);
    expect(namesIn(entry)).toEqual([object, ...others.sort()]);
    expect(JSON.stringify(entry)).not.toContain('hush');
  });

  test('leaves an entry that names its object if it is refused, and changes nothing', async ({ sql }) => {
    const world = await buildWorld(sql, admin);
    const refused = [];
    const lower = role === 'ADMIN' ? 'OPERATOR' : 'VIEWER';
    const { token } = await admin.newToken(lower);
    refused.push(await run(name, world, { authorization: `Bearer ${token}` }));
    const entries = [await lastEntry(sql)];
    if (!FREE.includes(name)) {
      refused.push(await run(name, world, { cookie: await admin.oldSession('ADMIN') }));
      entries.push(await lastEntry(sql));
    }
    expect(refused.map(({ code }) => code)).toEqual(
      FREE.includes(name) ? ['FORBIDDEN'] : ['FORBIDDEN', 'FRESH_SIGN_IN_REQUIRED'],
    );
    const { args } = await ACTS[name](world, admin);
    for (const [index, entry] of entries.entries()) {
      expect(entry).toMatchObject({ action: name, outcome: refused[index]?.code });
      // An operation without an argument that is an id creates something that does not exist yet.
      const [first] = ids;
      const given = { ...args, ...(args.input as object), ...(args.filter as object) } as Record<string, unknown>;
      expect(entry.target).toBe(first === undefined ? null : (given[first] ?? null));
    }
  });
});

describe('an old session', () => {
  test.for(FREE)('runs %s, which neither opens nor ends anything', async (name, { sql }) => {
    const world = await buildWorld(sql, admin);
    expect((await run(name, world, { cookie: await admin.oldSession('ADMIN') })).code).toBeNull();
  });

  const DISCONNECT = 'mutation ($id: ID!) { disconnectConnection(id: $id) { id } }';

  test('ends ten connections within an hour, one by one or by aliases, and another operator still can', async ({
    sql,
  }) => {
    const world = await buildWorld(sql, admin);
    const made = [];
    for (let i = 0; i < 13; i += 1) made.push(await seedConnection(sql, world, { scope: world.newScope() }));
    const cookie = await admin.oldSession('OPERATOR');
    for (const id of made.slice(0, 8)) expect((await admin.ask(DISCONNECT, { id }, { cookie })).errors).toBeUndefined();
    const aliases = made.slice(8, 12).map((id, i) => `d${i}: disconnectConnection(id: "${id}") { id }`);
    const { errors } = await admin.ask(`mutation { ${aliases.join(' ')} }`, {}, { cookie });
    expect(errors?.map(({ path, extensions }: Answer) => [...path, extensions.code])).toEqual([
      ['d2', 'FRESH_SIGN_IN_REQUIRED'], // GraphQL runs no further mutation after it.
    ]);
    const connected = await sql`
      select connection_id from connection where connection_id = any(${made}::uuid[]) and status = 'CONNECTED'
      order by array_position(${made}::uuid[], connection_id)
    `;
    expect(connected.map(({ connectionId }) => connectionId)).toEqual(made.slice(10));
    const [, , last = ''] = made.slice(10);
    expect(
      (await admin.ask(DISCONNECT, { id: last }, { cookie: await admin.oldSession('OPERATOR') })).errors,
    ).toBeUndefined();
    // An hour later there is room again.
    await sql`alter table audit_log disable trigger audit_log_insert_only`;
    await sql`update audit_log set happened_at = happened_at - interval '61 minutes'`;
    await sql`alter table audit_log enable trigger audit_log_insert_only`;
    expect((await admin.ask(DISCONNECT, { id: made[10] }, { cookie })).errors).toBeUndefined();
  });

  test('ends ten connections at most however many requests arrive at once', async ({ sql }) => {
    const world = await buildWorld(sql, admin);
    const made = await Promise.all(
      Array.from({ length: 16 }, () => seedConnection(sql, world, { scope: world.newScope() })),
    );
    const cookie = await admin.oldSession('OPERATOR');
    const answers = await Promise.all(made.map((id) => admin.ask(DISCONNECT, { id }, { cookie })));
    expect(answers.filter(({ errors }) => errors === undefined)).toHaveLength(10);
    const [row] = await sql`
      select count(*)::int as count from connection where connection_id = any(${made}::uuid[]) and status = 'CONNECTED'
    `;
    expect(row?.count).toBe(6);
  });

  test('stops three things within an hour, and is not asked for a dry run', async ({ sql }) => {
    const world = await buildWorld(sql, admin);
    const cookie = await admin.oldSession('OPERATOR');
    const pause = async (dryRun: boolean) => {
      const text = 'mutation ($id: ID!, $d: Boolean) { pauseRegistration(id: $id, dryRun: $d) { dryRun } }';
      const { errors } = await admin.ask(text, { id: world.registrations.PROVIDER_A, d: dryRun }, { cookie });
      return errors?.[0].extensions.code ?? null;
    };
    const codes = [];
    for (const dryRun of [true, false, false, false, false, true]) codes.push(await pause(dryRun));
    expect(codes).toEqual([null, null, null, null, 'FRESH_SIGN_IN_REQUIRED', null]);
  });
});
