import { EventEmitter, once } from 'node:events';
import { describe, expect, onTestFinished } from 'vitest';
import { OperatorLimits } from '../../../src/api/admin/operator-limits.ts';
import type { ConnectionId } from '../../../src/basics/ids.ts';
import { MINUTE_MS, moveClock } from '../../kit/clock.ts';
import { type Answer, createTestAdmin, refusalOf, useAdmin, useApp } from '../../kit/operator.ts';
import { createTestDatabase, type Database, inTransaction, test } from '../../kit/postgres.ts';
import { seedConnection } from '../../kit/seed.ts';

const { operator } = useAdmin();
const seeded = useApp();

const storyOf = async (id: ConnectionId) =>
  (await operator.run('connection', { id }, 'audit { action target related }')).audit;

test("a connection's story names the erasure that disconnected it", async ({ sql }) => {
  const scope = seeded.newScope();
  const id = await seedConnection(sql, seeded, { scope });
  const { appId } = seeded.app;
  const { erasure } = await operator.run('eraseSubject', { input: { appId, ...scope } }, 'erasure { id }');
  const related = expect.arrayContaining([erasure.id]);
  expect(await storyOf(id)).toEqual([{ action: 'eraseSubject', target: appId, related }]);
});

describe('reads of persons', () => {
  const listEntries = async (filter: object, as = operator): Promise<Answer[]> =>
    (await as.run('auditLog', { filter }, 'items { action related }')).items;
  const SHOWN = 'accountName accountHandle namesHidden';

  /** Two persons of one app, each with an account, and the hidden names of a production. */
  async function open(sql: Database) {
    const own = await createTestAdmin(sql, {}, { maskNames: true });
    const { appId } = seeded.app;
    const [scope, other] = [seeded.newScope(), seeded.newScope()];
    const [id, another] = [
      await seedConnection(sql, seeded, { scope }),
      await seedConnection(sql, seeded, { scope: other }),
    ];
    const readsOf = async (person: object = scope) =>
      (await listEntries({ appId, ...person, reads: true }, own.as('ADMIN'))).map(({ action }) => action);
    return { own, appId, scope, other, id, another, readsOf };
  }

  test.for([
    ['person', 'query ($i: PersonInput!) { person(input: $i) { isHeld } }'],
    ['connection', 'query ($id: ID!) { connection(id: $id) { id } }'],
    ['find', 'query ($who: String!) { find(text: $who) { id } }'],
  ] as const)('by %s name the person by a hash, and nobody else', async ([action, document], { sql }) => {
    const { own, appId, scope, other, id, readsOf } = await open(sql);
    const given = { i: { appId, ...scope }, id, who: scope.externalSubjectId };
    for (const role of ['VIEWER', 'OPERATOR'] as const) await own.as(role)(document, given);
    expect(await readsOf()).toEqual([action, action]);
    expect(await readsOf(other)).toEqual([]);
    const [{ count } = {}] = await sql`
      select count(*)::int from audit_log where audit_log::text like any(array[
        ${`%${scope.externalSubjectId}%`}, ${`%${scope.tenantKey}%`}, '%harbour%'])
    `;
    expect(count).toBe(0);
  });

  test.for([
    { by: 'a list with names', variables: { names: true }, has: { names: true, related: true } },
    { by: 'a list without names', variables: {}, has: { names: false, related: false } },
    { by: 'a search for a handle', variables: { search: 'harbour' }, has: { names: false, related: true } },
  ])('by $by', async ({ variables, has }, { sql }) => {
    const { own, appId, id, another } = await open(sql);
    const { search, names: showNames } = variables as { search?: string; names?: boolean };
    const given = { filter: { appId, search }, showNames };
    const { items } = await own.as('VIEWER').run('connections', given, `items { ${SHOWN} }`);
    const names = has.names
      ? { accountName: 'Harbour', accountHandle: 'harbour', namesHidden: false }
      : { accountName: null, accountHandle: null, namesHidden: true };
    expect(items).toEqual([names, names]);
    const entries = await listEntries({ appId, reads: true });
    expect(entries).toHaveLength(has.related ? 1 : 0);
    if (!has.related) return;
    expect(entries[0]?.related).toEqual(expect.arrayContaining([id, another]));
    expect(entries[0]?.related.includes('NAMES')).toBe(has.names);
  });

  test.for([
    { role: 'OPERATOR', showNames: false, hidden: true },
    { role: 'ADMIN', showNames: false, hidden: false },
    { role: 'VIEWER', showNames: true, hidden: false },
  ] as const)('a $role who asks for names: $showNames', async ({ role, showNames, hidden }, { sql }) => {
    const { own, id } = await open(sql);
    const story = await own.as(role).run('connection', { id, showNames }, `connection { ${SHOWN} }`);
    const [accountName, accountHandle] = hidden ? [null, null] : ['Harbour', 'harbour'];
    expect(story.connection).toEqual({ accountName, accountHandle, namesHidden: hidden });
    const entries = await listEntries({ target: id, reads: true });
    expect(entries.map(({ related }) => related.includes('NAMES'))).toEqual([!hidden]);
  });

  test('a disconnect shows no hidden name either', async ({ sql }) => {
    const { own, id } = await open(sql);
    const disconnectConnection = await own
      .as('OPERATOR')
      .run('disconnectConnection', { id }, `connection { ${SHOWN} }`);
    expect(disconnectConnection.connection).toEqual({ accountName: null, accountHandle: null, namesHidden: true });
  });

  test('share an entry within a minute, those of another operator or person do not', async ({ sql }) => {
    const { own, id, another, readsOf, other } = await open(sql);
    const look = (role: 'VIEWER' | 'OPERATOR', one: ConnectionId) => own.as(role).run('connection', { id: one });
    await Promise.all([look('VIEWER', id), look('VIEWER', id), look('VIEWER', id), look('VIEWER', another)]);
    await look('VIEWER', id);
    expect(await readsOf()).toEqual(['connection']);
    expect(await readsOf(other)).toEqual(['connection']);
    await look('OPERATOR', id);
    expect(await readsOf()).toEqual(['connection', 'connection']);
    await moveClock(sql, MINUTE_MS);
    await look('VIEWER', id);
    expect(await readsOf()).toHaveLength(3);
    await moveClock(sql, -MINUTE_MS);
  });
});

test('one token runs three operations at once, and gets RATE_LIMITED beyond its rate, which another token does not feel', async () => {
  const { sql, drop } = await createTestDatabase();
  onTestFinished(drop);
  let [running, most] = [0, 0];
  const full = new EventEmitter();
  const countFailing = async () => {
    most = Math.max(most, ++running);
    if (most < 3) await once(full, 'three');
    else full.emit('three');
    running -= 1;
    return null;
  };
  const limits = new OperatorLimits(sql, { operations: { perSecond: 0.001, burst: 10 } });
  const alone = await createTestAdmin(sql, {}, { countFailing }, limits);
  const ask = (role: 'ADMIN' | 'VIEWER') => alone.as(role)('{ overview { failingWorkflows } }');
  await Promise.all(Array.from({ length: 10 }, () => ask('ADMIN')));
  expect(most).toBe(3);
  expect(await refusalOf(ask('ADMIN'))).toMatchObject({ code: 'RATE_LIMITED', retryAfterSeconds: 1 });
  await ask('VIEWER');
});

describe('the audit log', () => {
  test('does not record a mutation as done if its commit fails', async ({ sql }) => {
    const id = seeded.app.appId;
    await sql.unsafe(`
      create function refuse_commit() returns trigger language plpgsql as $$ begin raise exception 'refused'; end $$;
      create constraint trigger refused after update on app deferrable initially deferred
        for each row execute function refuse_commit();
    `);
    try {
      await refusalOf(operator.run('disableApp', { id }));
    } finally {
      await sql.unsafe('drop trigger refused on app; drop function refuse_commit');
    }
    expect(await operator.run('app', { id }, 'enabled')).toEqual({ enabled: true });
    const auditLog = await operator.run('auditLog', { filter: { target: id } }, 'items { action outcome }');
    expect(auditLog.items).toEqual([{ action: 'disableApp', outcome: 'FAILED' }]);
  });

  test('is written in the transaction of the recorded act, and is append-only', async ({ sql }) => {
    const id = seeded.app.appId;
    await operator.run('disableApp', { id });
    const auditLog = await operator.run(
      'auditLog',
      { filter: { target: id } },
      'items { actor actorLabel action target outcome correlationId }',
    );
    expect(auditLog.items).toEqual([
      {
        actor: expect.stringMatching(/^token:/),
        actorLabel: 'A ADMIN',
        action: 'disableApp',
        target: id,
        outcome: 'DONE',
        correlationId: expect.any(String),
      },
    ]);
    for (const change of ['delete from audit_log', "update audit_log set actor = 'nobody'"]) {
      await expect(inTransaction(sql, (tx) => tx.unsafe(change))).rejects.toThrow('insert-only');
    }
  });
});
