import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import { callerOf, createDeps, refusalOf } from '../../kit/caller.ts';
import { test } from '../../kit/postgres.ts';
import { seedApp } from '../../kit/seed.ts';

const id = randomUUID();
const window = { publishedAfter: '2030-01-01T00:00:00.000Z', publishedBefore: '2030-01-02T00:00:00.000Z', first: 1 };

/** Every operation with a scope, and its answer when only the scope is invalid. */
const OPERATIONS = [
  ['connectSessionResult', { id }, 'NOT_FOUND'],
  ['connection', { id }, 'NOT_FOUND'],
  ['connections', {}, 'answered'],
  ['content', { connectionId: id, window }, 'NOT_FOUND'],
  ['contentItem', { connectionId: id, providerContentId: 'x' }, 'NOT_FOUND'],
  ['syncJob', { connectionId: id, id }, 'NOT_FOUND'],
  ['disconnectConnection', { connectionId: id }, 'NOT_FOUND'],
  ['requestRefresh', { connectionId: id }, 'NOT_FOUND'],
  ['requestContentLookup', { connectionId: id, url: 'https://platform.example/p' }, 'NOT_FOUND'],
  [
    'createConnectSession',
    { provider: 'PROVIDER_A', capabilities: ['PROFILE'], returnUrl: 'https://caller.example/connected' },
    'answered',
  ],
] as const;

test.for(OPERATIONS)(
  '%s accepts scopes of 1 to 128 code points that can be stored',
  async ([field, args, fine], { database }) => {
    const { sql } = database;
    const seeded = await seedApp(sql);
    const call = callerOf(await createDeps(sql), seeded);
    const longest = '🚢'.repeat(128);
    await sql`insert into tenant (app_id, tenant_key) values (${seeded.app.appId}, ${longest})`;
    const outcome = async (scope: object) => {
      const answer = call(field, field === 'createConnectSession' ? { input: { ...args, scope } } : { ...args, scope });
      return await answer.then(
        () => 'answered',
        () => refusalOf(answer).then(({ code }) => code),
      );
    };
    const scope = { tenantKey: seeded.tenantKey, externalSubjectId: 'ada' };
    expect(await outcome(scope)).toBe(fine);
    expect(await outcome({ tenantKey: longest, externalSubjectId: longest })).toBe(fine);
    expect(await outcome({ ...scope, externalSubjectId: ' \u0007\u200f' })).toBe(fine);
    for (const wrong of ['', `${longest}a`, 'a\0b', '\ud83d', '\udea2a']) {
      expect(await outcome({ ...scope, externalSubjectId: wrong })).toBe('BAD_USER_INPUT');
      expect(await outcome({ ...scope, tenantKey: wrong })).toBe('BAD_USER_INPUT');
    }
    const unregistered = await outcome({ ...scope, tenantKey: 'unregistered' });
    expect(unregistered).toBe(field === 'syncJob' ? 'NOT_FOUND' : 'FORBIDDEN');
  },
);
