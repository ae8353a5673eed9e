import { hostname, userInfo } from 'node:os';
import { describe, expect } from 'vitest';
import { createInProcessAdmin } from '../../../src/api/admin/in-process.ts';
import { type Answer, useAdmin, useApp } from '../../kit/operator.ts';
import { test } from '../../kit/postgres.ts';
import { seedConnection } from '../../kit/seed.ts';

const { admin, operator } = useAdmin();
const [seeded, other] = [useApp(), useApp()];

const LOG = `query ($f: AuditFilter, $first: Int, $after: String) { auditLog(filter: $f, first: $first, after: $after) {
  items { action actor happenedAt things { id kind name appId exists } changes { setting from to } }
  pageInfo { endCursor hasNextPage } } }`;
const entriesOf = async (f: object): Promise<Answer[]> => (await admin.as('VIEWER')(LOG, { f })).auditLog.items;
const SET_POLICY = `mutation ($id: ID!, $c: [Capability!]!, $q: Int) {
  setPolicy(appId: $id, provider: PROVIDER_A, capabilities: $c, quotaPercent: $q) { id } }`;

describe('an entry of the audit log contains', () => {
  test('the changed setting of a policy, with its old and new value', async () => {
    const { appId } = seeded.app;
    await operator(SET_POLICY, { id: appId, c: ['PROFILE'], q: 30 });
    await operator(SET_POLICY, { id: other.app.appId, c: [], q: null });
    await operator(SET_POLICY, { id: appId, c: ['CONTENT_LIST', 'PROFILE'] });
    const [latest, first] = await entriesOf({ target: appId, action: 'setPolicy' });
    expect(latest?.changes).toEqual([
      { setting: 'PROVIDER_A.capabilities', from: 'PROFILE', to: 'CONTENT_LIST, PROFILE' },
    ]);
    expect(first?.changes).toContainEqual({ setting: 'PROVIDER_A.quotaPercent', from: null, to: '30' });
    const [ofOther] = await entriesOf({ target: other.app.appId, action: 'setPolicy' });
    expect(ofOther?.changes.filter(({ to }: Answer) => to !== null)).toEqual([]);
  });

  test('the names of its objects at that time beside their ids', async () => {
    const { app, registrations } = seeded;
    const registrationId = registrations.PROVIDER_A;
    await operator.run('stopServingApp', { registrationId, appId: app.appId }, 'dryRun');
    const [entry] = await entriesOf({ target: registrationId, action: 'stopServingApp' });
    expect(entry?.things).toEqual([
      { id: registrationId, kind: 'REGISTRATION', name: expect.any(String), appId: null, exists: true },
      { id: app.appId, kind: 'APP', name: 'Harbour Kitchen', appId: app.appId, exists: true },
    ]);
    const createApp = await operator.run('createApp', { input: { name: 'Mistake' } });
    await operator.run('changeApp', { id: createApp.id, name: 'Misstep' });
    await operator.run('deleteApp', { id: createApp.id });
    const entries = await entriesOf({ target: createApp.id });
    const then = { id: createApp.id, kind: 'APP', appId: createApp.id, exists: false };
    expect(entries.map(({ things }) => things)).toEqual(
      ['Misstep', 'Mistake', 'Mistake'].map((name) => [{ ...then, name }]),
    );
    expect(entries[0]?.changes).toEqual([{ setting: 'name', from: 'Misstep', to: null }]);
  });

  test('an id that its beginning, a URL, or the connection that it ended finds', async ({ sql }) => {
    const { id } = await operator.run('createApp', { input: { name: 'Short' } });
    const [mine, kept] = [seeded.newScope(), seeded.newScope()];
    const ended = await seedConnection(sql, seeded, { scope: mine });
    const alive = await seedConnection(sql, seeded, { scope: kept });
    await operator.run('eraseSubject', { input: { appId: seeded.app.appId, ...mine }, dryRun: false }, 'dryRun');
    const found = async (f: object) => (await entriesOf(f)).map(({ action }) => action);
    for (const target of [id, id.slice(0, 8), `https://accounts.example/admin/apps/${id}`])
      expect(await found({ target }), target).toEqual(['createApp']);
    for (const target of [ended, ended.slice(0, 8)]) expect(await found({ target })).toEqual(['eraseSubject']);
    for (const target of [alive, 'ffffffff', `${id.slice(0, 7)}x`]) expect(await found({ target }), target).toEqual([]);
    const [entry] = (await operator(`{ auditLog(filter: { target: "${id}" }) { items { correlationId } } }`)).auditLog
      .items;
    expect(await found({ correlationId: entry.correlationId.slice(0, 8) })).toEqual(['createApp']);
  });

  test('which user of which host ran the command line, under the same name of the act', async ({ sql }) => {
    const run = createInProcessAdmin({ ...admin.deps, sql, deliver: async () => {} } as never);
    await run('mutation ($id: ID!) { enableApp(id: $id) { id } }', { id: seeded.app.appId });
    await operator.run('enableApp', { id: seeded.app.appId });
    const [byApi, byShell] = await entriesOf({ target: seeded.app.appId, action: 'enableApp' });
    expect(byShell?.actor).toBe(`command line: ${userInfo().username}@${hostname()}`);
    expect(byApi?.actor).toMatch(/^token:/);
  });
});
